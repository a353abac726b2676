"""What the shell proposes when Tab is pressed in a question in SQL: the tables, behind FROM, JOIN and the commas between them."""

import re
from importlib.resources import files

from scenthound.desk.schema_help import tables_of
from scenthound.distill.views import VIEWS

_TABLE_NEXT = re.compile(r"(?:\bjoin\s+|\bfrom\s+(?:[\w.]+(?:\s+(?:as\s+)?\w+)?\s*,\s*)*)(\w*)$", re.IGNORECASE)


def completed(statement: str) -> list[str]:
    """Return the statement with each table's name that it may go on with, in the case in which it was begun.

    >>> completed("SELECT url FROM cra")
    ['SELECT url FROM crawl']
    >>> completed("SELECT count(*) FROM LINK, AU"), completed("SELECT url, re")
    (['SELECT count(*) FROM LINK, AUTH'], [])
    """
    found = _TABLE_NEXT.search(statement)
    if found is None:
        return []
    begun = found[1]
    return [statement + _rest(name, begun) for name in _tables() if name.casefold().startswith(begun.casefold())]


def _rest(name: str, begun: str) -> str:
    """Return what is missing of a name. The shell drops what does not begin as typed, and SQL does not mind the case."""
    rest = name[len(begun) :]
    return rest.lower() if begun.islower() else rest.upper() if begun.isupper() else rest


def _tables() -> list[str]:
    own = tables_of((files("scenthound.store") / "schema.sql").read_text(encoding="utf-8"))
    return [*VIEWS, *sorted(table.name for table in own)]
