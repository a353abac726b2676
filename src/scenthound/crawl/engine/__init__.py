"""The engine of a crawl: loop, lane and steps, and `assemble`, which puts a live crawl together and runs it.

Start with `loop` and `lane`. Only `assemble`, `crawl_parts` and `crawl_run` name concrete classes of the other rooms of
`crawl`. The rest sees them through protocols: `hooks`, `critic.at_work`.
"""
