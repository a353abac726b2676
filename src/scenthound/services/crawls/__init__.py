"""Crawls as a whole: list, make, start, stop and configure them."""
