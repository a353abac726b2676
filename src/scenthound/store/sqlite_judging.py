"""Pages as critics see them, and what new judgements do to the frontier; the answers are those of `memory_judging`.

Judging again reads each page's citing pages by the index links_dst. Rescoring looks at every URL that waits or was
refused as off topic, once after the critic or the good topics have changed.
"""

import json
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from scenthound.store.base import Stand
from scenthound.store.rules import GRAIN, Hope, UrlState, evenly
from scenthound.store.sqlite_lessons import correct
from scenthound.store.sqlite_links import hope_columns
from scenthound.store.sqlite_rows import final_id
from scenthound.store.sqlite_views import url_id
from scenthound.store.sqlite_work import NUMBER, Work
from scenthound.types import ArchiveSpot, CriticRecord, Ending, HeldPage, Judgement, Reason, Standing, TopicCount

_HELD = """
SELECT p.n, u.url, p.title, p.language, p.digest, t.packed, p.ending, u.example, p.relevance, p.topic,
       p.archive_file, p.archive_offset, p.archive_length
FROM pages p CROSS JOIN urls u ON u.id = p.url_id LEFT JOIN terms t ON t.url_id = p.url_id"""
_CRITICS = "SELECT version, kind, model, lessons, good, trained_at, said FROM critics"
_DISTINCT = """
FROM pages p JOIN terms t ON t.url_id = p.url_id
WHERE p.ending = 'page' AND p.duplicate_of IS NULL AND p.near_duplicate_of IS NULL"""
_TO_JUDGE = f"""
{_HELD} WHERE p.n > ? AND p.critic <> ? AND p.ending IN ('page', 'redirect') ORDER BY p.n LIMIT ?"""
# The page fetched earlier that promises most of a URL; to an example only a redirect leads.
_LED_BY = """
SELECT q.promise, q.tunnel, q.topic FROM links l JOIN pages q ON q.url_id = l.src
WHERE l.dst = :url AND q.n < :n AND q.promise IS NOT NULL AND (NOT :example OR l.kind = 'redirect')
ORDER BY q.promise DESC, q.n LIMIT 1"""
_NEXT_TO = """
SELECT p.n FROM (SELECT dst AS id FROM links WHERE src = :url UNION SELECT src FROM links WHERE dst = :url) near
CROSS JOIN pages p ON p.url_id = near.id CROSS JOIN urls u ON u.id = near.id WHERE p.ending = 'page' AND NOT u.example"""
_UNASKED = """
SELECT u.url FROM links l CROSS JOIN urls u ON u.id = l.dst LEFT JOIN pages p ON p.url_id = u.id
WHERE l.src = ? AND u.state IN ('waiting', 'refused') AND p.n IS NULL ORDER BY l.position"""
_REJUDGE = """
UPDATE pages SET relevance = coalesce(?, relevance), topic = ?, critic = ?, promise = ?, tunnel = ? WHERE n = ?"""
AT_ONCE = 20_000  # URLs that are moved together: a million of them at once took 450 MB
# Every URL that judgements move, with the page that now promises most of it, in portions.
_MOVABLE = """
SELECT u.id, u.host_id, u.key, u.state, u.priority, s.promise, s.cited, s.citing, u.via_id, b.url_id, b.promise,
    (SELECT total(CAST(coalesce(q.relevance, q.promise) / :grain + 0.5 AS INTEGER) * :grain) FROM pages q
        WHERE q.promise IS NOT NULL AND q.url_id IN (
        SELECT src FROM links WHERE dst = u.id AND NOT (nofollow AND :nofollow))),
    (SELECT count(*) FROM pages q WHERE q.promise IS NOT NULL AND q.url_id IN (
        SELECT src FROM links WHERE dst = u.id AND NOT (nofollow AND :nofollow)))
FROM urls u CROSS JOIN standings s ON s.host_id = u.host_id AND s.key = u.key LEFT JOIN pages b ON b.n = (
    SELECT q.n FROM links l JOIN pages q ON q.url_id = l.src
    WHERE l.dst = u.id AND q.promise IS NOT NULL AND NOT (l.nofollow AND :nofollow)
    ORDER BY q.promise DESC, q.n LIMIT 1)
WHERE (u.state = 'waiting' OR (u.state = 'refused' AND u.reason = 'off-topic')) AND NOT u.example AND NOT u.fetched_before
AND u.found_by NOT IN ('seed', 'backward') AND u.id > :after ORDER BY u.id LIMIT :most"""
_MOVE = """
UPDATE standings SET state = ?, via_id = ?, priority = ?, promise = ?, cited = ?, citing = ? WHERE host_id = ? AND key = ?"""
_SAY_WHY = "UPDATE finds SET reason = ?1, detail = CASE WHEN ?1 IS NULL THEN NULL ELSE '' END WHERE id = ?2"
_COUNT = "SELECT count(*) FROM standings WHERE host_id = ? AND state = 0"
# In fetch order, as other stores add up: sums of floating numbers depend on it, and the index on relevance has another.
_TOPICS = """
SELECT topic, count(*), total(relevance) FROM pages NOT INDEXED
WHERE ending = 'page' AND counts AND relevance IS NOT NULL GROUP BY topic"""


