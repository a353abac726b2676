"""The published site: a folder of static files made from a crawl. It imports services, search is its own and in the browser."""
