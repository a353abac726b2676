"""Groups of pages, and whose company topics keep."""
