"""Distilling a crawl that is kept in memory, as in the lab: the same graph and the same scores as from a database."""

from collections.abc import Sequence

import numpy as np

from scenthound.distill.graph import Web, Whole, merged
from scenthound.distill.in_memory import looked_up, places
from scenthound.distill.recursion import Scores, distil
from scenthound.distill.scores import Found, Rules
from scenthound.distill.site import Site
from scenthound.store.memory.hubs import Member
from scenthound.store.memory.store import MemoryStore
from scenthound.types import PageScore


def distil_store(store: MemoryStore, rules: Rules) -> Found:
    """Distil the crawl in a store for its good topics; `rules.kept` limits the hubs and authorities returned."""
    members = list(store.linked())
    graph = merged(web_of(members, rules))
    scores = distil(graph, rules)
    names = {member.id: member.url for member in members}
    judged = int(np.count_nonzero(~np.isnan(graph.relevance)))
    return Found(pages=judged, scores=tuple(_told(graph.ids, scores, names, rules.kept)), site=rules.site)


def web_of(members: Sequence[Member], rules: Rules) -> Web:
    """Return members as arrays."""
    ids = [member.id for member in members]
    where = places(ids)
    source = np.repeat(np.arange(len(members)), [len(member.cites) for member in members])
    target = looked_up(where, np.array([id for member in members for id in member.cites], dtype=np.int64))
    return Web(
        ids=np.array(ids, dtype=np.int64),
        sites=_sites(members, rules.site),
        is_page=np.array([member.is_page for member in members], dtype=np.bool_),
        relevance=np.array([member.relevance for member in members], dtype=np.float64),  # None becomes NaN
        same=looked_up(where, np.array([member.same or 0 for member in members], dtype=np.int64)),
        about=np.zeros(len(members), dtype=np.bool_),
        citing=source[target >= 0],
        cited=target[target >= 0],
    )


def _sites(members: Sequence[Member], site: Site) -> Whole:
    if site is Site.PAGE:
        return np.array([member.id for member in members], dtype=np.int64)
    names = [member.domain if site is Site.DOMAIN else member.host for member in members]
    numbers = {name: number for number, name in enumerate(dict.fromkeys(names))}
    return np.array([numbers[name] for name in names], dtype=np.int64)


def _told(ids: Whole, scores: Scores, names: dict[int, str], kept: int) -> list[PageScore]:
    hubs = best_of(ids[scores.hubs].tolist(), scores.hub_scores.tolist(), kept)
    authorities = best_of(ids[scores.authorities].tolist(), scores.authority_scores.tolist(), kept)
    return told(hubs, authorities, names)


def best_of(ids: Sequence[int], scores: Sequence[float], kept: int) -> dict[int, float]:
    """Return so many of the best ids with a score, best first.

    >>> best_of([3, 1, 2], [0.25, 0.5, 0.25], 2)
    {1: 0.5, 2: 0.25}
    """
    some = sorted((-score, id) for id, score in zip(ids, scores, strict=True) if score > 0)
    return {id: -score for score, id in some[:kept]}


def told(hubs: dict[int, float], authorities: dict[int, float], names: dict[int, str]) -> list[PageScore]:
    """Put both scores of each page together, hubs first."""
    both = dict.fromkeys([*hubs, *authorities])
    return [PageScore(url=names[id], hub=hubs.get(id, 0.0), authority=authorities.get(id, 0.0)) for id in both]