def critic(con: sqlite3.Connection) -> CriticRecord | None:
    """Return the critic engaged last."""
    row = con.execute(f"{_CRITICS} ORDER BY version DESC LIMIT 1").fetchone()
    return None if row is None else _record(row)


def critics(con: sqlite3.Connection) -> list[CriticRecord]:
    """Return all critics, the first one first."""
    return [_record(row) for row in con.execute(f"{_CRITICS} ORDER BY version")]


def _record(row: tuple[Any, ...]) -> CriticRecord:
    version, kind, model, lessons, good, trained_at, said = row
    return CriticRecord(
        version=version,
        kind=kind,
        model=model,
        lessons=lessons,
        good=tuple(json.loads(good)),
        trained_at=trained_at,
        said=said,
    )


def engage(con: sqlite3.Connection, record: CriticRecord) -> None:
    """Remember a critic."""
    con.execute(
        "INSERT OR REPLACE INTO critics VALUES (?, ?, ?, ?, ?, ?, ?)",
        (
            record.version, record.kind, record.model, record.lessons, json.dumps(record.good, ensure_ascii=False),
            record.trained_at, record.said,
        ),
    )  # fmt: skip


def held(con: sqlite3.Connection, urls: Sequence[str]) -> dict[str, HeldPage]:
    """Return the pages that addresses led to."""
    found = {}
    for url in urls:
        id = url_id(con, url)
        row = con.execute(f"{_HELD} WHERE p.url_id = ?", (final_id(con, id),)).fetchone() if id is not None else None
        if row and row[6] == Ending.PAGE:
            found[url] = _held(row)
    return found


def neighbours(con: sqlite3.Connection, urls: Sequence[str], limit: int) -> list[HeldPage]:
    """Return pages one link away, either way."""
    centre = list(_ends(con, urls))
    found = {n for id in centre for (n,) in con.execute(_NEXT_TO, {"url": id})}
    own = {n for id in centre for (n,) in con.execute("SELECT n FROM pages WHERE url_id = ?", (id,))}
    chosen = sorted(found - own)[:limit]
    return [_held(con.execute(f"{_HELD} WHERE p.n = ?", (n,)).fetchone()) for n in chosen]


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
    rows = (con.execute(f"{_HELD} WHERE p.n = ?", (n,)).fetchone() for n in evenly(numbers, limit))
    return [_held(row) for row in rows]


def distinct_pages(con: sqlite3.Connection) -> int:
    """Count the pages that repeat no other."""
    return int(con.execute(f"SELECT count(*) {_DISTINCT}").fetchone()[0])


def to_judge(con: sqlite3.Connection, critic: int, after: int, limit: int) -> list[HeldPage]:
    """Return the next pages and redirects that this critic has not judged."""
    return [_held(row) for row in con.execute(_TO_JUDGE, (after, critic, limit))]


