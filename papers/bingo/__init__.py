"""The experiments of BINGO (§5): a portal from two pages, with and without what the crawl teaches itself.

Imports: `papers.study`, `papers.timed` and the lab.
"""
