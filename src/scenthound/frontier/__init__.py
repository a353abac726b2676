"""Rules about URLs that wait: orders, focus, traps, crowds, bounds, politeness, patience, rates of change.

Small decisions without I/O. May import parse, settings, store and types; not apprentice, judge or crawl.
"""
