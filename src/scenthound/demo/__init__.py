"""A web to try a crawler on, without the web: generated from a seed or taken from WARC files, served on loopback."""
