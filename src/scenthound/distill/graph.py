"""The web as the distiller sees it: pages merged with those that are the same, and the links between sites.

Redirects and the pages they lead to are one node, and so are duplicates and near-duplicates. Links within a site are
left out (FOCUS §3.2 step 1). For one topic, the graph is cut down to the topic's base set and its neighbours (BINGO
§2.5).
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

Whole = NDArray[np.int64]
Flags = NDArray[np.bool_]
Real = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Web:
    """Pages and redirects in fetch order, and their links, as read. Links name pages by their place here.

    `relevance` is NaN where a page was not judged. `same` is the place of the page that a redirect leads to or a
    duplicate repeats, -1 where there is none. `about` marks the pages that were put into the topic asked for.
    """

    ids: Whole
    sites: Whole
    is_page: Flags
    relevance: Real
    same: Whole
    about: Flags
    citing: Whole
    cited: Whole


@dataclass(frozen=True, slots=True, kw_only=True)
class Graph:
    """Merged pages, ordered by id, and the distinct links between them that cross from one site to another.

    `members` gives for each place in the `Web` its node, -1 where there is none.
    """

    ids: Whole
    sites: Whole
    relevance: Real
    about: Flags
    citing: Whole
    cited: Whole
    members: Whole


def merged(web: Web) -> Graph:
    """Put together what is the same page; the one fetched first stands for all, with the greatest relevance of all.

    A group without any page, a redirect into nowhere, is no node.
    """
    groups = _groups(web)
    pages = np.flatnonzero(web.is_page)
    group, first = np.unique(groups[pages], return_index=True)
    standing = pages[first]  # fetch order: the first of a group comes first
    order = np.argsort(web.ids[standing])
    standing, group = standing[order], group[order]
    node_of = np.full(groups.max(initial=-1) + 1, -1)
    node_of[group] = np.arange(len(group))
    members = node_of[groups]
    relevance = np.full(len(group), -1.0)
    np.maximum.at(relevance, members[pages], np.nan_to_num(web.relevance[pages], nan=-1.0))
    about = np.zeros(len(group), dtype=np.bool_)
    about[members[pages[web.about[pages]]]] = True
    citing, cited = _between_sites(web, members, web.sites[standing])
    return Graph(
        ids=web.ids[standing],
        sites=web.sites[standing],
        relevance=np.where(relevance < 0, np.nan, relevance),
        about=about,
        citing=citing,
        cited=cited,
        members=members,
    )


def _groups(web: Web) -> Whole:
    """Return for each place a number that all have in common that are the same page.

    Each place leads to one other at most, so whoever follows for long enough ends on the one that leads nowhere or, in
    a circle, on one of the circle, whose smallest place then stands for all. A stride doubles with each step. Pages
    that are like no other are left out, so that a circle costs little. (scipy has this too. It takes a quarter of a
    second to import, more than all else that the distiller does for a crawl of some thousand pages.)
    """
    groups = np.arange(len(web.same))
    some = np.flatnonzero(web.same >= 0)
    tied = np.unique(np.concatenate((some, web.same[some])))
    ahead = np.arange(len(tied))
    ahead[tied.searchsorted(some)] = tied.searchsorted(web.same[some])
    least = np.arange(len(tied))  # of all places between here and there
    for _ in range(len(tied).bit_length()):
        least = np.minimum(least, least[ahead])
        further = ahead[ahead]
        if np.array_equal(further, ahead):
            break
        ahead = further
    groups[tied] = tied[least[ahead]]
    return groups


def _between_sites(web: Web, members: Whole, sites: Whole) -> tuple[Whole, Whole]:
    """Return the distinct links between nodes of different sites.

    A link crosses if it does so as merged and as written: the pages of a mirror link to one another within their own
    site, whichever page stands for them, and a link to the local copy of somebody's page praises nobody. A link to a
    redirect of one's own site that leads elsewhere does cross.
    """
    citing, cited = members[web.citing], members[web.cited]
    homes = np.append(sites, -1)  # the last for links that have no node at one end
    here, there = web.sites[web.citing], homes[cited]
    local = web.is_page[web.cited] & (here == web.sites[web.cited])
    crosses = (homes[citing] != there) & (here != there) & ~local & (citing >= 0) & (cited >= 0)
    pairs = _distinct(citing[crosses] * len(sites) + cited[crosses])
    return pairs // max(1, len(sites)), pairs % max(1, len(sites))


def _distinct(numbers: Whole) -> Whole:
    """Sort numbers and drop repetitions; for 10 million, this takes 0.3 s and numpy's `unique` 12 s."""
    numbers.sort()
    return numbers[np.flatnonzero(np.diff(numbers, prepend=-1))]


def around(graph: Graph, *, citing: int) -> Graph:
    """Cut a graph down to the base set of its topic, all that the set links to, and some pages that link to it.

    For each page of the base set the first `citing` pages that link to it are taken.
    """
    kept = graph.about.copy()
    kept[graph.cited[graph.about[graph.citing]]] = True
    inward = np.flatnonzero(graph.about[graph.cited])
    inward = inward[np.lexsort((graph.citing[inward], graph.cited[inward]))]
    kept[graph.citing[inward[_place_in_run(graph.cited[inward]) < citing]]] = True
    return _part(graph, kept)


def _place_in_run(numbers: Whole) -> Whole:
    """Count within runs of equal numbers: 5 5 5 7 7 gives 0 1 2 0 1."""
    places = np.arange(len(numbers))
    begins = np.flatnonzero(np.diff(numbers, prepend=-1))
    return places - np.repeat(begins, np.diff(begins, append=len(numbers)))


def _part(graph: Graph, kept: Flags) -> Graph:
    new = np.full(len(kept) + 1, -1)
    new[:-1][kept] = np.arange(kept.sum())
    inside = kept[graph.citing] & kept[graph.cited]
    return replace(
        graph,
        ids=graph.ids[kept],
        sites=graph.sites[kept],
        relevance=graph.relevance[kept],
        about=graph.about[kept],
        citing=new[graph.citing[inside]],
        cited=new[graph.cited[inside]],
        members=new[graph.members],  # -1 stays -1: the last entry
    )
