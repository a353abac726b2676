"""What an apprentice remembers of the web it has seen: URLs, pages, their links, the words around each, and what came of them.

Everything is numbered and kept in columns, so that a frontier of a million links is scored by a few dozen array operations.
All of it follows from the lessons taken in, in their order.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from scenthound.apprentice.columns import Column
from scenthound.parse.stems import STOP, stems
from scenthound.parse.urls import host_of
from scenthound.parse.word_stream import WordStream, number_of
from scenthound.types import LessonLink

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
State = dict[str, NDArray[Any]]

WAITING: Final = 0
FETCHED: Final = 1
GONE: Final = 2  # redirected or failed
NONE: Final = -1

LEAVES_AROUND: Final = 4  # of the page's tree, on each side of a link
WORDS_AROUND: Final = 30  # at most, on each side
NEAR_WORDS: Final = 8  # of these, on each side, that are next to the link
ADDRESS_WORDS: Final = 8  # of an address, the last
NEIGHBOURS: Final = 3  # links on each side whose targets speak for that of a link

_ENDINGS: Final = ("htm", "html", "php", "asp", "aspx", "jsp")


class Table:
    """Columns of one length each, known by their names."""

    def columns(self) -> dict[str, Column]:
        return dict(vars(self))


class Urls(Table):
    def __init__(self) -> None:
        self.state = Column(np.int8)
        self.onward = Column(np.int32)  # where it redirects to
        self.offered = Column(np.bool_)  # whether a page whose links are followed leads there
        self.relevance = Column(np.float64)  # of those that were fetched
        self.latest = Column(np.int32)  # the link seen last that leads there: the head of a chain of all
        self.host = Column(np.int32)
        self.words_from = Column(np.int64)  # the words of its path, a range of `address_words`
        self.words_to = Column(np.int64)


class Pages(Table):
    def __init__(self) -> None:
        self.relevance = Column(np.float64)
        self.first_link = Column(np.int64)
        self.yielded = Column(np.float64)  # the relevance of those of its links that were fetched, added up
        self.tried = Column(np.float64)  # how many these are


class Links(Table):
    def __init__(self) -> None:
        self.source = Column(np.int32)  # the page that it stands on
        self.target = Column(np.int32)
        self.earlier = Column(np.int32)  # the link seen before this one that leads to the same URL
        self.own_from = Column(np.int64)  # the link's own words, a range of `words`
        self.own_to = Column(np.int64)
        self.around_from = Column(np.int64)  # these and the words around it
        self.around_to = Column(np.int64)
        self.near_yielded = Column(np.float64)  # what the links next to it led to; nearer ones weigh more
        self.near_tried = Column(np.float64)


class Hosts(Table):
    def __init__(self) -> None:
        self.yielded = Column(np.float64)
        self.tried = Column(np.float64)


class Ground:
    """First `meet` a page with its relevance, then `spread` its links; `words` have `bits` bits each."""

    def __init__(self, *, bits: int) -> None:
        self._bits = bits
        self._mask = (1 << bits) - 1
        self.urls = Urls()
        self.pages = Pages()
        self.links = Links()
        self.hosts = Hosts()
        self.words = Column(np.int32)
        self.address_words = Column(np.int32)
        self.wasted = Column(np.float64, [0.0])  # fetches that came to nothing, of all hosts together
        self.names: list[str] = []
        self._numbers: dict[str, int] = {}
        self._host_numbers: dict[str, int] = {}

    def number(self, url: str) -> int:
        """Return the number of a URL; one not known yet is waiting from now on."""
        number = self._numbers.get(url)
        return self._new(url) if number is None else number

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
        found, earlier = [], self.links.earlier.values
        link = int(self.urls.latest.values[url])
        while link != NONE:
            found.append(link)
            link = int(earlier[link])
        return found

    def citing_any(self, urls: Sequence[int] | Ints) -> Ints:
        """Return the links that lead to any of some URLs, URL by URL."""
        return np.array([link for url in urls for link in self.citing(int(url))], dtype=np.int64)

    def leading_to(self, urls: Ints) -> Ints:
        """Return the same links in the order in which they were seen: faster where many are asked for."""
        wanted = np.zeros(len(self.names), dtype=np.bool_)
        wanted[urls] = True
        return np.flatnonzero(wanted[self.links.target.values])

    def leave(self, url: int) -> None:
        """Expect nothing more of a URL."""
        if self.urls.state.values[url] == WAITING:
            self.urls.state.values[url] = GONE

    def meet(self, url: int, relevance: float) -> None:
        """Remember what a URL came to, for all that has to do with it: citing pages, links next to theirs, its host."""
        self.urls.state.values[url] = FETCHED
        self.urls.relevance.values[url] = relevance
        self.wasted.values[0] += 1.0 - relevance
        host = self.urls.host.values[url]
        self.hosts.yielded.values[host] += relevance
        self.hosts.tried.values[host] += 1.0
        for link in self.citing(url):
            self._credit(link, relevance)

    def redirect(self, url: int, target: int) -> None:
        """Let all links to one URL lead to another, those found later too."""
        target = self.end_of(target)
        if url == target:
            return
        self.leave(url)
        self.urls.onward.values[url] = target
        self.urls.offered.values[target] |= self.urls.offered.values[url]
        moved = self.citing(url)
        self.urls.latest.values[url] = NONE
        for link in reversed(moved):
            self.links.target.values[link] = target
            self._chain(link, target)
            if self.urls.state.values[target] == FETCHED:
                self._credit(link, float(self.urls.relevance.values[target]))

    def end_of(self, url: int) -> int:
        """Return where a URL leads in the end: itself, unless it redirects."""
        onward = self.urls.onward.values
        while onward[url] != NONE:
            url = int(onward[url])
        return url

    def spread(
        self, relevance: float, links: Sequence[LessonLink], stream: WordStream, *, followed: bool = True
    ) -> Ints:
        """Take in the links of a page, and return where they lead; those of a page that is not followed are only evidence."""
        first, page = len(self.links.source), len(self.pages.relevance)
        targets = np.array([self.end_of(self.number(link.url)) for link in links], dtype=np.int64)
        if followed:
            self.urls.offered.values[targets] = True
        self.pages.relevance.append(relevance)
        self.pages.first_link.append(first)
        self.pages.yielded.append(0.0)
        self.pages.tried.append(0.0)
        self.links.source.add(len(links), page)
        self.links.target.extend(targets)
        self.links.earlier.add(len(links), NONE)
        self.links.near_yielded.add(len(links), 0.0)
        self.links.near_tried.add(len(links), 0.0)
        self._lay_out(links, stream)
        for link, target in enumerate(targets.tolist(), first):
            self._chain(link, target)
        state, known = self.urls.state.values, self.urls.relevance.values
        for place in np.flatnonzero(state[targets] == FETCHED).tolist():
            self._credit(first + place, float(known[targets[place]]))
        return targets

    def state(self) -> State:
        """Return everything as arrays, for `restore`."""
        columns = {f"{name}.{key}": column.values for name, key, column in self._columns()}
        return {**columns, "names": as_bytes(self.names), "host names": as_bytes(self.host_names())}

    def restore(self, state: State) -> None:
        for name, key, column in self._columns():
            column.put(state[f"{name}.{key}"])
        self.name(as_names(state["names"]))
        self.name_hosts(as_names(state["host names"]))

    def empty(self) -> "Ground":
        """Return another one where nothing is known yet."""
        return Ground(bits=self._bits)

    def name(self, urls: list[str]) -> None:
        """Say which URLs the rows of `urls` are."""
        self.names = urls
        self._numbers = {name: number for number, name in enumerate(urls)}

    def host_names(self) -> list[str]:
        return list(self._host_numbers)

    def name_hosts(self, names: list[str]) -> None:
        """Say which hosts the rows of `hosts` are."""
        self._host_numbers = {name: number for number, name in enumerate(names)}

    def _columns(self) -> Iterator[tuple[str, str, Column]]:
        tables = {"urls": self.urls, "pages": self.pages, "links": self.links, "hosts": self.hosts}
        for name, table in tables.items():
            for key, column in table.columns().items():
                yield name, key, column
        yield "all", "words", self.words
        yield "all", "address_words", self.address_words
        yield "all", "wasted", self.wasted

    def _new(self, url: str) -> int:
        number = self._numbers[url] = len(self.names)
        self.names.append(url)
        self.urls.state.append(WAITING)
        self.urls.onward.append(NONE)
        self.urls.offered.append(False)
        self.urls.relevance.append(0.0)
        self.urls.latest.append(NONE)
        self.urls.host.append(self._host(host_of(url)))
        self.urls.words_from.append(len(self.address_words))
        self.address_words.extend([number_of(word) & self._mask for word in address_words(url)])
        self.urls.words_to.append(len(self.address_words))
        return number

    def _host(self, name: str) -> int:
        number = self._host_numbers.get(name)
        if number is None:
            number = self._host_numbers[name] = len(self._host_numbers)
            self.hosts.yielded.append(0.0)
            self.hosts.tried.append(0.0)
        return number

    def _chain(self, link: int, target: int) -> None:
        self.links.earlier.values[link] = self.urls.latest.values[target]
        self.urls.latest.values[target] = link

    def _credit(self, link: int, relevance: float) -> None:
        """Tell the page that a link stands on, and the links next to it, what it led to."""
        page = self.links.source.values[link]
        self.pages.yielded.values[page] += relevance
        self.pages.tried.values[page] += 1.0
        first, after = self.span(page)
        for step in range(1, NEIGHBOURS + 1):
            for near in (link - step, link + step):
                if first <= near < after:
                    self.links.near_yielded.values[near] += relevance / step
                    self.links.near_tried.values[near] += 1.0 / step

    def span(self, page: int) -> tuple[int, int]:
        """Return the first link of a page and the one after its last."""
        starts = self.pages.first_link.values
        return int(starts[page]), int(starts[page + 1]) if page + 1 < len(starts) else len(self.links.source)

    def _lay_out(self, links: Sequence[LessonLink], stream: WordStream) -> None:
        """Find the words of each link and those around it."""
        base = len(self.words)
        self.words.extend(stream.words & self._mask)
        starts = stream.starts.astype(np.int64) if len(stream.starts) else np.zeros(1, dtype=np.int64)
        last = len(starts) - 1  # as many leaves as there are
        leaves = np.array([(link.first_leaf, link.last_leaf) for link in links], dtype=np.int64).reshape(-1, 2)
        has = (leaves[:, 0] >= 0) & (leaves[:, 1] < last)
        first, after = np.where(has, leaves[:, 0], 0), np.where(has, leaves[:, 1] + 1, 0)
        own_from, own_to = starts[first], starts[after]
        from_leaf, to_leaf = np.maximum(first - LEAVES_AROUND, 0), np.minimum(after + LEAVES_AROUND, last)
        around_from = np.where(has, np.maximum(starts[from_leaf], own_from - WORDS_AROUND), own_from)
        around_to = np.where(has, np.minimum(starts[to_leaf], own_to + WORDS_AROUND), own_to)
        self.links.own_from.extend(base + own_from)
        self.links.own_to.extend(base + own_to)
        self.links.around_from.extend(base + around_from)
        self.links.around_to.extend(base + around_to)


def address_words(url: str) -> list[str]:
    """Return the words of an address behind its host, as stems.

    >>> address_words("http://a.example/wp/b/Bicycle_gears.htm?lang=en")
    ['bicycl', 'gear', 'lang']
    """
    path = url.partition("://")[2].partition("/")[2].lower()
    table = stems("en")  # addresses are in English more often than pages, and a wrong stem is still a word of its own
    found = (table[word.encode()] for word in _word().findall(path)[-ADDRESS_WORDS:])
    return [term for term in found if term and term not in (STOP, *_ENDINGS)]


@cache
def _word() -> re.Pattern[str]:
    return re.compile("[a-z]{3,}")


def as_bytes(names: Sequence[str]) -> NDArray[np.uint8]:
    return np.frombuffer("\n".join(names).encode("utf-8", "surrogatepass"), dtype=np.uint8)


def as_names(joined: NDArray[Any]) -> list[str]:
    text = joined.tobytes().decode("utf-8", "surrogatepass")
    return text.split("\n") if text else []
