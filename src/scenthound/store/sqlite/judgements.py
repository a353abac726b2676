"""Critics and judgements in the database.

To judge a page again, the pages that cite it are read by the index links_dst.
"""

import json
import sqlite3
from collections.abc import Sequence
from typing import Any

from scenthound.store.base import Stand
from scenthound.store.sqlite.lessons import correct
from scenthound.store.sqlite.rows import HELD, held_page, rewrite_topics
from scenthound.store.sqlite.state import State
from scenthound.store.sqlite.transaction import Work
from scenthound.types import CriticRecord, HeldPage, Judgement, Standing, TopicCount

_CRITICS = "SELECT version, kind, model, lessons, good, trained_at, said FROM critics"
_ENGAGE = """
INSERT INTO critics VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT (version) DO UPDATE SET
kind = ?2, model = ?3, lessons = ?4, good = ?5, trained_at = ?6, said = ?7"""
_TO_JUDGE = f"""
{HELD} WHERE p.n > ? AND p.critic <> ? AND p.ending IN ('page', 'redirect') ORDER BY p.n LIMIT ?"""
# The page fetched earlier that promises most of a URL; to an example only a redirect leads.
_LED_BY = """
SELECT q.promise, q.tunnel, q.topic FROM links l JOIN pages q ON q.url_id = l.src
WHERE l.dst = :url AND q.n < :n AND q.promise IS NOT NULL AND (NOT :example OR l.kind = 'redirect')
ORDER BY q.promise DESC, q.n LIMIT 1"""
_REJUDGE = """
UPDATE pages SET relevance = coalesce(?, relevance), topic = ?, critic = ?, promise = ?, tunnel = ? WHERE n = ?"""
# In fetch order, as other stores add up: sums of floating numbers depend on it, and the index on relevance has another.
_TOPICS = """
SELECT topic, count(*), total(relevance) FROM (
    SELECT topic, relevance FROM pages NOT INDEXED
    WHERE ending = 'page' AND counts AND relevance IS NOT NULL ORDER BY n) judged
GROUP BY topic"""


class SqliteJudgements(State):
    """Verbs about critics and judged pages."""

    def critic(self) -> CriticRecord | None:
        with self._session.errors():
            row = self._session.con.execute(f"{_CRITICS} ORDER BY version DESC LIMIT 1").fetchone()
        return None if row is None else _record(row)

    def critics(self) -> list[CriticRecord]:
        with self._session.errors():
            return [_record(row) for row in self._session.con.execute(f"{_CRITICS} ORDER BY version")]

    def engage(self, record: CriticRecord) -> None:
        with self._session.transaction(durable=True) as con:
            engage(con, record)

    def to_judge(self, *, critic: int, after: int = 0, limit: int) -> list[HeldPage]:
        with self._session.errors():
            return [held_page(row) for row in self._session.con.execute(_TO_JUDGE, (after, critic, limit))]

    def rejudge(self, verdicts: Sequence[tuple[HeldPage, Judgement | None]], *, critic: int, stand: Stand) -> None:
        with self._work(0.0, durable=True) as work:
            rejudge(work, verdicts, critic, stand)
        self._session.turn_log()

    def topic_counts(self) -> dict[str, TopicCount]:
        with self._session.errors():
            rows = self._session.con.execute(_TOPICS)
            return {topic: TopicCount(pages=pages, relevance=total) for topic, pages, total in rows}


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
    """Store a critic."""
    con.execute(
        _ENGAGE,
        (
            record.version, record.kind, record.model, record.lessons, json.dumps(record.good, ensure_ascii=False),
            record.trained_at, record.said,
        ),
    )  # fmt: skip


def rejudge(work: Work, verdicts: Sequence[tuple[HeldPage, Judgement | None]], critic: int, stand: Stand) -> None:
    """Write judgements in fetch order: each depends on those before it."""
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
    rewrite_topics(work.con, said)
    work.finish_counts()


def _led_by(con: sqlite3.Connection, id: int, page: HeldPage) -> Standing | None:
    row = con.execute(_LED_BY, {"url": id, "n": page.n, "example": page.example}).fetchone()
    return Standing(promise=row[0], tunnel=row[1], topic=row[2]) if row else None
