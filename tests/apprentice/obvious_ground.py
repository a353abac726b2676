"""What an apprentice should remember, kept in dicts and lists and worked out again for every question: slow, and
obvious.

It takes the same lessons as `ground.Ground`; where the two differ, one of them is wrong.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise

from scenthound.apprentice.words.lexicon import BITS
from scenthound.parse.words.word_stream import unpack
from scenthound.types import Lesson

LEAVES = 4  # on each side of a link
WORDS = 30  # on each side at most
STEPS = 3  # links on each side that are next to one


@dataclass(slots=True, kw_only=True, eq=False)
class Link:
    target: str
    page: "Page"
    own: list[int]
    before: list[int]
    after: list[int]


@dataclass(slots=True, kw_only=True, eq=False)
class Page:
    relevance: float
    links: list[Link] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class Yield:
    """What came of something: relevance added up, and how many that were."""

    yielded: float = 0.0
    tried: float = 0.0


class ObviousGround:
    def __init__(self) -> None:
        self.met: dict[str, float] = {}  # pages that were fetched
        self.leading: dict[str, list[Link]] = {}  # links to each URL, the oldest first
        self.gone: set[str] = set()
        self.offered: set[str] = set()  # by a page whose links are followed

    def take(self, lesson: Lesson) -> None:
        self.leading.setdefault(lesson.url, [])
        if lesson.redirect:
            self._redirect(lesson.url, lesson.links[0].url)
        elif lesson.failed:
            self.gone.add(lesson.url)
        else:
            self._page(lesson)

    def _redirect(self, url: str, target: str) -> None:
        self.leading.setdefault(target, [])
        if url == target:
            return
        self.gone.add(url)
        if url in self.offered:
            self.offered.add(target)
        for link in self.leading[url]:
            link.target = target
        self.leading[target] += self.leading[url]
        self.leading[url] = []

    def _page(self, lesson: Lesson) -> None:
        self.met[lesson.url] = lesson.relevance or 0.0
        stream, page = unpack(lesson.stream), Page(relevance=lesson.relevance or 0.0)
        words, starts = [word % 2**BITS for word in stream.words.tolist()], stream.starts.tolist()
        leaves = [words[begin:end] for begin, end in pairwise(starts)]
        if lesson.followed:
            self.offered |= {link.url for link in lesson.links}
        for link in lesson.links:
            first, last = link.first_leaf, link.last_leaf
            told = first >= 0 and last < len(leaves)
            seen = Link(
                target=link.url,
                page=page,
                own=_joined(leaves[first : last + 1]) if told else [],
                before=_joined(leaves[max(first - LEAVES, 0) : first])[-WORDS:] if told else [],
                after=_joined(leaves[last + 1 : last + 1 + LEAVES])[:WORDS] if told else [],
            )
            page.links.append(seen)
            self.leading.setdefault(link.url, []).append(seen)

    def waiting(self) -> set[str]:
        return self.offered - self.met.keys() - self.gone

    def beside(self, link: Link) -> Yield:
        """What the links next to a link have led to: the nearest counts whole, the second half, the third a third."""
        place, yielded, tried = link.page.links.index(link), 0.0, 0.0
        for other, neighbour in enumerate(link.page.links):
            distance = abs(other - place)
            if 1 <= distance <= STEPS and neighbour.target in self.met:
                yielded += self.met[neighbour.target] / distance
                tried += 1 / distance
        return Yield(yielded=yielded, tried=tried)

    def of_group(self, belongs: Callable[[str], bool]) -> Yield:
        """What the pages of a host were like."""
        return self._sum([url for url in self.met if belongs(url)])

    def _sum(self, urls: list[str]) -> Yield:
        found = [self.met[url] for url in urls if url in self.met]
        return Yield(yielded=sum(found), tried=len(found))


def host_of(url: str) -> str:
    return url.split("/")[2]


def _joined(leaves: list[list[int]]) -> list[int]:
    return [word for leaf in leaves for word in leaf]
