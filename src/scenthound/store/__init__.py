"""Stores: where a crawl keeps its frontier, pages, judgements and lessons.

- `roles/`: one protocol for each role; `base.Store` joins them.
- `memory/`: the specification in plain Python; `sqlite/`: the database of a crawl directory;
  `indexed/`: the store of the lab. All use the same file names. `postgres/`: the roles of `sqlite/` on a server.
- `store_place.py`: the one way into a crawl's store, wherever it is. `transfer/`: copying one to another place.
- `rules.py`: the rules that all stores share. `walk.py`: loops over a whole store. `salvage.py`: reading damaged files.

A store may import `archive`, `parse`, `types` and `errors`. It knows nothing of critics, distillers and services.
"""
