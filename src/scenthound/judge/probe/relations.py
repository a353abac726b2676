"""A naive Bayes critic as relations: TAXONOMY, FEATURE, STAT and BLOB of RELATIONAL fig. 1.

The calibration becomes columns of TAXONOMY and BRANCH, so the database gives exactly the critic's probabilities.
"""

import sqlite3
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scenthound.judge.models.bayes import BayesCritic
from scenthound.judge.models.bayes_node import LONG, Node, Temperatures
from scenthound.judge.models.branches import Branches
from scenthound.judge.models.tree_critic import vocabulary_of_nodes
from scenthound.store.sqlite.queries.probe import (
    INSERT_BLOB,
    INSERT_BRANCH,
    INSERT_CHOICE,
    INSERT_FEATURE,
    INSERT_NAME,
    INSERT_ROOT,
    INSERT_STAT,
    tables_text,
)
from scenthound.taxonomy import Topics, type_of

ROOT: Final = 0  # the kcid of all pages
KID: Final = struct.Struct("<Id")  # a record of BLOB: kcid, log theta
_NO_TOPICS: Final = Topics(topics=())


@dataclass(frozen=True, slots=True, kw_only=True)
class Numbers:
    """The numbers of a critic's topics in the database.

    `branches` are the kcid of the inner topics, in the order of the tree; `choices` those of their choices; `classes`
    those of the critic's classes.
    """

    branches: tuple[int, ...]
    choices: tuple[tuple[int, ...], ...]
    classes: tuple[int, ...]


def number(tree: Branches) -> Numbers:
    """Number the topics of a tree: all pages are 0, the choices follow branch by branch.

    >>> number(Branches.of([("", ("Sport", "")), ("Sport", ("Sport/Golf", "Sport"))]))
    Numbers(branches=(0, 1), choices=((1, 2), (3, 4)), classes=(3, 4, 2))
    """
    inner = {branch.path for branch in tree.branches}
    reached, ended = {"": ROOT}, dict[str, int]()
    choices: list[tuple[int, ...]] = []
    free = ROOT + 1
    for branch in tree.branches:
        own = tuple(range(free, free + len(branch.choices)))
        free += len(own)
        for kcid, choice in zip(own, branch.choices, strict=True):
            ends = choice.path == branch.path or choice.path not in inner
            (ended if ends else reached)[choice.path] = kcid
        choices.append(own)
    return Numbers(
        branches=tuple(reached[branch.path] for branch in tree.branches),
        choices=tuple(choices),
        classes=tuple(ended[path] for path in tree.classes),
    )


def make_tables(con: sqlite3.Connection) -> None:
    """Make the tables in a new database."""
    con.executescript(tables_text())


def write_model(con: sqlite3.Connection, critic: BayesCritic, topics: Topics = _NO_TOPICS) -> Numbers:
    """Write a critic into the tables of `make_tables`; a column of TAXONOMY says which topics are good."""
    numbers = number(critic.tree)
    vocabulary = vocabulary_of_nodes(critic.nodes)
    con.execute("BEGIN")
    con.execute(INSERT_ROOT, (ROOT,))
    con.executemany(INSERT_CHOICE, _taxonomy(critic, numbers, topics))
    con.executemany(INSERT_BRANCH, _branches(critic, numbers))
    con.executemany(INSERT_NAME, ((tid, _said(term)) for term, tid in vocabulary.items()))
    for place, node in enumerate(critic.nodes):
        tids = np.array([vocabulary[term] for term in node.terms], dtype=np.int64)
        _write_node(con, node, tids, pcid=numbers.branches[place], kcids=numbers.choices[place])
    con.execute("COMMIT")
    return numbers


def _taxonomy(critic: BayesCritic, numbers: Numbers, topics: Topics) -> Iterator[tuple[object, ...]]:
    balances = _balances(critic)
    ends = set(numbers.classes)
    for branch, node, pcid, kcids in zip(
        critic.tree.branches, critic.nodes, numbers.branches, numbers.choices, strict=True
    ):
        for choice, kcid, prior, denominator in zip(
            branch.choices, kcids, node.log_priors.tolist(), node.log_denominators.tolist(), strict=True
        ):
            own = choice.path == branch.path
            kind = type_of(topics, choice.path)
            yield kcid, pcid, choice.path, kind, own, kcid in ends, prior, denominator, next(balances)


def _balances(critic: BayesCritic) -> Iterator[float]:
    """Yield the calibration offsets of the log priors of all choices, branch by branch."""
    if critic.calibrated:
        yield from Temperatures(nodes=critic.nodes).offsets().tolist()
    else:
        yield from (0.0 for node in critic.nodes for _ in range(node.choices))


def _branches(critic: BayesCritic, numbers: Numbers) -> Iterator[tuple[int, float, float]]:
    if critic.calibrated:
        for pcid, heat in zip(numbers.branches, Temperatures(nodes=critic.nodes).chosen(), strict=True):
            yield pcid, heat, heat / LONG
    else:
        yield from ((pcid, 1.0, 0.0) for pcid in numbers.branches)


def _write_node(
    con: sqlite3.Connection, node: Node, tids: NDArray[np.int64], *, pcid: int, kcids: Sequence[int]
) -> None:
    """Write F(c0) and θ of one branch, in the order of terms: rows are then added at the end of each table."""
    con.executemany(INSERT_FEATURE, ((pcid, tid) for tid in np.sort(tids).tolist()))
    thetas = node.log_counts - node.log_denominators[node.columns]
    known, below = tids[node.rows], np.array(kcids, dtype=np.int64)[node.columns]
    order = np.lexsort((below, known))
    rows = list(zip(known[order].tolist(), below[order].tolist(), thetas[order].tolist(), strict=True))
    con.executemany(INSERT_STAT, ((pcid, *row) for row in rows))
    packed = (
        (pcid, tid, b"".join(KID.pack(*row[1:]) for row in some)) for tid, some in groupby(rows, lambda row: row[0])
    )
    con.executemany(INSERT_BLOB, packed)


def _said(term: str) -> str:
    """Return a term that a database can hold: half of a surrogate pair is no text."""
    return term.encode("utf-8", "replace").decode("utf-8")
