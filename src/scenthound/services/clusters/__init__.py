"""Groups of a crawl's pages: find them, name them, walk into them, make them topics. May import search and store."""
