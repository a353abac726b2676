"""The distiller: hubs and authorities among relevant pages, and the crawl as a database that can be asked."""
