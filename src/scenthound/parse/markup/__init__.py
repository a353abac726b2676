"""HTML: a guard in front of the parser, leaves and links of a page, its main text.

Imports: `parse.urls`, `parse.shapes`, `parse.words`, `types`.
"""
