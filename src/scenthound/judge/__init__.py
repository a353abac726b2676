"""Critics: how relevant is a page to the topics?

`critic.py` has the protocols, `models/` the critics that learn, `adaptation/` fits a critic to a crawl, `canonical/`
holds the built-in topic tree, `quality/` tests a critic before the crawl, and `probe/` judges inside a database.
`critic_kinds.py` maps `critic.kind` to these. Imports: `parse`, `topics`, `settings`, `taxonomy`, `types`, `errors`.
"""
