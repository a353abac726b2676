"""The embedded store: the database of a crawl directory.

The files named after roles hold the verbs. `claim`, `record`, `links`, `page_record` and `transaction` hold what the
frontier does in a transaction. `cache/` holds rows that it has looked up, `file/` is the open database file, `queries/`
the SQL of other packages, `schema.sql` the tables.
"""
