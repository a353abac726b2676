"""The order of the frontier: everything that changes a priority. Start with `frontier_order`.

`current` is the order of a live crawl and `fixed` that of the lab; `change`, `upkeep`, `guides`, `consulted` and
`late_lessons` are their parts, and `priority_moves` writes to the store. `explanation` and `forecasts` only read. May
import `critic`, `hubs`, `readers`, `directory` and the layers below crawl, and of the engine only `steps` and `hooks`.
See docs/explanation/priorities.md.
"""
