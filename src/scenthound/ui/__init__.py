"""The window: a server for browsers and other programs (docs/explanation/window.md).

It may import everything except `cli`.
"""
