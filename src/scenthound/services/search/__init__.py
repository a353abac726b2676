"""Search in a crawl: index its new pages, ask the index. May import search and store."""
