"""Parts that several commands use: options, the live view of a crawl, the trust prompt, the crawl's critic."""