def rejudge(work: Work, verdicts: Sequence[tuple[HeldPage, Judgement | None]], critic: int, stand: Stand) -> None:
    """Write judgements in fetch order, each standing on what was written before it."""
    said: list[tuple[int, Judgement]] = []
    for page, judgement in sorted(verdicts, key=lambda pair: pair[0].n):
        row = work.con.execute("SELECT url_id, counts, relevance FROM pages WHERE n = ?", (page.n,)).fetchone()
        if row is None:
            continue
        id, counts, before = row
        standing = stand(page, judgement, _led_by(work.con, id, page))
        relevance, topic = (judgement.relevance, judgement.topic) if judgement else (None, standing.topic)
        work.con.execute(_REJUDGE, (relevance, topic, critic, standing.promise, standing.tunnel, page.n))
        if judgement:
            said.append((id, judgement))
        if counts and relevance is not None:
            work.counts["judged"] += before is None
            work.counts["relevance_sum"] += relevance - (before or 0.0)
    correct(work.con, said)
    work.finish_counts()


def _led_by(con: sqlite3.Connection, id: int, page: HeldPage) -> Standing | None:
    row = con.execute(_LED_BY, {"url": id, "n": page.n, "example": page.example}).fetchone()
    return Standing(promise=row[0], tunnel=row[1], topic=row[2]) if row else None


def rescore(work: Work, *, by_promise: bool, blend: bool, nofollow: bool) -> int:
    """Let the frontier follow the standings of its pages."""
    asked, moved, hosts = {"nofollow": nofollow, "grain": GRAIN, "after": 0, "most": AT_ONCE}, 0, set[int]()
    while rows := work.con.execute(_MOVABLE, asked).fetchall():
        asked["after"] = rows[-1][0]
        moves = [move for move in _moves(rows, by_promise, blend) if move.differs]
        _write(work, moves)
        moved += len(moves)
        hosts |= {one.place[0] for one in moves}
    for host_id in hosts:
        _count_again(work, host_id)
    work.finish()
    return moved


@dataclass(frozen=True, slots=True, kw_only=True)
class _Move:
    """What becomes of a URL, and whether that is anything new."""

    id: int
    place: tuple[int, int]
    was: UrlState
    state: UrlState
    hope: Hope
    via: int | None
    differs: bool


def _write(work: Work, moves: Sequence[_Move]) -> None:
    work.con.executemany(_MOVE, [(NUMBER[one.state], one.via, *hope_columns(one.hope), *one.place) for one in moves])
    turned = [one for one in moves if one.state != one.was]
    work.con.executemany(_SAY_WHY, [(_reason(one.state), one.id) for one in turned])
    for one in turned:
        work.counts[f"url:{one.was}"] -= 1
        work.counts[f"url:{one.state}"] += 1
        work.counts[f"reason:{Reason.OFF_TOPIC}"] += 1 if one.state is UrlState.REFUSED else -1


def _moves(rows: Sequence[tuple[Any, ...]], by_promise: bool, blend: bool) -> Iterator[_Move]:
    for id, host_id, key, state, priority, promise, cited, citing, via, best, most, total, count in rows:
        old = Hope(priority if promise is None else promise, cited, citing)
        new, hope = (UrlState.REFUSED, via), old
        if best is not None:
            new = (UrlState.WAITING, best)
            hope = (Hope(most, total, count) if blend else Hope(most)) if by_promise else old
        yield _Move(
            id=id,
            place=(host_id, key),
            was=UrlState(state),
            state=new[0],
            hope=hope,
            via=new[1],
            differs=(*new, hope) != (state, via, old),
        )


def _reason(state: UrlState) -> str | None:
    return Reason.OFF_TOPIC.value if state is UrlState.REFUSED else None


def _count_again(work: Work, host_id: int) -> None:
    """Bring a host's queue up to date after its URLs were moved behind its back."""
    host = work.host(host_id)
    host.waiting = int(work.con.execute(_COUNT, (host_id,)).fetchone()[0])
    work.seek_best(host)


def topic_counts(con: sqlite3.Connection) -> dict[str, TopicCount]:
    """Count judged pages by topic."""
    return {topic: TopicCount(pages=pages, relevance=total) for topic, pages, total in con.execute(_TOPICS)}


def _held(row: tuple[Any, ...]) -> HeldPage:
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
