"""SQL that services, distillers and critics run on a database, as functions that return values.

Each function takes a `sqlite3.Connection`. The statements stand here beside the schema; the algorithms stay with their
callers.
"""
