"""Pages to learn from, for benches of the apprentice: those of the schools web, or made ones where it is not at hand.

A page here is what the lane hands to the apprentice: an address, a relevance, links with their leaves, and its words in
order.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from bench.serving import SCHOOLS, webs_file
from scenthound.lab import World, WorldSource, open_world
from scenthound.parse.urls import host_of
from scenthound.parse.words.word_stream import WordStream, pack
from scenthound.types import Lesson, LessonLink

TOPIC: Final = "Science"  # the largest tree of the schools web
RELEVANT, IRRELEVANT = 0.9, 0.1  # what a critic is taken to say of pages about that, and of others

MADE_PAGES: Final = 5_000
MADE_URLS: Final = 30_000
MADE_WORDS: Final = 20_000
MADE_LINKS, MADE_LEAVES, MADE_LEAF = 50, 300, 6  # links and leaves of a made page, and words of a leaf


@dataclass(frozen=True, slots=True, kw_only=True)
class LessonPage:
    """A page; each link leads to another URL."""

    url: str
    relevance: float
    links: tuple[LessonLink, ...]
    stream: bytes

    def on(self, host: str) -> Lesson:
        """Return the lesson that the page is, as if its whole web were on another host."""
        old, new = f"://{host_of(self.url)}/", f"://{host}/"
        links = tuple(LessonLink(link.url.replace(old, new, 1), link.first_leaf, link.last_leaf) for link in self.links)
        return Lesson(url=self.url.replace(old, new, 1), relevance=self.relevance, links=links, stream=self.stream)


def lesson_pages() -> list[LessonPage]:
    """Return the pages of the schools web in a random order, links to what was not archived included.

    Else made ones.
    """
    warc, labels = webs_file(SCHOOLS), webs_file("schools.labels.tsv")
    if warc is None or labels is None:
        return list(made_pages(MADE_PAGES))
    with open_world(WorldSource(name="schools", warc=(warc,), labels=labels)) as world:
        about, order = world.about(TOPIC), np.random.default_rng(7).permutation(len(world.urls))
        return [_archived(world, number, RELEVANT if number in about else IRRELEVANT) for number in order.tolist()]


def with_most_links(pages: Sequence[LessonPage], count: int, *, at_most: int) -> list[LessonPage]:
    """Return the pages with most links, in the order in which they come, each with so many links at the most."""
    least = sorted((len(page.links) for page in pages), reverse=True)[min(count, len(pages)) - 1]
    chosen = [page for page in pages if len(page.links) >= least][:count]
    return [replace(page, links=page.links[:at_most]) for page in chosen]


def made_pages(count: int) -> Iterator[LessonPage]:
    """Yield pages whose words are drawn as on the web, few often and many seldom; some lead to each other."""
    chance = np.random.default_rng(7)
    for number in range(count):
        words = (MADE_WORDS * chance.random(MADE_LEAVES * MADE_LEAF) ** 3).astype(np.uint32)
        starts = np.arange(0, len(words) + 1, MADE_LEAF, dtype=np.uint32)
        leaves = np.sort(chance.choice(MADE_LEAVES, MADE_LINKS, replace=False)).tolist()
        targets = chance.choice(MADE_URLS, MADE_LINKS, replace=False).tolist()
        yield LessonPage(
            url=_made_url(number),
            relevance=IRRELEVANT if number % 5 else RELEVANT,
            links=tuple(LessonLink(_made_url(to), leaf, leaf) for to, leaf in zip(targets, leaves, strict=True)),
            stream=pack(WordStream(words=words, starts=starts)),
        )


def _archived(world: World, number: int, relevance: float) -> LessonPage:
    exchange = world.exchange(world.urls[number])
    assert exchange is not None, "a page has an answer"
    reading = exchange.reading
    links = {link.url: LessonLink(link.url, link.first_leaf, link.last_leaf) for link in reading.links}
    return LessonPage(url=world.urls[number], relevance=relevance, links=tuple(links.values()), stream=reading.stream)


def _made_url(number: int) -> str:
    return f"http://made.example/folder-{number % 97}/{'abcdefghij'[number % 10] * 4}-page-{number}.htm"
