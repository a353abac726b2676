"""The apprentice of the paper: naive Bayes on words and their offsets from a link.

May import `apprentice.memory`, `apprentice.model`, parse and types; nothing of the default apprentice.
"""
