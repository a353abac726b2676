"""The store that many readers on many machines can reach: a schema of a PostgreSQL server holds one crawl.

The roles are those of `store/sqlite`: their SQL is written so that both databases read it. Here is what differs: the
tables (`schema.sql`), the connection and its dialect, transactions, and the way to a server (`server_url.py`).
"""
