"""What a store must do: one protocol for each role that a caller may need.

Each file holds one protocol; `store/memory` and `store/sqlite` implement it in a file of the same name. The protocols
suit a database that several engines share: no verb needs the whole frontier in one call. A verb that walks over many
rows takes `after` and `limit`. Other verbs say in their docstring how a store with shards answers.

Protocols import `scenthound.types` only.
"""
