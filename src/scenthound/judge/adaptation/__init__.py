"""A critic fitted to one crawl: templates of sites, the border of relevance, refused sites.

Imports: the rest of `judge`, and what `judge` may import.
"""
