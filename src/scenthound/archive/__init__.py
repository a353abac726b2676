"""The archive: WARC files with every exchange as it was sent, and reading single records back.

Imports `types`, `errors`, `settings` and `parse`; a store refers to records by file, offset and length.
"""
