"""An apprentice's memory of the web: URLs, pages, their links, the words around each, and the outcomes.

Everything is numbered and kept in columns, so a few dozen array operations score a frontier of a million links. All of
it follows from the lessons taken in, in their order.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from scenthound.apprentice.arrays import Column
from scenthound.apprentice.memory.places import Places
from scenthound.apprentice.memory.ranges import Ranges
from scenthound.apprentice.memory.tables import Links, Pages
from scenthound.apprentice.memory.word_layout import laid_out
from scenthound.apprentice.words.addresses import address_words
from scenthound.parse.words.word_stream import WordStream
from scenthound.types import Distillation, Lesson

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
State = dict[str, NDArray[Any]]

WAITING: Final = 0
FETCHED: Final = 1
GONE: Final = 2  # redirected or failed
NONE: Final = -1

NEIGHBOURS: Final = (-1, 1, -2, 2, -3, 3)  # places on the page, from a link, of those whose targets speak for its own


@dataclass(frozen=True, slots=True)
class Citations:
    """Links in the order in which they were seen, and for each the place of its URL among those that were asked for."""

    links: Ints
    places: Ints
    counts: Ints  # how many links lead to each of these URLs, also those that are not here


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Links that stand next to others, for each the place of its neighbour among those, and how much it says of it."""

    links: Ints
    places: Ints
    shares: Floats


