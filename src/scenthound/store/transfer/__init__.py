"""Copying a crawl from one store to another, between files and servers, in pieces that survive a kill."""
