"""How a crawl goes: totals, speed, relevance over time, the apprentice, freshness."""
