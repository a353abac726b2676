"""Lessons made by chance, as a log may have them: pages that share targets, redirects, dead links, pages without links
or words.

log = lessons(seed=3, many=20)
model = taught(log)

Drawn with `random` from one seed: every URL has one lesson at most, as the store sees to.
"""

from collections.abc import Iterable, Sequence
from random import Random

import numpy as np
from msgspec.structs import replace

from scenthound.apprentice.model import State
from scenthound.apprentice.scent import BLOCK, CAPACITY, ScentModel
from scenthound.parse.words.word_stream import WordStream, number_of, pack
from scenthound.types import Lesson, LessonLink
from tests.often import often

HOSTS = ("a.test", "b.test", "www.c.test")
FOLDERS = ("", "birds/", "birds/eggs/", "fish/")
NAMES = ("wren", "robin_nest", "trout", "index.htm", "page?n=1", "page?n=2/3", "reef-shoal", "x")
URLS = [f"http://{host}/{folder}{name}" for host in HOSTS for folder in FOLDERS for name in NAMES]
TERMS = ("wren", "trout", "nest", *(f"word{n}" for n in range(37)))
WORDS = [number_of(term) for term in TERMS]

FINGERPRINTS = (None, 0, 3, -1, 1 << 40, 0x5555 << 20)  # 3 is nearly 0, and 1 << 40 too

# As many as run in a second or two; a busy machine is no reason to fail.
OFTEN = often(40)

Leaves = Sequence[Sequence[int]]


def words_of(leaves: Leaves) -> bytes:
    """Return a page with these words in its leaves, as the reader packs it."""
    sizes = np.cumsum([0, *map(len, leaves)])
    flat = np.array([word for leaf in leaves for word in leaf], dtype=np.uint32)
    return pack(WordStream(words=flat, starts=sizes.astype(np.uint32)))


def lessons(seed: int, many: int, *, urls: Sequence[str] = URLS, links: int = 8) -> list[Lesson]:
    """Return a log of so many lessons, with up to so many links each."""
    chance = Random(seed)
    order = chance.sample(urls, min(many, len(urls)))
    return [_lesson(chance, url, urls, links) for url in order]


def without_late_links(log: list[Lesson]) -> list[Lesson]:
    """Leave links out that lead to a URL known to redirect by then: whether these lead on has a test of its own."""
    moved, kept = set[str](), list[Lesson]()
    for lesson in log:
        links = tuple(link for link in lesson.links if link.url not in moved)
        if lesson.redirect and not links:
            continue
        moved |= {lesson.url} if lesson.redirect else set()
        kept.append(replace(lesson, links=links))
    return kept


def in_whole_blocks(log: list[Lesson]) -> list[Lesson]:
    """Leave the last lessons out, up to the end of a block: what later ones say of others is not taken to heart yet."""
    pages = [place for place, lesson in enumerate(log, start=1) if not (lesson.redirect or lesson.failed)]
    return log[: ([0, *pages])[len(pages) // BLOCK * BLOCK]]


def _lesson(chance: Random, url: str, urls: Sequence[str], links: int) -> Lesson:
    kind = chance.random()
    if kind < 0.2:
        return _redirect(chance, url, urls)
    return Lesson(url=url, relevance=0.0, failed=True) if kind < 0.3 else _page(chance, url, urls, links)


def _redirect(chance: Random, url: str, urls: Sequence[str]) -> Lesson:
    return Lesson(url=url, redirect=True, links=(LessonLink(chance.choice(urls)),))


def _page(chance: Random, url: str, urls: Sequence[str], links: int) -> Lesson:
    leaves = leaves_by_chance(chance)
    targets = chance.sample(urls, chance.randrange(links + 1))
    return Lesson(
        url=url,
        relevance=chance.choice([0.0, 1.0, chance.random()]),
        followed=chance.random() < 0.8,
        links=tuple(_link(chance, target, len(leaves)) for target in targets),
        stream=b"" if chance.random() < 0.2 else words_of(leaves),
        fingerprint=chance.choice(FINGERPRINTS),
    )


def leaves_by_chance(chance: Random) -> list[list[int]]:
    """Return leaves, many of them empty and some with more words than are looked at."""
    sizes = [chance.choice([0, 0, 1, 2, 5, 40]) for _ in range(chance.randrange(14))]
    return [chance.choices(WORDS, k=size) for size in sizes]


def _link(chance: Random, target: str, leaves: int) -> LessonLink:
    first = chance.randrange(-1, leaves + 1)  # one too many: it may point beyond what was kept
    return LessonLink(target, first, first + chance.choice([0, 0, 1]) if first >= 0 else -1)


def taught(log: Iterable[Lesson], *, capacity: int = CAPACITY) -> ScentModel:
    """Return an apprentice that has taken these lessons."""
    model = ScentModel(capacity=capacity)
    for lesson in log:
        model.learn(lesson)
    return model


def same(one: State, other: State) -> bool:
    """Tell whether two states are the same, bit for bit."""
    return one.keys() == other.keys() and all(
        (one[name].dtype, one[name].shape, one[name].tobytes())
        == (other[name].dtype, other[name].shape, other[name].tobytes())
        for name in one
    )
