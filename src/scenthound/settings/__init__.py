"""The settings of a crawl. Each is declared once, in `sections`, with its type, its default and its help.

`schema` joins the sections, `file` reads crawl.toml and `--set`, `checks` has the rules that a type cannot express, and
`help` describes every setting for crawl.toml, the docs and error messages. Only the lowest modules may be imported
here.
"""
