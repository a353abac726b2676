"""The experiments of the apprentice paper (Chakrabarti, Punera and Subramanyam, WWW 2002), a module for each figure.

    crawls ─► lessons (links with known targets) ─► findings, topic by topic ─► studies

Imports: the rest of `papers`, `scenthound.lab` and `scenthound.apprentice`.
"""
