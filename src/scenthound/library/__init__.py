"""A crawl as a Python object (`scenthound.open`), for scripts and notebooks.

It calls what the commands and the window call (`services`) and adds what a program wants: iterators, data frames,
progress, and a short text of each answer. May import services and everything below.
"""
