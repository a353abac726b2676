"""The work behind the command line, the window and the API, as functions that return values.

Services may import `crawl` and everything below it, but not `cli`, `ui` or `lab`. They hold no SQL: they call the
functions in `store/sqlite/queries`.
"""
