"""Engines of one crawl on the machines of a Ray cluster: placed, revived when they die, and drained at the end.

Ray only starts processes. What a crawl knows lies on its PostgreSQL server, so that nothing is lost with Ray.
"""
