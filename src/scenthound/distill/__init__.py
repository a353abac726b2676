"""The distiller: hubs and authorities among relevant pages, and the crawl as a database for questions in SQL.

The algorithms are here, in memory (numpy) and in SQL; the statements are in `store/sqlite/queries`. Imports `store` and
the layers below it, and nothing of `crawl` or `judge`.
"""
