"""The directory of a crawl: its files, its lock, its settings while it runs, trust in its code, and its repair.

May import `backlinks.sources`, `readers`, `steps` and `rulebook` of the engine, and the layers below crawl.
"""
