"""The apprentice: it learns during a crawl which links lead to relevant pages (APPRENTICE, WWW 2002).

`crawl_guide` joins a crawl, `priorities` decides what is scored when, and `scent` is the default model. May import
store, parse, settings and types; not frontier, judge or crawl.
"""
