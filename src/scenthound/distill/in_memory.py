"""Distilling in memory: read pages and links from the database into arrays, compute, and leave the scores in tables."""

import sqlite3
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from scenthound.distill.graph import Graph, Web, Whole, around, merged
from scenthound.distill.link_memory import PAGES_AT_ONCE, LinkMemory
from scenthound.distill.recursion import Scores, distil
from scenthound.distill.score_tables import select_members, sites, snapshot
from scenthound.distill.scores import About, Distilled, Method, Rules
from scenthound.store.sqlite.queries.distil_statements import INSERT_SCORE, LINKS_BY_PAGE


def distil_in_memory(
    con: sqlite3.Connection, rules: Rules, about: About | None = None, links: LinkMemory | None = None
) -> Distilled:
    """Distil, and leave the scores in HUBS and AUTH. With `links`, read only those that it does not have."""
    with snapshot(con), sites(con, rules):
        web = read_web(con, rules, about, links)
    graph = merged(web)
    if about is not None:
        graph = around(graph, citing=rules.citing)
        graph = replace(graph, relevance=np.array(about.judge(graph.ids.tolist()), dtype=np.float64))
    scores = distil(graph, rules)
    _leave(con, web, graph, scores)
    return Distilled(
        method=Method.MEMORY,
        pages=int(np.count_nonzero(~np.isnan(graph.relevance))),
        links=scores.links,
        hubs=len(scores.hubs),
        authorities=len(scores.authorities),
        threshold=scores.threshold,
        rounds=rules.rounds,
    )


def read_web(con: sqlite3.Connection, rules: Rules, about: About | None = None, links: LinkMemory | None = None) -> Web:
    """Read all pages and redirects, and the links between them."""
    query, values = select_members(rules, about)
    rows = con.execute(query, values).fetchall()
    ids, site, page, relevance, same, told = zip(*rows, strict=True) if rows else ((),) * 6
    where = places(ids)
    citing, cited = _read_links(con, where) if links is None else _between(*links.update(con), where)
    return Web(
        ids=np.array(ids, dtype=np.int64),
        sites=np.array(site, dtype=np.int64),
        is_page=np.array(page, dtype=np.bool_),
        relevance=np.array(relevance, dtype=np.float64),  # None becomes NaN
        same=looked_up(where, np.array([0 if id is None else id for id in same], dtype=np.int64)),
        about=np.array(told, dtype=np.bool_),
        citing=citing,
        cited=cited,
    )


def places(ids: Sequence[int]) -> Whole:
    """Return an array that tells for an id where it stands among ids, -1 for those that do not. No id is 0.

    >>> places([3, 1]).tolist()
    [-1, 1, -1, 0]
    """
    where = np.full(max(ids, default=0) + 1, -1)
    where[np.array(ids, dtype=np.int64)] = np.arange(len(ids))
    return where


def looked_up(where: Whole, ids: Whole) -> Whole:
    """Look ids up in what `places` returned; those beyond its end are not known either."""
    return where[np.where(ids < len(where), ids, 0)]


def _read_links(con: sqlite3.Connection, where: Whole) -> tuple[Whole, Whole]:
    """Return the two ends of each link between two pages, by their places."""
    sources, targets = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)]
    cursor = con.execute(LINKS_BY_PAGE)
    while rows := cursor.fetchmany(PAGES_AT_ONCE):
        ids, numbers, texts = zip(*rows, strict=True)
        source, target = _between(
            np.repeat(np.array(ids), numbers), np.fromstring(",".join(texts), sep=",", dtype=np.int64), where
        )
        sources.append(source)
        targets.append(target)
    return np.concatenate(sources), np.concatenate(targets)


def _between(sources: Whole, targets: Whole, where: Whole) -> tuple[Whole, Whole]:
    """Return the links between two pages, by their places."""
    source, target = looked_up(where, sources), looked_up(where, targets)
    known = (source >= 0) & (target >= 0)
    return source[known], target[known]


def _leave(con: sqlite3.Connection, web: Web, graph: Graph, scores: Scores) -> None:
    with snapshot(con):
        _insert(con, "HUBS", graph.ids[scores.hubs].tolist(), scores.hub_scores.tolist())
        _insert(con, "AUTH", graph.ids[scores.authorities].tolist(), scores.authority_scores.tolist())
        belongs = np.flatnonzero(graph.members >= 0)
        oids = graph.ids[graph.members[belongs]]
        other = oids != web.ids[belongs]
        _insert(con, "MERGED", web.ids[belongs[other]].tolist(), oids[other].tolist())


def _insert(con: sqlite3.Connection, table: str, ids: list[int], values: list[float]) -> None:
    con.executemany(INSERT_SCORE.format(table=table), zip(ids, values, strict=True))
