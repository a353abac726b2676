"""The crawls of an experiment: one crawl, its cache, its processes, tuning, and the results file.

Imports: the rest of the lab except `report`, and `crawl` and everything below it.
"""
