"""SingleProbe: judges one page at one inner topic, with an index lookup for each of its terms (RELATIONAL fig. 2).

The lookups go to STAT, with a row for each topic of a term, or to BLOB, with one record for all of them. Keyword
indexes work like this. It is here for comparison: BulkProbe gives the same in a fraction of the time.
"""

import math
import sqlite3
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from scenthound.judge.probe.relations import KID, ROOT
from scenthound.store.sqlite.queries.probe import (
    BRANCHES,
    CHILDREN,
    INSERT_JUDGED,
    PROBE_BLOB,
    PROBE_STAT,
    TERMS_OF_PAGE,
)


class Records(StrEnum):
    """The table with the statistics of a term."""

    STAT = "STAT"
    BLOB = "BLOB"


@dataclass(frozen=True, slots=True, kw_only=True)
class Children:
    """An inner topic c0: its children with denominators and priors. The paper too keeps these in memory."""

    c0: int
    temperature: float
    warming: float
    logdenom: Mapping[int, float]
    prior: Mapping[int, float]


Probe = Callable[[sqlite3.Connection, int, int], Iterable[tuple[int, float]]]


def probe_stat(con: sqlite3.Connection, c0: int, tid: int) -> Iterable[tuple[int, float]]:
    """PROBE STAT with the key (c0, t): nothing if t is not in F(c0)."""
    return con.execute(PROBE_STAT, (c0, tid)).fetchall()


def probe_blob(con: sqlite3.Connection, c0: int, tid: int) -> Iterable[tuple[int, float]]:
    """PROBE BLOB with the key (c0, t): nothing if t is not in F(c0)."""
    row = con.execute(PROBE_BLOB, (c0, tid)).fetchone()
    return KID.iter_unpack(row[0]) if row else ()


PROBES: Mapping[Records, Probe] = {Records.STAT: probe_stat, Records.BLOB: probe_blob}


def children(con: sqlite3.Connection) -> list[Children]:
    """Return all inner topics, parents first."""
    found = []
    for c0, temperature, warming in con.execute(BRANCHES).fetchall():
        rows = con.execute(CHILDREN, (c0,)).fetchall()
        logdenom = {kcid: denominator for kcid, denominator, _ in rows}
        prior = {kcid: prior for kcid, _, prior in rows}
        found.append(Children(c0=c0, temperature=temperature, warming=warming, logdenom=logdenom, prior=prior))
    return found


def single_probe_all(con: sqlite3.Connection, did: int, tree: Iterable[Children], records: Records) -> None:
    """Judge one page at all inner topics, from the root down, and write the probabilities to JUDGED."""
    terms = scan(con, did)
    logs = {ROOT: 0.0}
    for below in tree:
        likelihoods, words = single_probe(con, below, terms, PROBES[records])
        logs |= normalised(below, likelihoods, words, above=logs[below.c0])
    con.executemany(INSERT_JUDGED, [(kcid, did, lpr) for kcid, lpr in logs.items() if kcid != ROOT])


def scan(con: sqlite3.Connection, did: int) -> list[tuple[int, float]]:
    """Read the terms of a page."""
    return con.execute(TERMS_OF_PAGE, (did,)).fetchall()


def single_probe(
    con: sqlite3.Connection, below: Children, terms: Iterable[tuple[int, float]], probe: Probe
) -> tuple[dict[int, float], float]:
    """Return log Pr(d | ci), up to a constant, and the number of the page's words in F(c0), exactly as in fig. 2."""
    logs = dict.fromkeys(below.logdenom, 0.0)
    words = 0.0
    for tid, freq in terms:
        found = dict(probe(con, below.c0, tid))
        if not found:
            continue
        words += freq
        for kcid, logtheta in found.items():
            logs[kcid] += freq * logtheta
        for kcid, denominator in below.logdenom.items():
            if kcid not in found:
                logs[kcid] -= freq * denominator
    return logs, words


def normalised(below: Children, likelihoods: Mapping[int, float], words: float, *, above: float) -> dict[int, float]:
    """Return log Pr(ci | d): likelihoods with priors, scaled to sum to Pr(c0 | d)."""
    heat = below.temperature + below.warming * words
    scores = {kcid: likelihood / heat + below.prior[kcid] for kcid, likelihood in likelihoods.items()}
    best = max(scores.values())
    norm = best + math.log(math.fsum(math.exp(score - best) for score in scores.values()))
    return {kcid: above + score - norm for kcid, score in scores.items()}
