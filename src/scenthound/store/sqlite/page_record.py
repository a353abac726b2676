"""Writing the row of a page, redirect or failure, and finding the earlier page that it repeats.

Sameness is by content digest, by declared canonical address, and nearly, by fingerprints that differ in at
most three bits (Manku, Jain and Das Sarma, "Detecting near-duplicates for web crawling", WWW 2007).
"""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, field

from scenthound.store.rules import FINAL, NEAR, WHOLE_HOST, bands, distance
from scenthound.store.sqlite.cache.host_rows import Host
from scenthound.store.sqlite.links import clean
from scenthound.store.sqlite.rows import write_topics
from scenthound.store.sqlite.transaction import Work, in_blocks
from scenthound.types import Ending, Fetch, Judgement, Outcome, Reading

# Fingerprints compared in each of four bands. A million novel pages put 15 into a band on average; the bound
# only matters for text that many pages share without being near-duplicates, and then misses some of them.
CANDIDATES = 500

_INSERT = f"INSERT INTO pages VALUES ({', '.join('?' * 31)})"
_OLD = """
SELECT url_id, n, ending, counts, relevance, duplicate_of IS NOT NULL, near_duplicate_of IS NOT NULL, fingerprint
FROM pages WHERE url_id IN (MARKS)"""
_KEEP = """
UPDATE pages SET fetched_at = ?, etag = coalesce(?, etag), last_modified = coalesce(?, last_modified) WHERE n = ?"""
_SAME_DIGEST = """
SELECT digest, url_id FROM pages WHERE ending = 'page' AND digest <> '' AND digest IN (MARKS) ORDER BY n DESC"""
_SAME_CANONICAL = """
SELECT url_id FROM (
    SELECT n, url_id FROM pages WHERE ending = 'page' AND url_id = ?1
    UNION ALL
    SELECT n, url_id FROM pages WHERE ending = 'page' AND canonical_id IS NOT NULL AND canonical_id = ?1
) same ORDER BY n LIMIT 1"""
# All four bands of a page, or of several, in one statement: a statement costs more than what it finds.
_BAND = "SELECT * FROM (SELECT band, n, fingerprint FROM bands WHERE band = ? ORDER BY n LIMIT ?) band"
_TOGETHER = 8
_BANDS = {pages: " UNION ALL ".join([_BAND] * 4 * pages) for pages in (1, _TOGETHER)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """The number of a page's row, the URLs that it repeats, and what became of an earlier row."""

    n: int
    duplicate_of: str | None = None
    near_duplicate_of: str | None = None
    replaced: bool = False
    kept: bool = False


@dataclass(frozen=True, slots=True)
class Old:
    """The row of an earlier visit to the same URL."""

    n: int
    ending: str
    counts: int
    relevance: float | None
    duplicate: int
    near: int
    fingerprint: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Sameness:
    """The ids of the declared canonical URL and of the URLs that a page repeats."""

    canonical: int | None = None
    duplicate: int | None = None
    near: int | None = None

    @property
    def novel(self) -> bool:
        return self.duplicate is None and self.near is None


@dataclass(slots=True)
class Earlier:
    """What a batch must know of earlier pages: rows of the same URLs, and the first page with each content.

    Rows that only this batch looks at are kept here and written at its end.
    """

    rows: dict[int, Old]
    first: dict[str, int]
    stored: dict[int, list[tuple[int, int]]]  # pages in the database by band, of bands that were looked up
    bands: dict[int, list[tuple[int, int]]] = field(default_factory=dict)
    pages: list[tuple[object, ...]] = field(default_factory=list)
    terms: list[tuple[int, bytes]] = field(default_factory=list)
    judged: list[tuple[int, Judgement]] = field(default_factory=list)

    def write(self, con: sqlite3.Connection) -> None:
        """Write what is kept; the bands of this batch stay in mind."""
        con.executemany(_INSERT, self.pages)
        con.executemany("INSERT INTO terms VALUES (?, ?)", self.terms)
        write_topics(con, self.judged)
        rows = [(band, n, mark) for band, entries in self.bands.items() for n, mark in entries]
        con.executemany("INSERT INTO bands VALUES (?, ?, ?)", rows)
        for band, n, mark in rows:
            if band in self.stored:
                self.stored[band].append((n, mark))
        self.pages, self.terms, self.judged, self.bands = [], [], [], {}


def earlier(con: sqlite3.Connection, outcomes: Sequence[Outcome]) -> Earlier:
    """Look up what is known of the pages of a batch, many at a time."""
    ids = [outcome.claim.id for outcome in outcomes if outcome.ending in FINAL]
    rows = {id: Old(*row) for id, *row in in_blocks(con, _OLD, ids)}
    first = _first_with(con, [one.reading.digest for one in outcomes if one.reading])
    read = [one.reading for one in outcomes if one.reading and one.ending is Ending.PAGE]
    marks = [page.fingerprint for page in read if page.fingerprint is not None and page.digest not in first]
    return Earlier(rows=rows, first=first, stored=_in_bands(con, marks))


def _in_bands(con: sqlite3.Connection, fingerprints: Sequence[int]) -> dict[int, list[tuple[int, int]]]:
    """Return the earliest pages in all bands of fingerprints."""
    wanted = list(dict.fromkeys(band for mark in fingerprints for band in bands(mark)))
    found: dict[int, list[tuple[int, int]]] = {band: [] for band in wanted}
    while wanted:
        pages = 1 if len(wanted) <= 4 else _TOGETHER
        block, wanted = wanted[: 4 * pages], wanted[4 * pages :]
        asked = [*block, *[None] * (4 * pages - len(block))]
        for band, n, mark in con.execute(_BANDS[pages], [part for one in asked for part in (one, CANDIDATES)]):
            found[band].append((n, mark))
    return found


def _first_with(con: sqlite3.Connection, digests: Sequence[str]) -> dict[str, int]:
    """Return the URL of the first page with each content; of many the first comes last, and stays."""
    return dict(in_blocks(con, _SAME_DIGEST, list(dict.fromkeys(filter(None, digests)))))


def write_page(
    work: Work, host: Host, outcome: Outcome, ids: dict[str, int], before: Earlier, *, again: bool
) -> Written:
    """Write the row of a final outcome; `again` when it is a page that was visited before."""
    old = before.rows.get(outcome.claim.id)
    if old and again and outcome.ending in (Ending.UNCHANGED, Ending.FAILED):
        return _keep(work.con, old.n, outcome)
    n = work.next_page()
    if old:
        before.write(work.con)
        _forget(work, old)
        before.stored = {}
        before.first = _first_with(work.con, list(before.first) + ([outcome.reading.digest] if outcome.reading else []))
    same = Sameness()
    if outcome.ending is Ending.PAGE:
        same = _compare(work.con, host, outcome, ids, before)
        _count_page(work, outcome, same)
        if not again and outcome.shape:
            for shape in (outcome.shape, WHOLE_HOST):
                work.count_shape(host, shape, novel=same.novel)
        if same.novel and outcome.reading and outcome.reading.fingerprint is not None:
            fingerprint = outcome.reading.fingerprint
            for band in bands(fingerprint):
                before.bands.setdefault(band, []).append((n, fingerprint))
        if outcome.reading and outcome.reading.digest:
            before.first.setdefault(outcome.reading.digest, outcome.claim.id)
    before.pages.append(_row(outcome, n, same, _target(outcome, ids)))
    if outcome.reading and outcome.reading.terms:
        before.terms.append((outcome.claim.id, outcome.reading.terms))
    if outcome.judgement:
        before.judged.append((outcome.claim.id, outcome.judgement))
    return Written(
        n=n,
        duplicate_of=_url(work.con, same.duplicate),
        near_duplicate_of=_url(work.con, same.near),
        replaced=old is not None,
    )


def _keep(con: sqlite3.Connection, n: int, outcome: Outcome) -> Written:
    """Leave the row of a page as it is, but for when it was seen unchanged, and say again what it repeats."""
    fetch = outcome.fetch
    if outcome.ending is Ending.UNCHANGED and fetch:
        con.execute(_KEEP, (outcome.finished, fetch.etag or None, fetch.last_modified or None, n))
    duplicate, near = con.execute("SELECT duplicate_of, near_duplicate_of FROM pages WHERE n = ?", (n,)).fetchone()
    return Written(n=n, duplicate_of=_url(con, duplicate), near_duplicate_of=_url(con, near), kept=True)


def _forget(work: Work, old: Old) -> None:
    """Take back what an earlier visit of the same URL has counted for, and its row."""
    n, fingerprint = old.n, old.fingerprint
    if old.ending == Ending.PAGE:
        work.counts["duplicates"] -= old.duplicate
        work.counts["near_duplicates"] -= old.near
        if old.counts and old.relevance is not None:
            work.counts["judged"] -= 1
            work.counts["relevance_sum"] -= old.relevance
    if fingerprint is not None:
        work.con.executemany("DELETE FROM bands WHERE band = ? AND n = ?", [(band, n) for band in bands(fingerprint)])
    for table in ("terms", "page_topics"):
        work.con.execute(f"DELETE FROM {table} WHERE url_id = (SELECT url_id FROM pages WHERE n = ?)", (n,))
    work.con.execute("DELETE FROM pages WHERE n = ?", (n,))


def _count_page(work: Work, outcome: Outcome, same: Sameness) -> None:
    work.counts["duplicates"] += same.duplicate is not None
    work.counts["near_duplicates"] += same.near is not None
    if not outcome.counts:
        return
    if outcome.judgement:
        work.counts["judged"] += 1
        work.counts["relevance_sum"] += outcome.judgement.relevance


def _compare(con: sqlite3.Connection, host: Host, outcome: Outcome, ids: dict[str, int], before: Earlier) -> Sameness:
    if outcome.reading is None:
        return Sameness()
    canonical = _canonical(host, outcome, ids)
    same = before.first.get(outcome.reading.digest)
    if same is None and canonical is not None:
        before.write(con)
        row = con.execute(_SAME_CANONICAL, (canonical,)).fetchone()
        same = row[0] if row else None
    if same is not None:
        return Sameness(canonical=canonical, duplicate=same)
    return Sameness(canonical=canonical, near=_nearest(con, outcome.reading.fingerprint, before))


def _canonical(host: Host, outcome: Outcome, ids: dict[str, int]) -> int | None:
    """Return the id of the declared canonical address, unless it lies on another registered domain."""
    wanted = outcome.reading.canonical if outcome.reading else ""
    if wanted == outcome.claim.url:
        return outcome.claim.id
    on_domain = any(found.link.url == wanted and found.domain == host.domain for found in outcome.discoveries)
    return ids[wanted] if on_domain else None


def _nearest(con: sqlite3.Connection, fingerprint: int | None, before: Earlier) -> int | None:
    """Return the URL of the earliest novel page whose fingerprint differs in at most three bits."""
    if fingerprint is None:
        return None
    own = bands(fingerprint)
    stored = before.stored if all(band in before.stored for band in own) else _in_bands(con, [fingerprint])
    kept = [entry for band in own for entry in before.bands.get(band, ())]
    known = [entry for band in own for entry in stored[band][:CANDIDATES]]
    near = [n for n, other in (*known, *kept) if distance(fingerprint, other) <= NEAR]
    if not near:
        return None
    if min(near) >= min((n for n, _ in kept), default=min(near) + 1):
        before.write(con)
    return int(con.execute("SELECT url_id FROM pages WHERE n = ?", (min(near),)).fetchone()[0])


def _target(outcome: Outcome, ids: dict[str, int]) -> int | None:
    if outcome.ending is not Ending.REDIRECT or not outcome.discoveries:
        return None
    return ids[outcome.discoveries[0].link.url]


def _url(con: sqlite3.Connection, id: int | None) -> str | None:
    return None if id is None else str(con.execute("SELECT url FROM finds WHERE id = ?", (id,)).fetchone()[0])


_NO_READING = Reading()
_NO_FETCH = Fetch(url="", started=0.0, finished=0.0)


def _row(outcome: Outcome, n: int, same: Sameness, target: int | None) -> tuple[object, ...]:
    read, fetch = outcome.reading or _NO_READING, outcome.fetch or _NO_FETCH
    judged, standing, spot = outcome.judgement, outcome.standing, outcome.spot
    topic = judged.topic if judged else standing.topic if standing else ""
    return (
        n, outcome.claim.id, outcome.ending.value, 1 if outcome.counts else 0, fetch.status,
        read.mime or fetch.mime, read.charset or fetch.charset, clean(read.title), read.language, read.words,
        judged.relevance if judged else None, topic,
        judged.critic if judged else 0, standing.promise if standing else None, standing.tunnel if standing else None,
        read.digest, read.payload, read.fingerprint, same.canonical, same.duplicate, same.near, target,
        outcome.finished, fetch.started, fetch.seconds, len(fetch.body), fetch.etag, fetch.last_modified,
        spot.file if spot else None, spot.offset if spot else None, spot.length if spot else None,
    )  # fmt: skip
