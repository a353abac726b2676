"""The experiments of the paper about the apprentice (Chakrabarti, Punera and Subramanyam, WWW 2002), a module for each figure.

crawls ─► lessons (links whose targets are known) ─► findings, topic by topic ─► studies
"""
