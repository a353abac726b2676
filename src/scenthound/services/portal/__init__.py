"""The portal: a site of static files made from a crawl, with a search of its own that runs in the reader's browser."""
