"""The crawl under the papers' names: CRAWL, LINK, HUBS, AUTH, TAXONOMY and DOCUMENT of RELATIONAL fig. 1.

They live in one connection and cost the crawl's database nothing. What has to be worked out first, scores and topics,
is worked out when a question names it.
"""

import sqlite3
from collections.abc import Callable, Collection

import msgspec

from scenthound.distill.score_tables import make_results
from scenthound.distill.scores import Rules
from scenthound.store.sqlite.queries.questions import INSERT_TOPIC, paper_views
from scenthound.taxonomy import Topics, parent, type_of

VIEWS = ("CRAWL", "LINK", "HUBS", "AUTH", "MERGED", "TAXONOMY", "DOCUMENT")
_SCORES = {"HUBS", "AUTH", "MERGED"}
OF_NO_TOPIC = ("", None, "of no topic", "null", 0)


def make_views(con: sqlite3.Connection) -> None:
    """Make the papers' tables and views; scores and topics are still empty."""
    con.create_function("term_counts", 1, _term_counts, deterministic=True)
    con.executescript(paper_views())
    make_results(con)


def fill_views(con: sqlite3.Connection, named: Collection[str], *, topics: Callable[[], Topics], rules: Rules) -> None:
    """Work out what a question that names these tables needs."""
    if _SCORES & set(named):
        from scenthound.distill.distiller import distil

        distil(con, rules)
    if "TAXONOMY" in named:
        con.executemany(INSERT_TOPIC, _taxonomy(topics()))


def _taxonomy(topics: Topics) -> list[tuple[str, str | None, str, str, int]]:
    examples = {topic.path: len(topic.examples) for topic in topics.topics}
    rows = [
        (path, parent(path) or None, path.rpartition("/")[2], type_of(topics, path), examples.get(path, 0))
        for path in topics.nodes
    ]
    return [OF_NO_TOPIC, *rows]


def _term_counts(packed: bytes) -> str:
    from scenthound.parse.words.terms import unpack

    terms = unpack(packed)
    counts = (terms.main.astype(int) + terms.rest.astype(int)).tolist()
    return msgspec.json.encode(dict(zip(terms.terms, counts, strict=True))).decode()
