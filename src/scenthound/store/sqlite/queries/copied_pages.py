"""Pages that repeat others, which count once where pages are compared or counted."""

import sqlite3

_COPIES = """
SELECT url_id FROM pages
WHERE ending = 'page' AND (duplicate_of IS NOT NULL OR near_duplicate_of IS NOT NULL)"""


def ids_of_copies(con: sqlite3.Connection) -> list[int]:
    """Return the numbers of pages with the same or nearly the same text as an earlier one."""
    return [id for (id,) in con.execute(_COPIES)]
