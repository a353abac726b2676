"""Hubs and authorities by relevance-weighted mutual recursion, in memory (FOCUS §3.2; Kleinberg, JACM 1999).

    a(v) ← R(v) · Σ h(u) / k(u,v)        over the links u → v, k of them from the site of u to v
    h(u) ← R(u) · Σ a(v) / l(u,v)        over the links u → v, l of them from u to the site of v

R(v) and R(u) are the forward and backward weights E_F and E_B: prestige neither leaks from relevant hubs to irrelevant
pages nor is reflected to irrelevant hubs. k and l are the weights of Bharat and Henzinger (SIGIR 1998, §4.1): a site
has one vote for a page, however many of its pages link there.
"""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from scenthound.distill.graph import Flags, Graph, Real, Whole
from scenthound.distill.scores import Rules

if TYPE_CHECKING:
    from scipy.sparse import csr_array

# From so many links on, it pays to import sparse matrices, which takes a fifth of a second: the 40 products of a
# distillation take 0.3 s for a million links without them, 0.1 s with them.
MANY: Final = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Scores:
    """Hubs and authorities by their places in the graph, each with its score; scores of each kind sum to 1."""

    hubs: Whole
    hub_scores: Real
    authorities: Whole
    authority_scores: Real
    links: int
    threshold: float


@dataclass(frozen=True, kw_only=True)
class Flow:
    """How scores go along links: to each place of `height` the weighted sum of the scores at the other ends.

    Links are in the order of their sources, then targets. Both ways add up in that order, and so to the same bits.

    >>> ends = np.array([0, 1, 1]), np.array([0, 0, 1])
    >>> (Flow(to=ends[0], of=ends[1], weights=np.array([1.0, 2.0, 4.0]), height=2) @ np.array([1.0, 10.0])).tolist()
    [1.0, 42.0]
    """

    to: Whole
    of: Whole
    weights: Real
    height: int

    def __len__(self) -> int:
        return len(self.weights)

    def __matmul__(self, scores: Real) -> Real:
        if len(self) < MANY:
            sums = np.bincount(self.to, weights=self.weights * scores[self.of], minlength=self.height)
            return sums.astype(np.float64, copy=False)  # of no links it counts
        return np.asarray(self._matrix @ scores)

    @cached_property
    def _matrix(self) -> "csr_array":
        """Return the same as a matrix. Reading rows in order is what CSR does best."""
        from scipy.sparse import csr_array

        width = int(self.of.max(initial=-1)) + 1
        return csr_array((self.weights, (self.to, self.of)), (self.height, width))


@dataclass(frozen=True, slots=True, kw_only=True)
class Endorsements:
    """The links that count: E_F with 1/k as `forward`, from hubs to authorities, and E_B with 1/l as `backward`."""

    hubs: Whole
    authorities: Whole
    forward: Flow
    backward: Flow
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
        links=len(found.forward),
        threshold=found.threshold,
    )


def endorsements(graph: Graph, rules: Rules) -> Endorsements:
    """Weigh the links that count."""
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
        forward=Flow(to=column, of=row, weights=prestige, height=len(authorities)),
        backward=Flow(to=row, of=column, weights=echo, height=len(hubs)),
        threshold=threshold,
    )


def recursion(forward: Flow, backward: Flow, *, rounds: int) -> tuple[Real, Real]:
    """Let prestige go to authorities and back `rounds` times, from hubs that are all alike; return both scores."""
    h = np.full(backward.height, 1 / max(1, backward.height))
    a = np.zeros(forward.height)
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
