"""Words for the default apprentice: their outcomes, their vectors, and the words of addresses and links.

May import `apprentice.memory`, `apprentice.bounded_fit`, `apprentice.model` and parse.
"""
