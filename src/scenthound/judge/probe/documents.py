"""Pages as rows of DOCUMENT, and the judgements read back in the critic's format.

Terms count as in the critic (title and headings once more, a page without main text as a whole). Terms that no branch
looks at have no number and no row.
"""

import sqlite3
from collections.abc import Mapping, Sequence

import numpy as np

from scenthound.judge.critic import Page, Probabilities
from scenthound.judge.models.bags import Text, bags
from scenthound.judge.probe.relations import ROOT, Numbers
from scenthound.store.sqlite.queries.probe import (
    DELETE_ALL,
    INSERT_AT_ROOT,
    INSERT_PAGE,
    INSERT_TERM,
    JUDGED_BETWEEN,
    OF_PAGES,
)


def write_documents(
    con: sqlite3.Connection, pages: Sequence[Page], vocabulary: Mapping[str, int], *, text: Text, first: int = 0
) -> range:
    """Add pages, numbered from `first`; at the root, all pages are judged already."""
    found = bags(pages, vocabulary, text=text)
    dids = range(first, first + len(pages))
    known = np.flatnonzero(found.columns >= 0)
    rows, tids, counts = found.rows[known] + first, found.columns[known], found.counts[known]
    order = np.lexsort((tids, rows))
    con.execute("BEGIN")
    con.executemany(INSERT_PAGE, ((did, page.url) for did, page in zip(dids, pages, strict=True)))
    con.executemany(
        INSERT_TERM,
        zip(rows[order].tolist(), tids[order].tolist(), counts[order].tolist(), strict=True),
    )
    con.executemany(INSERT_AT_ROOT, ((ROOT, did) for did in dids))
    con.execute("COMMIT")
    return dids


def read_judged(con: sqlite3.Connection, dids: range, numbers: Numbers) -> Probabilities:
    """Return Pr(class | page), with a column for each of the critic's classes, as `Critic.judge` does."""
    columns = [_of_class(con, kcid, dids) for kcid in numbers.classes]
    return np.exp(np.stack(columns, axis=1))


def _of_class(con: sqlite3.Connection, kcid: int, dids: range) -> Probabilities:
    rows = con.execute(JUDGED_BETWEEN, (kcid, dids.start, dids.stop - 1))
    return np.array([lpr for (lpr,) in rows], dtype=np.float64)


def forget_documents(con: sqlite3.Connection) -> None:
    """Make room for the next pages."""
    for table in OF_PAGES:
        con.execute(DELETE_ALL.format(table=table))
