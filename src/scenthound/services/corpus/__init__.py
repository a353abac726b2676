"""Corpora to take away: which pages, their texts, the files, and the data sheet beside them."""
