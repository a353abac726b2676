"""The whole crawler, seen from the servers that it visits and from the directory that it leaves."""
