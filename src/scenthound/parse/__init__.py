"""From bytes to values: URLs, robots.txt, types, charsets, HTML, documents, words. Pure functions without I/O.

`page.py` reads a fetched body. `markup/` parses HTML, `documents/` all other types, `words/` turns text into terms.
Imports: `settings`, `types`, `errors` and below; nothing that stores or fetches.
"""
