"""Reader processes: they turn fetched bytes into readings, with limits on time and memory.

`pool` runs in the crawl, `reader` is the process, and `stored_pages` reads pages of the archive again. May import
archive, parse, settings, types and `judge.critic`; a reader knows nothing of the store.
"""
