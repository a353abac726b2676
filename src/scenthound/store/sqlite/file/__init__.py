"""The database file while it is open: transactions, the write-ahead log, error messages."""
