"""Rows of `pages`: as they are exported, with redirects followed to both ends, and as critics see them.

The likeliest topic of a page stands in its row, and its further ones in page_topics.
"""

import sqlite3
from collections.abc import Sequence
from typing import Any

from scenthound.store.rules import CHAIN, further_topics
from scenthound.types import ArchiveSpot, Ending, HeldPage, Judgement, LinkKind, PageRow, Reason

HELD = """
SELECT p.n, u.url, p.title, p.language, p.digest, t.packed, p.ending, u.example, p.relevance, p.topic,
       p.archive_file, p.archive_offset, p.archive_length
FROM pages p CROSS JOIN urls u ON u.id = p.url_id LEFT JOIN terms t ON t.url_id = p.url_id"""
_PAGE = """
SELECT p.url_id, p.ending, u.url, h.name, p.status, p.mime, p.title, p.language, p.relevance, p.topic, u.depth,
       u.priority,
       p.fetched_at, p.digest, u.reason, d.url, e.url, p.archive_file, p.archive_offset, p.archive_length
FROM pages p JOIN urls u ON u.id = p.url_id JOIN hosts h ON h.id = u.host_id
LEFT JOIN finds d ON d.id = p.duplicate_of LEFT JOIN finds e ON e.id = p.near_duplicate_of
WHERE p.n = ?"""
_FOUND = """
SELECT u.url, u.found_by, u.referrer_id, r.url FROM finds u LEFT JOIN finds r ON r.id = u.referrer_id WHERE u.id = ?"""
_TARGET = """
SELECT p.target_id, t.url FROM pages p JOIN finds t ON t.id = p.target_id WHERE p.url_id = ?"""


def page_row(con: sqlite3.Connection, n: int) -> PageRow | None:
    """Return a page by its number, or None if it has another one by now."""
    row = con.execute(_PAGE, (n,)).fetchone()
    if row is None:
        return None
    id, ending, url, host, status, mime, title, language, relevance, topic, depth, priority = row[:12]
    fetched_at, digest, reason, duplicate_of, near_duplicate_of, file, offset, length = row[12:]
    first, referrer = _chain_start(con, id)
    return PageRow(
        n=n,
        url=url if ending == Ending.REDIRECT else first,
        final_url=_chain_end(con, id, url) if ending == Ending.REDIRECT else url,
        host=host,
        status=status,
        mime=mime,
        title=title,
        language=language,
        relevance=relevance,
        topic=topic,
        depth=depth,
        priority=priority,
        referrer=referrer,
        fetched_at=fetched_at,
        digest=digest,
        ending=Ending(ending),
        reason=Reason(reason) if reason else None,
        duplicate_of=duplicate_of or "",
        near_duplicate_of=near_duplicate_of or "",
        spot=ArchiveSpot(file=file, offset=offset, length=length) if file is not None else None,
        topics=tuple(filter(None, (topic, *_further_topics(con, id)))) if relevance is not None else (),
    )


def _chain_start(con: sqlite3.Connection, id: int) -> tuple[str, str]:
    """Follow the redirects that first led to a URL back; return where they began, and what cites that."""
    url, kind, referrer_id, referrer = con.execute(_FOUND, (id,)).fetchone()
    for _ in range(CHAIN):
        if kind != LinkKind.REDIRECT or referrer_id is None:
            break
        url, kind, referrer_id, referrer = con.execute(_FOUND, (referrer_id,)).fetchone()
    return url, referrer or ""


def final_id(con: sqlite3.Connection, id: int) -> int:
    """Follow redirects from a URL, by id."""
    for _ in range(CHAIN):
        row = con.execute(_TARGET, (id,)).fetchone()
        if row is None:
            break
        id = int(row[0])
    return id


def _chain_end(con: sqlite3.Connection, id: int, url: str) -> str:
    """Follow redirects forward to where they end, as far as they were followed."""
    for _ in range(CHAIN):
        row = con.execute(_TARGET, (id,)).fetchone()
        if row is None:
            break
        id, url = row
    return url


def held_page(row: tuple[Any, ...]) -> HeldPage:
    """Return a row of `HELD` as a page for critics."""
    n, url, title, language, digest, packed, ending, example, relevance, topic, file, offset, length = row
    return HeldPage(
        n=n,
        url=url,
        title=title,
        language=language,
        digest=digest,
        terms=packed or b"",
        redirect=ending == Ending.REDIRECT,
        example=bool(example),
        relevance=relevance,
        topic=topic,
        spot=ArchiveSpot(file=file, offset=offset, length=length) if file is not None else None,
    )


def write_topics(con: sqlite3.Connection, judged: Sequence[tuple[int, Judgement]]) -> None:
    """Write the further topics of new pages, by the ids of their URLs."""
    rows = [
        (id, place, topic) for id, judgement in judged for place, topic in enumerate(further_topics(judgement), start=1)
    ]
    if rows:
        con.executemany("INSERT INTO page_topics VALUES (?, ?, ?)", rows)


def rewrite_topics(con: sqlite3.Connection, judged: Sequence[tuple[int, Judgement]]) -> None:
    """Write the further topics of pages that are judged again."""
    con.executemany("DELETE FROM page_topics WHERE url_id = ?", [(id,) for id, _ in judged])
    write_topics(con, judged)


def _further_topics(con: sqlite3.Connection, id: int) -> tuple[str, ...]:
    """Return the further topics of a page, the likeliest first."""
    rows = con.execute("SELECT topic FROM page_topics WHERE url_id = ? ORDER BY place", (id,))
    return tuple(topic for (topic,) in rows)
