"""Worlds: archived or generated webs, read once into a cache and replayed without a network.

Imports: `crawl.readers`, `demo`, `judge`, `fetch`, `parse` and below; of the lab only its values and seeds.
"""
