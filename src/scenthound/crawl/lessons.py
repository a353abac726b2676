"""Gathering what a critic learns from: the examples as the store holds them, files beside the topics, queries in words.

Examples that are web pages were fetched like any page and lie in the store; a dead one is named and does not stop the rest.
Where the tree has nothing that competes with the good topics, pages of no topic are made up or taken from the crawl.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from scenthound.config import CriticSettings
from scenthound.crawl.reading_again import page_of_archive, page_of_file
from scenthound.judge.background import describe, others
from scenthound.judge.base import Example, Lessons, Page
from scenthound.parse.terms import unpack
from scenthound.parse.text import terms_of_text
from scenthound.parse.urls import canonical, domain_of, host_of
from scenthound.store.base import Store
from scenthound.taxonomy import NOT_WANTED, Topics, is_address
from scenthound.types import HeldPage

AT_HAND = 2000  # pages of the crawl from which the meaning of words is learnt; the default critic takes no more
COMPETING = 30  # examples outside of the good topics from which on they are negatives enough
SURELY_OFF = 0.1  # relevance up to which a page of the crawl may stand for all that is off topic
MOST_OFF = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class DeadExample:
    """An example that gave no page, and why."""

    topic: str
    name: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Gathered:
    """The examples as they are now. `digest` changes with them and with the settings, not with the crawl."""

    topics: Topics
    examples: tuple[Example, ...]
    dead: tuple[DeadExample, ...]
    digest: str

    def disowned(self) -> dict[str, int]:
        """Count by how many pages of each domain more were said not to be good than are good, where there are any."""
        balance = Counter[str]()
        for example in self.examples:
            if is_address(example.name) and (example.topic == NOT_WANTED or self.topics.is_good(example.topic)):
                address = canonical(example.name) or example.name
                balance[domain_of(host_of(address))] += 1 if example.topic == NOT_WANTED else -1
        return dict(+balance)


@dataclass(frozen=True, slots=True, kw_only=True)
class Teaching:
    """Lessons, and in words what stands for the pages that are not wanted."""

    lessons: Lessons
    said: str


def gather(store: Store, topics: Topics, *, folder: Path, critic: CriticSettings) -> Gathered:
    """Collect the examples for a critic of that kind: enough to know whether one that has learnt from them will do."""
    examples: list[Example] = []
    dead: list[DeadExample] = []
    for found in _examples(store, topics, folder):
        if isinstance(found, Example):
            examples.append(found)
        else:
            dead.append(found)
    return Gathered(topics=topics, examples=tuple(examples), dead=tuple(dead), digest=_digest(critic, examples))


def teaching(store: Store, gathered: Gathered, *, seed: int) -> Teaching:
    """Add to the examples what else is learnt from: pages of no topic, and pages at hand."""
    topics, examples = gathered.topics, gathered.examples
    at_hand = tuple(as_page(held) for held in store.drawn(limit=AT_HAND))
    negatives, said = _negatives(store, topics, examples, seed=seed)
    return Teaching(lessons=Lessons(topics=topics, examples=examples, others=negatives, at_hand=at_hand), said=said)


def example_urls(topics: Topics) -> list[str]:
    """Return the addresses of all examples in canonical form, each once."""
    found = (canonical(url) for topic in topics.topics for url in topic.example_urls)
    return list(dict.fromkeys(url for url in found if url))


def _examples(store: Store, topics: Topics, folder: Path) -> Iterator[Example | DeadExample]:
    held = store.held(example_urls(topics))
    for topic in topics.topics:
        for name in topic.example_urls:
            page = held.get(canonical(name) or "")
            if page is None:
                yield DeadExample(topic=topic.path, name=name, why=_why_dead(store, name))
            else:
                yield Example(topic=topic.path, name=name, page=_example_page(page, folder))
        for name in topic.example_files:
            read = page_of_file(folder / name)
            if isinstance(read, Page):
                yield Example(topic=topic.path, name=name, page=read)
            else:
                yield DeadExample(topic=topic.path, name=name, why=read)
        if topic.query:
            terms = terms_of_text(topic.query)
            yield Example(topic=topic.path, name=topic.query, page=Page(title=topic.query, terms=terms))


def _why_dead(store: Store, name: str) -> str:
    story = store.story(canonical(name) or name, now=0.0)
    if story is None:
        return "not fetched yet"
    if story.page is not None and story.page.final_url != story.url:
        return f"it leads to {story.page.final_url}, which gave no page"
    return f"{story.reason} {story.detail}".strip() if story.reason else "not fetched yet"


def _negatives(store: Store, topics: Topics, examples: Sequence[Example], *, seed: int) -> tuple[tuple[Page, ...], str]:
    """Return pages of no topic, and in words what stands for the pages that are not wanted."""
    competing = [example for example in examples if not topics.is_good(example.topic)]
    if len(competing) >= COMPETING:
        return (), f"{len(competing)} examples of other topics stand for what is not wanted"
    off = tuple(as_page(held) for held in store.drawn(limit=MOST_OFF, most_relevance=SURELY_OFF))
    said = [describe(examples)]
    if competing:
        said.insert(0, f"{len(competing)} examples of other topics are too few to stand alone for what is not wanted.")
    if off:
        said.append(f"{len(off)} pages of this crawl that are surely off topic were added.")
    return (*others(examples, seed=seed), *off), " ".join(said).removesuffix(".")


def _example_page(held: HeldPage, folder: Path) -> Page:
    """Return an example as stored; one that was fetched while there was no critic is read from the archive."""
    read = None if held.terms else page_of_archive(folder / "archive", held)
    return read or as_page(held)


def as_page(held: HeldPage) -> Page:
    return Page(url=held.url, title=held.title, language=held.language, terms=unpack(held.terms))


def _digest(critic: CriticSettings, examples: Sequence[Example]) -> str:
    """Return a digest that changes with the settings and with any example: its topic, its name or its terms."""
    seen = sha256(repr(critic).encode())
    for example in sorted(examples, key=lambda one: (one.topic, one.name)):
        terms = " ".join(example.page.terms.terms)
        counts = example.page.terms.main.tobytes()
        seen.update(f"\n{example.topic}\t{example.name}\t{terms}\t".encode() + counts)
    return seen.hexdigest()[:16]
