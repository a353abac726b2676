"""The log of lessons in the database.

A lesson is two rows. `lessons` has what critic and apprentice say of a page; a new critic changes it. `lesson_pages`
has what the apprentice sees of the page; nothing changes it. Packing 50 links takes 18 µs and 890 bytes, unpacking 16
µs; deflate of the standard library took 43 µs for as many bytes.
"""

import sqlite3
from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

import msgspec
from isal import isal_zlib

from scenthound.store.rules import topics_of
from scenthound.store.sqlite.links import url_id
from scenthound.store.sqlite.state import State
from scenthound.store.sqlite.transaction import in_blocks
from scenthound.types import ArchiveSpot, Ending, Judgement, Lesson, LessonLink
from scenthound.types.reasons import ANSWERS

_INSERT = """
INSERT INTO lessons (n, url_id, relevance, topics, score, reasons) VALUES (?, ?, ?, ?, ?, ?)"""
_LAST = "SELECT coalesce(max(n), 0) FROM lessons"
_HAVE = "SELECT url_id FROM lessons WHERE url_id IN (MARKS)"
_INSERT_PAGE = "INSERT INTO lesson_pages VALUES (?, ?, ?)"
_SELECT = """
SELECT l.n, f.url, l.relevance, l.topics, l.score, l.reasons, p.packed, p.stream
FROM lessons l CROSS JOIN lesson_pages p ON p.n = l.n CROSS JOIN finds f ON f.id = l.url_id"""
_CORRECT = "UPDATE lessons SET relevance = ?, topics = ? WHERE url_id = ?"
# As `rules.gives_lesson` says.
_ANSWERS = ", ".join(f"'{reason}'" for reason in sorted(ANSWERS))
_TEACHES = f"""(p.ending IN ('page', 'redirect') OR p.ending = 'failed' AND p.counts
     AND (SELECT f.reason FROM finds f WHERE f.id = p.url_id) IN ({_ANSWERS}))"""
_IS_TEACHING = f"SELECT 1 FROM pages p WHERE p.url_id = ? AND {_TEACHES}"
_LACKS = f"{_TEACHES} AND NOT EXISTS (SELECT 1 FROM lessons l WHERE l.url_id = p.url_id)"
_FIRST_UNTAUGHT = f"SELECT p.n FROM pages p WHERE p.n > ? AND {_LACKS} ORDER BY p.n LIMIT 1"
_UNTAUGHT = f"""
SELECT u.id, u.url, p.ending, p.relevance, p.topic, NOT u.example OR p.promise IS NOT NULL,
       p.archive_file, p.archive_offset, p.archive_length, p.fingerprint
FROM pages p CROSS JOIN urls u ON u.id = p.url_id WHERE p.n > ? AND {_LACKS} ORDER BY p.n LIMIT ?"""
_LINKS = """
SELECT u.url, k.first_leaf, k.last_leaf FROM links k CROSS JOIN urls u ON u.id = k.dst
WHERE k.src = :page AND NOT (k.nofollow AND :nofollow) AND (u.state <> 'refused' OR u.reason = 'off-topic')
ORDER BY k.position"""

Links = tuple[LessonLink, ...]


class Seen(NamedTuple):
    """What a lesson says of the page, without its words."""

    redirect: bool
    followed: bool
    links: Links
    failed: bool = False  # databases from before failures taught anything do not have it
    fingerprint: int | None = None  # nor those from before pages were compared


_LEVEL: Final = 1
_encode: Final = msgspec.msgpack.Encoder().encode
_decode: Final = msgspec.msgpack.Decoder(Seen).decode
_encode_topics: Final = msgspec.json.Encoder().encode
_decode_topics: Final = msgspec.json.Decoder(tuple[str, ...]).decode


class SqliteLessons(State):
    """Verbs about lessons."""

    def lessons(self, *, after: int = 0, limit: int) -> list[Lesson]:
        with self._session.errors():
            rows = self._session.con.execute(f"{_SELECT} WHERE l.n > ? ORDER BY l.n LIMIT ?", (after, limit))
            return [_lesson(row) for row in rows]

    def last_lesson(self) -> int:
        with self._session.errors():
            return int(self._session.con.execute("SELECT coalesce(max(n), 0) FROM lessons").fetchone()[0])

    def lesson(self, url: str) -> Lesson | None:
        with self._session.snapshot() as con:
            row = con.execute(f"{_SELECT} WHERE l.url_id = ?", (url_id(con, url),)).fetchone()
        return _lesson(row) if row else None

    def untaught(self, *, limit: int, nofollow: bool = True) -> list[tuple[Lesson, ArchiveSpot | None]]:
        with self._session.snapshot() as con:
            self._taught = taught(con, self._taught)
            return untaught(con, self._taught, limit, nofollow=nofollow)

    def teach(self, lessons: Sequence[Lesson]) -> None:
        with self._session.transaction(durable=True) as con:
            teach(con, lessons)
        self._session.turn_log()


