"""Judging pages inside a database, in either of RELATIONAL's two ways; the answers are the critic's own.

with probing(critic) as probe:
    rows = probe.judge(pages)          # Pr(class | page), as critic.judge(pages), by BulkProbe
"""

import math
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from scenthound.judge.critic import Page, Probabilities
from scenthound.judge.models.bags import Text
from scenthound.judge.models.bayes import BayesCritic
from scenthound.judge.models.tree_critic import vocabulary_of_nodes
from scenthound.judge.probe.bulk import bulk_probe_all
from scenthound.judge.probe.documents import forget_documents, read_judged, write_documents
from scenthound.judge.probe.relations import Numbers, make_tables, write_model
from scenthound.judge.probe.single import Records, children, single_probe_all
from scenthound.taxonomy import Topics


class Way(StrEnum):
    """How the database judges pages: all together with joins, or one by one with a lookup for each term."""

    BULK = "bulk"
    SINGLE = "single"


@dataclass(frozen=True, slots=True, kw_only=True)
class Prober:
    """A database that holds a critic and judges pages with it."""

    con: sqlite3.Connection
    numbers: Numbers
    vocabulary: Mapping[str, int]
    text: Text

    def judge(self, pages: Sequence[Page], way: Way = Way.BULK) -> Probabilities:
        """Return Pr(class | page) as the critic does; the pages do not stay in the database."""
        with self.holding(pages) as dids:
            return self.judged(dids, way)

    @contextmanager
    def holding(self, pages: Sequence[Page], *, first: int = 0) -> Iterator[range]:
        """Keep these pages, numbered from `first`, and nothing else in the database."""
        try:
            yield self.add(pages, first=first)
        finally:
            forget_documents(self.con)

    def add(self, pages: Sequence[Page], *, first: int = 0) -> range:
        """Put pages into the database, numbered from `first`."""
        return write_documents(self.con, pages, self.vocabulary, text=self.text, first=first)

    def judged(self, dids: range, way: Way) -> Probabilities:
        """Judge the pages in the database, which are these, and leave the judgements in JUDGED too."""
        if way is Way.BULK:
            bulk_probe_all(self.con)
        else:
            probe_one_by_one(self.con, dids, Records.BLOB)
        return read_judged(self.con, dids, self.numbers)


def probe_one_by_one(con: sqlite3.Connection, dids: range, records: Records) -> None:
    """Judge pages by SingleProbe."""
    con.execute("BEGIN")
    tree = children(con)
    for did in dids:
        single_probe_all(con, did, tree, records)
    con.execute("COMMIT")


@contextmanager
def probing(critic: BayesCritic, topics: Topics | None = None, *, file: Path | None = None) -> Iterator[Prober]:
    """Write a critic into a new database, in a file or a temporary one.

    SQLite moves a temporary database to disk when it outgrows its cache, so memory does not grow with the model.
    """
    with closing(sqlite3.connect(file or "", isolation_level=None)) as con:
        # Nothing here needs a journal: an unfinished database is thrown away.
        con.execute("PRAGMA journal_mode = OFF")
        con.execute("PRAGMA synchronous = OFF")
        know_logarithms(con)
        make_tables(con)
        numbers = write_model(con, critic, topics or Topics(topics=()))
        yield Prober(con=con, numbers=numbers, vocabulary=vocabulary_of_nodes(critic.nodes), text=critic.text)


def know_logarithms(con: sqlite3.Connection) -> None:
    """Add exp() and ln() if this SQLite lacks them."""
    try:
        con.execute("SELECT exp(ln(1.0))")
    except sqlite3.OperationalError:
        con.create_function("exp", 1, math.exp, deterministic=True)
        con.create_function("ln", 1, math.log, deterministic=True)
