"""Commands of a crawl that several machines share."""
