"""What can be done with a crawl, as functions that return values: the work behind the command line and the window.

Both stand above and only show what they get from here; neither knows of the other.
"""
