"""Pages in the database, as the engine and the critic need them."""

import sqlite3
from collections.abc import Sequence

from scenthound.store.rules import evenly
from scenthound.store.sqlite.links import url_id
from scenthound.store.sqlite.rows import HELD, final_id, held_page
from scenthound.store.sqlite.state import State
from scenthound.types import Ending, HeldPage, Original, ShapeYield

_DISTINCT = """
FROM pages p JOIN terms t ON t.url_id = p.url_id
WHERE p.ending = 'page' AND p.duplicate_of IS NULL AND p.near_duplicate_of IS NULL"""
_NEXT_TO = """
SELECT p.n FROM (SELECT dst AS id FROM links WHERE src = :url UNION SELECT src FROM links WHERE dst = :url) near
CROSS JOIN pages p ON p.url_id = near.id CROSS JOIN urls u ON u.id = near.id
WHERE p.ending = 'page' AND NOT u.example"""
_UNASKED = """
SELECT u.url FROM links l CROSS JOIN urls u ON u.id = l.dst LEFT JOIN pages p ON p.url_id = u.id
WHERE l.src = ? AND u.state IN ('waiting', 'refused') AND p.n IS NULL ORDER BY l.position"""
_ORIGINAL = """
SELECT u.url, p.captured_at, p.payload FROM pages p JOIN finds u ON u.id = p.url_id
WHERE p.ending = 'page' AND p.digest <> '' AND p.digest = ? ORDER BY p.n LIMIT 1"""
_SHAPE = "SELECT fetched, novel FROM shapes WHERE host_id = (SELECT id FROM hosts WHERE name = ?) AND shape = ?"
# Without validators the next visit fetches the whole page.
LOSE = """
UPDATE pages SET archive_file = NULL, archive_offset = NULL, archive_length = NULL, etag = NULL, last_modified = NULL,
    payload = ''
WHERE archive_file = ? AND archive_offset + archive_length > ?"""


class SqlitePages(State):
    """Verbs about fetched pages."""

    def originals(self, digests: Sequence[str]) -> dict[str, Original]:
        with self._session.snapshot() as con:
            return originals(con, digests)

    def shape_yields(self, keys: Sequence[tuple[str, str]]) -> dict[tuple[str, str], ShapeYield]:
        with self._session.snapshot() as con:
            return shape_yields(con, keys)

    def archived(self) -> dict[str, int]:
        with self._session.errors():
            return dict(self._session.con.execute("SELECT file, length FROM archive_files").fetchall())

    def lose_archive(self, file: str, size: int) -> int:
        """Strike off what an archive file had beyond a size, 0 for a file that is gone; return of how many pages.

        Their validators go too, so that the next visit fetches the whole page and nothing points to lost records.
        """
        with self._session.transaction(durable=True) as con:
            lost = con.execute(LOSE, (file, size)).rowcount
            con.execute("UPDATE archive_files SET length = ? WHERE file = ?", (size, file))
            con.execute("DELETE FROM archive_files WHERE length = 0")
        return lost

    def held(self, urls: Sequence[str]) -> dict[str, HeldPage]:
        with self._session.snapshot() as con:
            return held(con, urls)

    def neighbours(self, urls: Sequence[str], *, limit: int) -> list[HeldPage]:
        with self._session.snapshot() as con:
            return neighbours(con, urls, limit)

    def cited(self, urls: Sequence[str], *, limit: int) -> list[str]:
        with self._session.snapshot() as con:
            return cited(con, urls, limit)

    def drawn(self, *, limit: int, first: int) -> list[HeldPage]:
        with self._session.snapshot() as con:
            return drawn(con, limit, first)

    def distinct_pages(self) -> int:
        with self._session.snapshot() as con:
            return int(con.execute(f"SELECT count(*) {_DISTINCT}").fetchone()[0])


def originals(con: sqlite3.Connection, digests: Sequence[str]) -> dict[str, Original]:
    """Return the earliest page with each content digest, by the index pages_digest."""
    found = {}
    for digest in filter(None, digests):
        row = con.execute(_ORIGINAL, (digest,)).fetchone()
        if row:
            found[digest] = Original(url=row[0], captured_at=row[1], payload=row[2])
    return found


def shape_yields(con: sqlite3.Connection, keys: Sequence[tuple[str, str]]) -> dict[tuple[str, str], ShapeYield]:
    """Return what fetches of each (host, shape) have brought."""
    yields = {}
    for key in keys:
        row = con.execute(_SHAPE, key).fetchone()
        yields[key] = ShapeYield(fetched=row[0], novel=row[1]) if row else ShapeYield()
    return yields


def held(con: sqlite3.Connection, urls: Sequence[str]) -> dict[str, HeldPage]:
    """Return the pages that addresses led to."""
    found = {}
    for url in urls:
        id = url_id(con, url)
        row = con.execute(f"{HELD} WHERE p.url_id = ?", (final_id(con, id),)).fetchone() if id is not None else None
        if row and row[6] == Ending.PAGE:
            found[url] = held_page(row)
    return found


def neighbours(con: sqlite3.Connection, urls: Sequence[str], limit: int) -> list[HeldPage]:
    """Return pages one link away, either way."""
    centre = list(_ends(con, urls))
    found = {n for id in centre for (n,) in con.execute(_NEXT_TO, {"url": id})}
    own = {n for id in centre for (n,) in con.execute("SELECT n FROM pages WHERE url_id = ?", (id,))}
    chosen = sorted(found - own)[:limit]
    return [held_page(con.execute(f"{HELD} WHERE p.n = ?", (n,)).fetchone()) for n in chosen]


def cited(con: sqlite3.Connection, urls: Sequence[str], limit: int) -> list[str]:
    """Return what pages link to and nobody has asked for."""
    found = [url for id in _ends(con, urls) for (url,) in con.execute(_UNASKED, (id,))]
    return list(dict.fromkeys(found))[:limit]


def _ends(con: sqlite3.Connection, urls: Sequence[str]) -> list[int]:
    ids = (url_id(con, url) for url in urls)
    return list(dict.fromkeys(final_id(con, id) for id in ids if id is not None))


def drawn(con: sqlite3.Connection, limit: int, first: int) -> list[HeldPage]:
    """Return pages spread evenly over the first ones of the crawl."""
    numbers = [n for (n,) in con.execute(f"SELECT p.n {_DISTINCT} ORDER BY p.n LIMIT ?", (first,))]
    rows = (con.execute(f"{HELD} WHERE p.n = ?", (n,)).fetchone() for n in evenly(numbers, limit))
    return [held_page(row) for row in rows]
