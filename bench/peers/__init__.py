"""Other crawlers on the same pages, each a separate program that prints one line of JSON at its end.

Imports: nothing of scenthound.
"""