def pack(lesson: Lesson) -> bytes:
    """Pack what a lesson says of the page, without its words.

    >>> lesson = Lesson(url="http://a.test/", links=(LessonLink("http://b.test/", 3, 4),))
    >>> unpack(pack(lesson)) == Seen(False, True, lesson.links)
    True
    """
    return isal_zlib.compress(_encode(_seen(lesson)), _LEVEL)


def _seen(lesson: Lesson) -> Seen:
    return Seen(lesson.redirect, lesson.followed, lesson.links, lesson.failed, lesson.fingerprint)


def unpack(packed: bytes) -> Seen:
    """Undo `pack`, also of what an earlier version packed.

    >>> before = isal_zlib.compress(_encode((False, True, [("http://b.test/", 3, 4)])), _LEVEL)
    >>> unpack(before).failed, unpack(before).fingerprint
    (False, None)
    """
    return _decode(isal_zlib.decompress(packed))


def write(con: sqlite3.Connection, lessons: Iterable[tuple[int, Lesson]]) -> None:
    """Append lessons to the log by the ids of their URLs; skip URLs that have one."""
    new: dict[int, Lesson] = {}
    for id, lesson in lessons:
        new.setdefault(id, lesson)
    for (id,) in in_blocks(con, _HAVE, list(new)):
        del new[id]
    if not new:
        return
    last = int(con.execute(_LAST).fetchone()[0])
    numbered = [(last + place, id, lesson) for place, (id, lesson) in enumerate(new.items(), 1)]
    con.executemany(
        _INSERT,
        [(n, id, one.relevance, _topics(one.topics), one.score, one.reasons) for n, id, one in numbered],
    )
    con.executemany(_INSERT_PAGE, [(n, pack(one), one.stream) for n, _, one in numbered])


def teach(con: sqlite3.Connection, lessons: Iterable[Lesson]) -> None:
    """Append lessons of outcomes recorded earlier."""
    known = ((url_id(con, lesson.url), lesson) for lesson in lessons)
    write(con, [(id, lesson) for id, lesson in known if id and con.execute(_IS_TEACHING, (id,)).fetchone()])


def correct(con: sqlite3.Connection, judgements: Sequence[tuple[int, Judgement]]) -> None:
    """Correct the lessons of pages, by the ids of their URLs, after a new judgement."""
    con.executemany(_CORRECT, [(new.worth, _topics(topics_of(new)), id) for id, new in judgements])


def taught(con: sqlite3.Connection, since: int) -> int:
    """Return the number of a page up to which all pages have lessons, starting from one that is known.

    Lessons stay and page numbers only grow, so this never falls: each piece of a long catch-up skips the pages before.
    """
    first = con.execute(_FIRST_UNTAUGHT, (since,)).fetchone()
    if first:
        return int(first[0]) - 1
    return int(con.execute("SELECT coalesce(max(n), 0) FROM pages").fetchone()[0])


def untaught(
    con: sqlite3.Connection, after: int, limit: int, *, nofollow: bool
) -> list[tuple[Lesson, ArchiveSpot | None]]:
    """Return the missing lessons of pages with n > `after`."""
    found = []
    for row in con.execute(_UNTAUGHT, (after, limit)):
        id, url, ending, relevance, topic, followed, file, offset, length, fingerprint = row
        spot = None if file is None else ArchiveSpot(file=file, offset=offset, length=length)
        if ending == Ending.FAILED:
            found.append((Lesson(url=url, relevance=0.0, failed=True), spot))
            continue
        lesson = Lesson(
            url=url,
            relevance=relevance,
            topics=(topic,) if relevance is not None and topic else (),
            redirect=ending == Ending.REDIRECT,
            followed=bool(followed),
            links=_links(con, id, nofollow),
            fingerprint=fingerprint,
        )
        found.append((lesson, spot))
    return found


def _links(con: sqlite3.Connection, page: int, nofollow: bool) -> Links:
    links: dict[str, LessonLink] = {}
    for url, first_leaf, last_leaf in con.execute(_LINKS, {"page": page, "nofollow": nofollow}):
        links.setdefault(url, LessonLink(url, first_leaf, last_leaf))
    return tuple(links.values())


def _lesson(row: tuple[Any, ...]) -> Lesson:
    n, url, relevance, topics, score, reasons, packed, stream = row
    seen = unpack(packed)
    return Lesson(
        n=n,
        url=url,
        relevance=relevance,
        topics=_decode_topics(topics),
        redirect=seen.redirect,
        failed=seen.failed,
        followed=seen.followed,
        links=seen.links,
        stream=stream,
        fingerprint=seen.fingerprint,
        score=score,
        reasons=reasons,
    )


def _topics(topics: tuple[str, ...]) -> str:
    return _encode_topics(topics).decode()
