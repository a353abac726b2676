"""Pages by hand for strategies to see, a critic that knows a few words, and a frontier to try strategies on.

strategy.see(seen("hub", ["wren", "robin"], relevance=0.8))
"""

import heapq
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from scenthound.lab.strategies.strategy import Briefing, Omniscience, Seen, Strategy
from scenthound.parse.words.page_terms import terms_of_text
from scenthound.parse.words.terms import pack
from scenthound.types import Link, Reading


@dataclass(kw_only=True)
class Vocabulary:
    """A critic for which a text is as relevant as its most relevant word; it counts how often it was asked."""

    words: Mapping[str, float] = field(default_factory=dict)
    asked: int = 0

    def relevance(self, texts: Sequence[str], language: str = "") -> NDArray[np.float64]:
        self.asked += 1
        return np.array([max((self.words.get(word, 0.0) for word in text.split()), default=0.0) for text in texts])


def briefing(words: Mapping[str, float] | None = None, *, truth: Omniscience | None = None, seed: int = 1) -> Briefing:
    return Briefing(seed=seed, words=Vocabulary(words=words or {}), truth=truth)


def seen(
    url: str,
    links: Iterable[str | Link] = (),
    *,
    relevance: float = 0.0,
    example: bool = False,
    priority: float = 0.0,
    text: str = "",
    leaves: tuple[str, ...] = (),
    n: int = 0,
) -> Seen:
    """Return a page as a strategy sees it; a link may be just the URL."""
    return Seen(
        n=n,
        url=url,
        host="a.test",
        depth=0,
        relevance=relevance,
        topic="",
        example=example,
        priority=priority,
        links=tuple(Link(url=link) if isinstance(link, str) else link for link in links),
        reading=Reading(leaves=leaves, terms=pack(terms_of_text(text, language="en")), language="en"),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaf:
    """A page of a web by hand."""

    links: tuple[str, ...] = ()
    relevance: float = 0.0
    relevant: bool = False
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Web:
    """A web by hand; it is also what an oracle is told. A link without a page is dead."""

    pages: Mapping[str, Leaf]

    def relevant(self, url: str) -> bool:
        return url in self.pages and self.pages[url].relevant

    def alive(self, url: str) -> bool:
        return url in self.pages

    def links(self, url: str) -> Sequence[str]:
        return [link for link in self.pages[url].links if link in self.pages] if url in self.pages else []

    def seen(self, url: str, *, priority: float = 0.0, example: bool = False, n: int = 0) -> Seen:
        """Return a page as a strategy sees it: each of its links stands in a leaf of its own, between leaves of its
        text.
        """
        page = self.pages[url]
        words = page.text.split()
        leaves: list[str] = []
        links = []
        for number, link in enumerate(page.links):
            leaves += [link, " ".join(words[number : number + 2])]
            links.append(Link(url=f"{link}", text=link, first_leaf=2 * number, last_leaf=2 * number))
        return seen(
            url,
            links,
            relevance=page.relevance,
            example=example,
            priority=priority,
            text=page.text,
            leaves=tuple(leaves),
            n=n,
        )


def crawl(web: Web, strategy: Strategy, start: Sequence[str], most: int = 1_000) -> list[str]:
    """Crawl as the frontier does: the greatest priority first, and of equals the URL found first. Dead links cost
    nothing.
    """
    frontier = _Frontier(strategy)
    for url in start:
        frontier.show(web.seen(url, example=True, n=frontier.shown))
    fetched: list[str] = []
    while len(fetched) < most and (claimed := frontier.claim()) is not None:
        if claimed in web.pages:
            fetched.append(claimed)
            frontier.show(web.seen(claimed, priority=frontier.said[claimed], n=frontier.shown))
    return fetched


class _Frontier:
    def __init__(self, strategy: Strategy) -> None:
        self.said: dict[str, float] = {}
        self.shown = 0
        self._strategy = strategy
        self._done: set[str] = set()
        self._places: dict[str, int] = {}
        self._heap: list[tuple[float, int, str]] = []

    def show(self, page: Seen) -> None:
        self._done.add(page.url)
        self.shown += 1
        said = self._strategy.see(page)
        silent = {link.url: 0.0 for link in page.links if link.url not in said and link.url not in self.said}
        for link in page.links:
            self._places.setdefault(link.url, len(self._places))
        for url, priority in {**said, **silent}.items():
            if url in self._done:
                continue
            self.said[url] = priority
            heapq.heappush(self._heap, (-priority, self._places[url], url))

    def claim(self) -> str | None:
        while self._heap:
            priority, _, url = heapq.heappop(self._heap)
            if url not in self._done and self.said[url] == -priority:
                self._done.add(url)
                return url
        return None


BIRDS = ["wren", "robin", "plumage", "nest", "feather", "warbler", "beak", "song"]
ROCKS = ["granite", "basalt", "quartz", "crystal", "magma", "sediment", "fossil", "ore"]


def made_up_web(seed: int, pages: int = 80) -> Web:
    """Make a web about birds and rocks: links mostly keep to the subject, and a page's words are those of its subject."""
    chance = random.Random(seed)
    names = [f"{('bird', 'rock')[n % 2]}-{n}" for n in range(pages)]
    return Web(pages={name: _made_up(name, names, chance) for name in names})


def _made_up(name: str, names: Sequence[str], chance: random.Random) -> Leaf:
    bird = name.startswith("bird")
    alike = [other for other in names if other.startswith(name[:4]) and other != name]
    links = chance.sample(alike, 4) + chance.sample(names, 3)
    words = BIRDS if bird else ROCKS
    return Leaf(
        links=tuple(dict.fromkeys(link for link in links if link != name)),
        relevance=round(chance.uniform(0.5, 1.0) if bird else chance.uniform(0.0, 0.5), 3),
        relevant=bird,
        text=" ".join(chance.choices(words, k=20)),
    )
