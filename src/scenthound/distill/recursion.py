"""Hubs and authorities by relevance-weighted mutual recursion, in memory (FOCUS §3.2; Kleinberg, JACM 1999).

    a(v) ← R(v) · Σ h(u) / k(u,v)        over the links u → v, k of them from the site of u to v
    h(u) ← R(u) · Σ a(v) / l(u,v)        over the links u → v, l of them from u to the site of v

R(v) and R(u) are the forward and backward weights E_F and E_B: prestige neither leaks from relevant hubs to irrelevant
pages nor is reflected to irrelevant hubs. k and l are the weights of Bharat and Henzinger (SIGIR 1998, §4.1): a site
has one vote for a page, however many of its pages link there.
"""

import math
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from scenthound.distill.graph import Flags, Graph, Real, Whole
from scenthound.distill.scores import Rules


@dataclass(frozen=True, slots=True, kw_only=True)
class Scores:
    """Hubs and authorities by their places in the graph, each with its score; scores of each kind sum to 1."""

    hubs: Whole
    hub_scores: Real
    authorities: Whole
    authority_scores: Real
    links: int
    threshold: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Endorsements:
    """The links that count as matrices, E_F with 1/k as `forward` and E_B with 1/l as `backward`."""

    hubs: Whole
    authorities: Whole
    forward: csr_array
    backward: csr_array
    threshold: float


def threshold_of(relevance: Real, share: float) -> float:
    """Return ρ: the relevance that the most relevant `share` of judged pages have; NaN is not judged.

    >>> threshold_of(np.array([0.1, 0.9, np.nan, 0.5, 0.7]), 0.5)
    0.7
    """
    judged = relevance[~np.isnan(relevance)]
    if not len(judged):
        return math.inf
    rank = how_many(len(judged), share)
    return float(np.partition(judged, len(judged) - rank)[len(judged) - rank])


def how_many(judged: int, share: float) -> int:
    """Return how many of the judged pages may be authorities, ties not counted.

    >>> how_many(40, 0.15), how_many(1, 0.15)
    (6, 1)
    """
    return min(judged, max(1, math.ceil(judged * share - 1e-9)))


def distil(graph: Graph, rules: Rules) -> Scores:
    """Score hubs and authorities.

    Two hubs on different sites, one of them half as relevant, cite two relevant pages, and one cites a third:

    >>> from scenthound.distill.scores import Rules
    >>> graph = Graph(
    ...     ids=np.arange(5), sites=np.arange(5), relevance=np.array([0.4, 0.2, 0.9, 0.9, 0.9]),
    ...     about=np.zeros(5, dtype=bool), citing=np.array([0, 0, 1, 1, 1]), cited=np.array([2, 3, 2, 3, 4]),
    ...     members=np.arange(5),
    ... )
    >>> scores = distil(graph, Rules(share=0.6))
    >>> scores.hubs.tolist(), scores.hub_scores.round(3).tolist()
    ([0, 1], [0.628, 0.372])
    >>> scores.authorities.tolist(), scores.authority_scores.round(3).tolist()
    ([2, 3, 4], [0.422, 0.422, 0.157])
    """
    found = endorsements(graph, rules)
    a, h = recursion(found.forward, found.backward, rounds=rules.rounds)
    return Scores(
        hubs=found.hubs,
        hub_scores=h,
        authorities=found.authorities,
        authority_scores=a,
        links=found.forward.nnz,
        threshold=found.threshold,
    )


def endorsements(graph: Graph, rules: Rules) -> Endorsements:
    """Weigh the links that count. Each matrix has as rows what it computes: reading rows in order is what CSR does
    best.
    """
    threshold = threshold_of(graph.relevance, rules.share)
    kept = _endorsing(graph, threshold)
    hubs, row = np.unique(graph.citing[kept], return_inverse=True)
    authorities, column = np.unique(graph.cited[kept], return_inverse=True)
    votes, echoes = damping(row, column, graph.sites[hubs], graph.sites[authorities])
    prestige = votes * graph.relevance[authorities][column]
    echo = echoes * graph.relevance[hubs][row]
    return Endorsements(
        hubs=hubs,
        authorities=authorities,
        forward=csr_array((prestige, (column, row)), (len(authorities), len(hubs))),
        backward=csr_array((echo, (row, column)), (len(hubs), len(authorities))),
        threshold=threshold,
    )


def recursion(forward: csr_array, backward: csr_array, *, rounds: int) -> tuple[Real, Real]:
    """Let prestige go to authorities and back `rounds` times, from hubs that are all alike; return both scores."""
    h = np.full(backward.shape[0], 1 / max(1, backward.shape[0]))
    a = np.zeros(forward.shape[0])
    for _ in range(rounds):
        a = forward @ h
        a /= a.sum() or 1.0
        h = backward @ a
        h /= h.sum() or 1.0
    return a, h


def _endorsing(graph: Graph, threshold: float) -> Flags:
    """Mark the links that count: to pages that may be authorities, from pages with any relevance at all."""
    cited = graph.relevance[graph.cited]
    return (cited >= threshold) & (cited > 0) & (graph.relevance[graph.citing] > 0)


def damping(row: Whole, column: Whole, hub_sites: Whole, authority_sites: Whole) -> tuple[Real, Real]:
    """Return 1/k and 1/l of each link.

    >>> votes, echoes = damping(np.array([0, 1, 2]), np.array([0, 0, 0]), np.array([7, 7, 8]), np.array([9]))
    >>> votes.tolist(), echoes.tolist()
    ([0.5, 0.5, 1.0], [1.0, 1.0, 1.0])
    """
    return 1 / _alike(column, hub_sites[row]), 1 / _alike(row, authority_sites[column])


def _alike(page: Whole, site: Whole) -> Whole:
    """Count for each link those with the same page at one end and the same site at the other."""
    _, site = np.unique(site, return_inverse=True)
    pairs = page * (site.max(initial=0) + 1) + site
    _, which, count = np.unique(pairs, return_inverse=True, return_counts=True)
    return np.asarray(count[which])
