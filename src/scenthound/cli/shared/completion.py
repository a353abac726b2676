"""Tab completion of table names in SQL, after FROM, JOIN and commas."""

import re
from importlib.resources import files

from scenthound.distill.paper_views import VIEWS
from scenthound.services.sql.schema_help import tables_of

_TABLE_NEXT = re.compile(r"(?:\bjoin\s+|\bfrom\s+(?:[\w.]+(?:\s+(?:as\s+)?\w+)?\s*,\s*)*)(\w*)$", re.IGNORECASE)


def completed(statement: str) -> list[str]:
    """Return the statement completed with each matching table name, in the case that the user began.

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
    """Return the rest of a name in the same case: the shell drops completions that begin differently."""
    rest = name[len(begun) :]
    return rest.lower() if begun.islower() else rest.upper() if begun.isupper() else rest


def _tables() -> list[str]:
    own = tables_of((files("scenthound.store.sqlite") / "schema.sql").read_text(encoding="utf-8"))
    return [*VIEWS, *sorted(table.name for table in own)]
