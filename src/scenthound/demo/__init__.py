"""A web for trying a crawler without the real web: generated from a seed or taken from WARC files, served on loopback.

Imports: `parse`, `archive`, `fetch` and below; it knows nothing of `crawl`, which an import contract checks.
"""
