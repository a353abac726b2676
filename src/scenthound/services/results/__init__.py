"""What a crawl found: pages, cards, maps, hubs, exports."""
