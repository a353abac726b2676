"""Forgetting: a ground without some of its URLs, the links that lead there, and all that only these need."""

import numpy as np
from numpy.typing import NDArray

from scenthound.apprentice.arrays import Column
from scenthound.apprentice.memory.ground import FETCHED, NONE, WAITING, Floats, Ground, Ints
from scenthound.apprentice.memory.ranges import Ranges


def worth_keeping(ground: Ground, waiting: Ints, scores: Floats, *, links: int) -> Ints:
    """Return the URLs to keep: the best that wait, with so many links in all, and as many fetched ones, the latest."""
    counts = np.bincount(ground.links.target.values, minlength=len(ground.names))
    ranked = waiting[np.argsort(-scores, kind="stable")]
    best = ranked[np.cumsum(counts[ranked]) <= links]
    fetched = np.flatnonzero(ground.urls.state.values == FETCHED)[-links:]
    return np.union1d(best, fetched)


def without_the_rest(ground: Ground, urls: Ints) -> Ground:
    """Return what is left of a ground with only these URLs, which are ascending. Links to what was fetched go too."""
    left = ground.empty()
    left.strangers.put(ground.strangers.values)
    left.totals.put(ground.totals.values)
    left.repeats.known.put(ground.repeats.known.values)
    number = np.full(len(ground.names), NONE)
    number[urls] = np.arange(len(urls))
    links = np.flatnonzero(
        (number[ground.links.target.values] != NONE) & (ground.urls.state.values[ground.links.target.values] == WAITING)
    )
    pages = np.unique(ground.links.source.values[links]).astype(np.int64)
    _take(left.urls.columns(), ground.urls.columns(), urls)
    _take(left.pages.columns(), ground.pages.columns(), pages)
    _take(left.links.columns(), ground.links.columns(), links)
    onward = left.urls.onward.values
    left.urls.onward.put(np.where(onward == NONE, NONE, number[onward]))
    left.links.target.put(number[ground.links.target.values[links]])
    left.pages.url.put(number[left.pages.url.values])
    left.links.source.put(np.searchsorted(pages, ground.links.source.values[links]))
    left.pages.first_link.put(np.searchsorted(left.links.source.values, np.arange(len(pages))))
    _chain(left, _turns(ground, links))
    _take_words(left, ground)
    _take_addresses(left, ground, urls)
    left.name([ground.names[url] for url in urls.tolist()])
    _take_hosts(left, ground)
    return left


def _take(to: dict[str, Column], columns: dict[str, Column], places: Ints) -> None:
    for name, column in columns.items():
        to[name].put(column.values[places])


def _turns(ground: Ground, links: Ints) -> Ints:
    """Return numbers that ascend in the order in which links came to lead to the same URL: redirects moved some
    later."""
    turns = links.copy()
    moved = links[ground.links.earlier.values[links] > links]
    for url in np.unique(ground.links.target.values[moved]).tolist():
        chain = np.array(ground.citing(url)[::-1])
        turns[np.searchsorted(links, chain)] = np.sort(chain)
    return turns


def _chain(left: Ground, turns: Ints) -> None:
    """Rebuild the chains of links to each URL, in the order of their turns."""
    target = left.links.target.values.astype(np.int64)
    order = np.lexsort((turns, target))
    same = target[order][1:] == target[order][:-1]
    earlier = np.full(len(target), NONE)
    earlier[order[1:][same]] = order[:-1][same]
    latest = np.full(len(left.urls.state), NONE)
    latest[target[order]] = order  # of several, the last one written stays
    left.links.earlier.put(earlier)
    left.urls.latest.put(latest)
    left.urls.cited.put(np.bincount(target, minlength=len(latest)))


def _take_words(left: Ground, ground: Ground) -> None:
    """Copy the words of each page from the first that is around a link to the last."""
    links = left.links
    first = left.pages.first_link.values
    if not len(first):
        return
    begin = np.minimum.reduceat(np.minimum(links.around_from.values, links.own_from.values), first)
    end = np.maximum.reduceat(np.maximum(links.around_to.values, links.own_to.values), first)
    ranges = Ranges.of(begin, end)
    left.words.put(ground.words.values[ranges.places])
    shift: NDArray[np.int64] = (ranges.starts - begin)[links.source.values]
    for column in (links.around_from, links.around_to, links.own_from, links.own_to):
        column.put(column.values + shift)


def _take_addresses(left: Ground, ground: Ground, urls: Ints) -> None:
    ranges = Ranges.of(ground.urls.words_from.values[urls], ground.urls.words_to.values[urls])
    left.address_words.put(ground.address_words.values[ranges.places])
    left.urls.words_from.put(ranges.starts)
    left.urls.words_to.put(ranges.ends)


def _take_hosts(left: Ground, ground: Ground) -> None:
    """Copy the hosts, domains and folders that URLs are left of."""
    for kind, table, known, of in (
        ("hosts", left.hosts, ground.hosts, left.urls.host),
        ("folders", left.folders, ground.folders, left.urls.folder),
        ("domains", left.domains, ground.domains, left.hosts.domain),
    ):
        kept = np.unique(of.values).astype(np.int64)
        _take(table.columns(), known.columns(), kept)
        of.put(np.searchsorted(kept, of.values))
        names = ground.names_of(kind)
        left.name_all(kind, [names[number] for number in kept.tolist()])