class Ground(Places):
    """`meet` pages; `credit` and `reward` tell links and hosts of the outcomes. Words have `bits` bits."""

    def __init__(self, *, bits: int) -> None:
        self._bits = bits
        self._mask = (1 << bits) - 1
        super().__init__()
        self.pages = Pages()
        self.links = Links()
        self.words = Column(np.int32)
        self.address_words = Column(np.int32)
        self.names: list[str] = []
        self._numbers: dict[str, int] = {}
        self._hubs: dict[str, float] = {}
        self.heard = 0  # the version of the distillation that these are of

    def number(self, url: str) -> int:
        """Return the number of a URL; one not known yet is waiting from now on."""
        if url not in self._numbers:
            self._add([url])
        return self._numbers[url]

    def known(self, url: str) -> int | None:
        return self._numbers.get(url)

    def waiting(self) -> Ints:
        """Return the URLs that may be fetched, and were not yet."""
        return np.flatnonzero(self.may_wait(slice(None)))

    def may_wait(self, urls: Ints | slice) -> NDArray[np.bool_]:
        """Tell of each URL whether it may be fetched, and was not yet."""
        waits: NDArray[np.bool_] = (self.urls.state.values[urls] == WAITING) & self.urls.offered.values[urls]
        return waits

    def citing(self, url: int) -> list[int]:
        """Return the links that lead to a URL, the latest first."""
        return list(self._chained(url))

    def citing_pages(self, pages: slice) -> list[list[int]]:
        """Return for each of some pages the links that led there when it was fetched, the latest first."""
        urls, firsts = self.pages.url.values[pages].tolist(), self.pages.first_link.values[pages].tolist()
        return [[link for link in self._chained(url) if link < first] for url, first in zip(urls, firsts, strict=True)]

    def own_words(self, links: Ints) -> Ranges:
        """Return where the words of links are, their own."""
        return Ranges.of(self.links.own_from.values[links], self.links.own_to.values[links])

    def words_near(self, links: Ints, *, most: int) -> Ranges:
        """Return where the words of links and those next to them are, so many on each side."""
        table = self.links
        begin = np.maximum(table.around_from.values[links], table.own_from.values[links] - most)
        return Ranges.of(begin, np.minimum(table.around_to.values[links], table.own_to.values[links] + most))

    def words_of_addresses(self, urls: Ints) -> Ranges:
        """Return where the words of addresses are."""
        return Ranges.of(self.urls.words_from.values[urls], self.urls.words_to.values[urls])

    def citations(self, urls: Ints, *, most: int) -> Citations:
        """Return the links that lead to any of some URLs, of each so many at the most, the latest."""
        links, places = self._rings(urls, most)
        order = np.argsort(links)
        return Citations(links[order], places[order], self.urls.cited.values[urls])

    def citations_of_pages(self, pages: slice, *, most: int) -> Citations:
        """Return the same for the URLs of pages, as it was before each was fetched."""
        found = self.citing_pages(pages)
        counts = np.array([len(own) for own in found], dtype=np.int64)
        links = np.array(list(chain.from_iterable(own[:most] for own in found)), dtype=np.int64)
        places = np.arange(len(found)).repeat(np.minimum(counts, most))
        order = np.argsort(links)
        return Citations(links[order], places[order], counts)

    def is_open(self, url: int) -> bool:
        """Tell whether it is still to be found out what a URL leads to."""
        return bool(self.urls.state.values[url] == WAITING)

    def leave(self, url: int) -> None:
        """Expect nothing more of a URL."""
        if self.urls.state.values[url] == WAITING:
            self.urls.state.values[url] = GONE

    def meet(self, lessons: Sequence[Lesson], streams: Sequence[WordStream]) -> tuple[Ints, Ints]:
        """Take in pages in their order, with links and words. Return their URLs, and where the links lead.

        The links of a page that is not followed are only evidence.
        """
        first, sizes = len(self.links.source), np.array([len(lesson.links) for lesson in lessons])
        urls, targets = self._named(lessons, sizes)
        relevance = np.array([lesson.relevance or 0.0 for lesson in lessons])
        self.urls.state.values[urls] = FETCHED
        self.urls.relevance.values[urls] = relevance
        self.urls.offered.values[targets[np.repeat([lesson.followed for lesson in lessons], sizes)]] = True
        before = np.cumsum(sizes) - sizes
        self.links.place.extend(np.arange(len(targets)) - np.repeat(before, sizes))
        self._add_links(np.repeat(len(self.pages.url) + np.arange(len(lessons)), sizes), targets)
        self._add_pages(urls, relevance, first + before)
        self._lay_out(lessons, streams)
        self._chain(np.arange(first, first + len(targets)), targets)
        return urls, targets

    def waiting_of(self, domains: Ints, *, most: int) -> Ints:
        """Return the URLs of registered domains that wait, no more than so many, the latest."""
        waiting = self.waiting()
        return waiting[np.isin(self.hosts.domain.values[self.urls.host.values[waiting]], domains)][-most:]

    def credit(self, links: Ints, relevance: Floats) -> None:
        """Tell the links next to some what these led to."""
        near = self.beside(links)
        np.add.at(self.links.near_yielded.values, near.links, relevance[near.places] * near.shares)
        np.add.at(self.links.near_tried.values, near.links, near.shares)

    def beside(self, links: Ints) -> Neighbours:
        """Return the links that stand next to some on their pages."""
        source, steps = self.links.source.values, np.array(NEIGHBOURS)
        near = np.add.outer(links, steps)
        there = (near >= 0) & (near < len(source))
        if len(links):
            there &= source.take(near, mode="clip") == source[links][:, None]
        places, steps_taken = np.nonzero(there)
        return Neighbours(near[there], places, (1.0 / np.abs(steps))[steps_taken])

    def redirect(self, url: int, target: int) -> None:
        """Let all links to one URL lead to another, those found later too."""
        target = self.end_of(target)
        if url == target:
            return
        self.leave(url)
        self.urls.onward.values[url] = target
        self.urls.offered.values[target] |= self.urls.offered.values[url]
        moved = np.array(self.citing(url)[::-1], dtype=np.int64)
        self.urls.latest.values[url] = NONE
        self.urls.cited.values[url] = 0
        self.links.target.values[moved] = target
        self._chain(moved, np.full(len(moved), target))

    def end_of(self, url: int) -> int:
        """Return where a URL leads in the end: itself, unless it redirects."""
        onward = self.urls.onward.values
        while onward[url] != NONE:
            url = int(onward[url])
        return url

    def praise(self, found: Distillation) -> Ints:
        """Take a distillation for the hubs from now on. Return where the links of all pages lead whose score has
        changed.

        Pages that are met later get their scores too.
        """
        self.heard, self._hubs = found.version, found.strengths()
        strengths = np.zeros(len(self.names) + 1)  # the last for pages whose URL was forgotten
        for name, strength in self._hubs.items():
            strengths[self._numbers.get(name, NONE)] = strength
        strengths[NONE] = 0.0
        before = self.pages.hub.values.copy()
        self.pages.hub.values[:] = strengths[self.pages.url.values]
        changed = np.flatnonzero(self.pages.hub.values != before)
        targets = [self.links.target.values[slice(*self.span(page))] for page in changed.tolist()]
        return np.unique(np.concatenate([np.zeros(0, dtype=np.int32), *targets])).astype(np.int64)

    def state(self) -> State:
        """Return everything as arrays, for `restore`."""
        columns = {f"{name}.{key}": column.values for name, key, column in self._columns()}
        names = {"names": as_bytes(self.names)}
        for kind, numbers in self._numberings().items():
            names[f"{kind} names"] = as_bytes(list(numbers))
        strengths = np.array(list(self._hubs.values()), dtype=np.float64)
        hubs: State = {"hub names": as_bytes(list(self._hubs)), "hubs": strengths, "heard": np.array(self.heard)}
        return {**columns, **names, **hubs}

    def restore(self, state: State) -> None:
        for name, key, column in self._columns():
            column.put(state[f"{name}.{key}"])
        self.name(as_names(state["names"]))
        for kind in self._numberings():
            self.name_all(kind, as_names(state[f"{kind} names"]))
        self._hubs = dict(zip(as_names(state["hub names"]), state["hubs"].tolist(), strict=True))
        self.heard = int(state["heard"])

    def empty(self) -> "Ground":
        """Return an empty ground that knows only the addresses of hubs, and the user's marks on domains."""
        other = Ground(bits=self._bits)
        other._hubs, other.heard, other._disowned = self._hubs, self.heard, self._disowned
        return other

    def name(self, urls: list[str]) -> None:
        """Say which URLs the rows of `urls` are."""
        self.names = urls
        self._numbers = {name: number for number, name in enumerate(urls)}

    def _columns(self) -> Iterator[tuple[str, str, Column]]:
        tables = {
            "urls": self.urls,
            "pages": self.pages,
            "links": self.links,
            "hosts": self.hosts,
            "folders": self.folders,
            "domains": self.domains,
        }
        for name, table in tables.items():
            for key, column in table.columns().items():
                yield name, key, column
        yield "all", "words", self.words
        yield "all", "address_words", self.address_words
        yield "all", "strangers", self.strangers
        yield "all", "totals", self.totals
        yield "all", "fingerprints", self.repeats.known

    def _named(self, lessons: Sequence[Lesson], sizes: Ints) -> tuple[Ints, Ints]:
        """Return the numbers of pages, and where their links lead, numbered in the order of the log."""
        names = list[str]()
        for lesson in lessons:
            names.append(lesson.url)
            names += [link.url for link in lesson.links]
        numbers = self._numbers_of(names)
        is_link = np.ones(len(numbers), dtype=np.bool_)
        is_link[np.cumsum(sizes + 1) - sizes - 1] = False
        return numbers[~is_link], self._ends_of(numbers[is_link])

    def _numbers_of(self, urls: Sequence[str]) -> Ints:
        numbers = list(map(self._numbers.get, urls))
        if None in numbers:
            self._add([url for url in dict.fromkeys(urls) if url not in self._numbers])
            numbers = list(map(self._numbers.get, urls))
        return np.array(numbers, dtype=np.int64)

    def _add_pages(self, urls: Ints, relevance: Floats, first_links: Ints) -> None:
        self.pages.url.extend(urls)
        self.pages.relevance.extend(relevance)
        self.pages.hub.extend(
            [self._hubs.get(self.names[url], 0.0) for url in urls.tolist()] if self._hubs else np.zeros(len(urls))
        )
        self.pages.first_link.extend(first_links)

    def _add_links(self, sources: Ints, targets: Ints) -> None:
        self.links.source.extend(sources)
        self.links.target.extend(targets)
        self.links.earlier.add(len(targets), NONE)
        self.links.near_yielded.add(len(targets), 0.0)
        self.links.near_tried.add(len(targets), 0.0)

    def _ends_of(self, urls: Ints) -> Ints:
        onward = self.urls.onward.values
        while len(more := np.flatnonzero(onward[urls] != NONE)):
            urls[more] = onward[urls[more]]
        return urls

    def _add(self, urls: Sequence[str]) -> None:
        """Take in URLs that are not known yet."""
        self._numbers.update(zip(urls, range(len(self.names), len(self.names) + len(urls)), strict=True))
        self.names += urls
        self.urls.state.add(len(urls), WAITING)
        self.urls.onward.add(len(urls), NONE)
        self.urls.offered.add(len(urls), False)
        self.urls.relevance.add(len(urls), 0.0)
        self.urls.cited.add(len(urls), 0)
        self.urls.latest.add(len(urls), NONE)
        self._settle(urls)
        words = [address_words(url) for url in urls]
        sizes = np.array([len(own) for own in words])
        ends = len(self.address_words) + np.cumsum(sizes)
        self.urls.words_from.extend(ends - sizes)
        self.urls.words_to.extend(ends)
        self.address_words.extend(np.array([*chain.from_iterable(words)], dtype=np.int64) & self._mask)

    def _chained(self, url: int) -> Iterator[int]:
        link, earlier = self.urls.latest.values.item(url), self.links.earlier.values.item
        while link != NONE:
            yield link
            link = earlier(link)

    def _rings(self, urls: Ints, most: int) -> tuple[Ints, Ints]:
        """Follow the chains of many URLs at once: first the latest link of each, then the one before it, and so on."""
        link, place = self.urls.latest.values[urls].astype(np.int64), np.arange(len(urls))
        links, places = [link[:0]], [place[:0]]
        for _ in range(most):
            there = link != NONE
            link, place = link[there], place[there]
            if not len(link):
                break
            links.append(link)
            places.append(place)
            link = self.links.earlier.values[link].astype(np.int64)
        return np.concatenate(links), np.concatenate(places)

    def _chain(self, links: Ints, targets: Ints) -> None:
        """Put links, one after another, at the heads of their targets' chains. Several may have the same target."""
        order = np.argsort(targets, kind="stable")
        again = np.flatnonzero(targets[order[1:]] == targets[order[:-1]])
        earlier = self.urls.latest.values[targets]
        earlier[order[again + 1]] = links[order[again]]
        self.links.earlier.values[links] = earlier
        self.urls.latest.values[targets] = links  # of several, the last one written stays
        np.add.at(self.urls.cited.values, targets, 1)

    def spans(self, pages: Ints) -> tuple[Ints, Ints]:
        """Return for each of some pages its first link, and the one after its last."""
        starts = np.append(self.pages.first_link.values, len(self.links.source))
        return starts[pages], starts[pages + 1]

    def span(self, page: int) -> tuple[int, int]:
        """Return the first link of a page and the one after its last."""
        starts = self.pages.first_link.values
        return int(starts[page]), int(starts[page + 1]) if page + 1 < len(starts) else len(self.links.source)

    def _lay_out(self, lessons: Sequence[Lesson], streams: Sequence[WordStream]) -> None:
        """Remember the words of pages, and where those of each link are and those around it."""
        layout = laid_out(lessons, streams, base=len(self.words))
        self.words.extend(np.concatenate([stream.words for stream in streams]) & self._mask)
        self.links.own_from.extend(layout.own_from)
        self.links.own_to.extend(layout.own_to)
        self.links.around_from.extend(layout.around_from)
        self.links.around_to.extend(layout.around_to)


def as_bytes(names: Sequence[str]) -> NDArray[np.uint8]:
    return np.frombuffer("\n".join(names).encode("utf-8", "surrogatepass"), dtype=np.uint8)


def as_names(joined: NDArray[Any]) -> list[str]:
    text = joined.tobytes().decode("utf-8", "surrogatepass")
    return text.split("\n") if text else []
