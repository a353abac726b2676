"""The memory of an apprentice: URLs, pages, links, hosts and words in columns of numbers.

May import `apprentice.arrays`, `apprentice.words.addresses`, parse and types; no model.
"""
