"""Hubs in a running crawl: the distiller beside it, the promises of hubs, and visits to hubs for new links.

How hubs are found is in `scenthound.distill`. May import `order.priority_moves`, `revisit`, and the layers below crawl.
"""
