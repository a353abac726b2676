"""The ways to judge a collection, with the cost of a page: SingleProbe over STAT and BLOB, BulkProbe, the critic."""

import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from papers.relational.collection import SMALL, Collection, Size
from papers.relational.cost import Cost, cost_of, limit_cache
from scenthound.judge.critic import Probabilities
from scenthound.judge.probe.bulk import bulk_probe_all
from scenthound.judge.probe.documents import read_judged
from scenthound.judge.probe.probe_critic import Prober, probe_one_by_one
from scenthound.judge.probe.single import PROBES, Records, children, scan

CACHE: Final = 2_000  # kilobytes: what SQLite takes unless it is told otherwise
SINGLE_PAGES: Final = 12  # that SingleProbe judges: it is slow, and costs the same on each


def collection(quick: bool, *, features: int = Size().features, pages: int = Size().pages) -> Collection:
    """Return what is measured on."""
    return Collection(size=SMALL if quick else Size(features=features, pages=pages))


@dataclass(frozen=True, slots=True, kw_only=True)
class Stocked:
    """A database on disk with a critic and all pages of a collection, sorted by pages and by terms."""

    made: Collection
    probe: Prober
    dids: range

    @property
    def con(self) -> sqlite3.Connection:
        return self.probe.con

    @property
    def few(self) -> range:
        return self.dids[:SINGLE_PAGES]

    def bulk(self, kilobytes: int = CACHE) -> Cost:
        """Return what BulkProbe costs a page."""
        return self._cost(lambda: bulk_probe_all(self.con), len(self.dids), kilobytes)

    def single(self, records: Records, kilobytes: int = CACHE) -> Cost:
        """Return what SingleProbe costs a page."""
        return self._cost(lambda: probe_one_by_one(self.con, self.few, records), len(self.few), kilobytes)

    def scanning(self) -> Cost:
        """Return what it costs SingleProbe to read the terms of a page."""
        return self._cost(lambda: [scan(self.con, did) for did in self.few], len(self.few), CACHE)

    def probing(self, records: Records) -> Cost:
        """Return what it costs to read the terms of a page and look up each of them at each inner topic."""
        tree, probe = children(self.con), PROBES[records]

        def look_up() -> None:
            for did in self.few:
                terms = scan(self.con, did)
                for below in tree:
                    for tid, _ in terms:
                        probe(self.con, below.c0, tid)

        return self._cost(look_up, len(self.few), CACHE)

    def judged(self, dids: range) -> Probabilities:
        return read_judged(self.con, dids, self.probe.numbers)

    def _cost(self, work: Callable[[], object], pages: int, kilobytes: int) -> Cost:
        forget_judgements(self.con)
        limit_cache(self.con, kilobytes)
        cost = cost_of(work)
        return Cost(seconds=cost.seconds / pages, reads=None if cost.reads is None else cost.reads / pages)


@contextmanager
def stocked(made: Collection) -> Iterator[Stocked]:
    """Write a collection into a database; its index by terms is made too, at the first judging."""
    with tempfile.TemporaryDirectory() as folder, made.probing(Path(folder, "probe.sqlite")) as probe:
        found = Stocked(made=made, probe=probe, dids=probe.add(made.pages))
        bulk_probe_all(probe.con)
        yield found


def forget_judgements(con: sqlite3.Connection) -> None:
    """Leave of all judgements only that each page is a page."""
    con.execute("DELETE FROM JUDGED WHERE kcid > 0")


def greatest_difference(stock: Stocked) -> float:
    """Judge the same pages in all ways, and return how far any probability is from the critic's."""
    own = stock.made.critic.judge(stock.made.pages)
    stock.bulk()
    errors = [np.abs(stock.judged(stock.dids) - own).max()]
    for records in Records:
        stock.single(records)
        errors.append(np.abs(stock.judged(stock.few) - own[: len(stock.few)]).max())
    return float(max(errors))
