"""Full-text search over everything that a crawl has fetched, by words and by meaning (BINGO §3.6)."""
