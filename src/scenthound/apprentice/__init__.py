"""Judging links before they are fetched, and learning from what they led to (APPRENTICE)."""
