"""One crawl: the engine that runs it, and the rooms around the engine.

`engine` has loop, lane and steps, `order` sets priorities, and `critic`, `hubs`, `readers`, `backlinks`, `revisit`,
`diagnosis` and `directory` (the files of a crawl) are what they are called. May import apprentice, judge, frontier,
fetch, distill, store and the layers below; not lab, services, ui or cli.
"""
