"""The strategies that the lab compares, one idea per file; `kinds.py` knows them by name.

Imports: `judge`, `parse`, `types` and below; a strategy never sees the store or the loop.
"""
