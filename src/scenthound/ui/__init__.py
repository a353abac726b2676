"""The window: a server for browsers and other programs, over the same work as the command line (docs/explanation/window.md)."""
