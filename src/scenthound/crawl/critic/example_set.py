"""The set that a critic learns from: the examples as the store holds them, files beside the topics, queries in words.

Examples that are web pages were fetched like any page and lie in the store; a dead one is reported and does not stop
the rest. Pages of no topic come from the canonical tree, or are made up where it cannot read the examples' language.
Pages of the crawl itself join without labels: always the first so many, so that the same topics give the same critic at
any time.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

from scenthound.counted import count
from scenthound.crawl.critic.stand_ins import in_words, stand_ins, topics_by_words
from scenthound.crawl.learning.learnt_note import Archetype
from scenthound.crawl.readers.stored_pages import page_of_archive, page_of_file
from scenthound.judge.canonical.made_up_pages import describe, others
from scenthound.judge.canonical.query_pages import query_page
from scenthound.judge.critic import Example, Lessons, Page
from scenthound.parse.urls import canonical, domain_of, host_of
from scenthound.parse.words.terms import unpack
from scenthound.settings.schema import CriticSettings
from scenthound.store.base import Pages, Store, Views
from scenthound.taxonomy import NOT_WANTED, Topics, is_address
from scenthound.types import HeldPage

AT_HAND = 1000  # pages of the crawl that are learnt from
FIRST_STAGE = 50  # pages of the crawl before the critic learns from them; again when there are STEP times as many
STEP = 3
# So many examples of other topics are negatives enough: with 200 of them, the background and the crawl's own pages made
# the lab's crawls of the schools web worse (harvest .43 in place of .46).
COMPETING = 30
FIRST_BY_WORDS = 10  # the first stage of a crawl that starts from words: its first pages say what the words mean here


@dataclass(frozen=True, slots=True, kw_only=True)
class DeadExample:
    """An example that gave no page, and why."""

    topic: str
    name: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Gathered:
    """The examples as they are now, and apart from them the archetypes.

    `digest` changes with both and with the settings, not with the crawl.
    """

    topics: Topics
    examples: tuple[Example, ...]
    archetypes: tuple[Example, ...] = ()
    dead: tuple[DeadExample, ...]
    digest: str

    @property
    def by_words(self) -> bool:
        """Whether a topic has words and hardly an example, so that crawled pages must show what the words mean."""
        return bool(topics_by_words(self.topics, self.examples))

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


def gather(
    store: Store, topics: Topics, *, folder: Path, critic: CriticSettings, archetypes: Sequence[Archetype] = ()
) -> Gathered:
    """Collect the examples for a critic of that kind: enough to know whether one that has learnt from them will do."""
    examples: list[Example] = []
    dead: list[DeadExample] = []
    with_text = ":" in critic.kind  # a function of the user's own reads more than terms
    for found in _examples(store, topics, folder, with_text=with_text):
        if isinstance(found, Example):
            examples.append(found)
        else:
            dead.append(found)
    held = store.held([one.url for one in archetypes])
    learnt = tuple(
        Example(topic=one.topic, name=one.url, page=_example_page(held[one.url], folder), assumed=True)
        for one in archetypes
        if one.url in held
    )
    digest = _digest(critic, [*examples, *learnt])
    return Gathered(topics=topics, examples=tuple(examples), archetypes=learnt, dead=tuple(dead), digest=digest)


def teaching(store: Store, gathered: Gathered, *, seed: int, stage: int) -> Teaching:
    """Add to the examples what else is learnt from: pages of no topic, and the first `stage` pages of the crawl."""
    topics, at_hand = gathered.topics, _at_hand(store, gathered, stage)
    learnt = gathered.archetypes
    if (competing := competition(topics, gathered.examples)) >= COMPETING:
        said = f"{competing} examples of other topics stand for what is not wanted"
        examples = (*gathered.examples, *learnt)
        return Teaching(lessons=Lessons(topics=topics, examples=examples, at_hand=at_hand), said=said + _added(learnt))
    meant = stand_ins(topics, gathered.examples, at_hand)
    examples = (*gathered.examples, *meant, *learnt)
    others, said = background_for(gathered.examples, seed=seed)
    if meant:
        named = {example.page.url for example in meant}
        others = tuple(page for page in others if page.url not in named)
        said += f"; {in_words(meant)} stand for the words until you name pages of your own"
    if at_hand:
        said += f"; {len(at_hand):,} pages of the crawl show what its sites repeat and where relevance begins"
    lessons = Lessons(topics=topics, examples=examples, others=others, at_hand=at_hand)
    return Teaching(lessons=lessons, said=said + _added(learnt))


def _added(learnt: Sequence[Example]) -> str:
    return f"; {count(len(learnt), 'archetype')} of the crawl joined the examples" if learnt else ""


def competition(topics: Topics, examples: Sequence[Example]) -> int:
    """Count the examples of topics that are not wanted; those that a reader refused say little of other topics."""
    return sum(not topics.is_good(one.topic) and one.topic != NOT_WANTED for one in examples)


def stage_of(pages: int, *, by_words: bool = False) -> int:
    """Return how many of so many crawled pages are learnt from.

    >>> [stage_of(pages) for pages in (49, 50, 149, 150, 1000)]
    [0, 50, 50, 150, 450]
    >>> [stage_of(pages, by_words=True) for pages in (9, 10, 29, 30, 1000)]
    [0, 10, 10, 30, 810]
    """
    first = FIRST_BY_WORDS if by_words else FIRST_STAGE
    stage = 0 if pages < first else first
    while stage and stage * STEP <= pages:
        stage *= STEP
    return stage


def crawled_pages(store: Pages, topics: Topics) -> int:
    """Return how many pages there are to learn from besides the examples."""
    return store.distinct_pages() - len(store.held(example_urls(topics)))


def _at_hand(store: Pages, gathered: Gathered, stage: int) -> tuple[Page, ...]:
    if not stage:
        return ()
    examples = set(example_urls(gathered.topics))
    own = {held.url for held in store.held(sorted(examples)).values()} | examples
    own |= {archetype.page.url for archetype in gathered.archetypes}
    drawn = store.drawn(limit=AT_HAND + len(own), first=stage + len(own))
    return tuple(as_page(held) for held in drawn if held.url not in own)[:AT_HAND]


def example_urls(topics: Topics) -> list[str]:
    """Return the addresses of all examples in canonical form, each once."""
    found = (canonical(url) for topic in topics.topics for url in topic.example_urls)
    return list(dict.fromkeys(url for url in found if url))


def _examples(store: Store, topics: Topics, folder: Path, *, with_text: bool) -> Iterator[Example | DeadExample]:
    held = store.held(example_urls(topics))
    for topic in topics.topics:
        for name in topic.example_urls:
            page = held.get(canonical(name) or "")
            if page is None:
                yield DeadExample(topic=topic.path, name=name, why=_why_dead(store, name))
            else:
                yield Example(topic=topic.path, name=name, page=_example_page(page, folder, with_text=with_text))
        for name in topic.example_files:
            read = page_of_file(folder / name)
            if isinstance(read, Page):
                yield Example(topic=topic.path, name=name, page=read)
            else:
                yield DeadExample(topic=topic.path, name=name, why=read)
        if topic.query:
            yield Example(topic=topic.path, name=topic.query, page=query_page(topic.query), assumed=True)


def _why_dead(store: Views, name: str) -> str:
    story = store.story(canonical(name) or name, now=0.0)
    if story is None:
        return "not fetched yet"
    if story.page is not None and story.page.final_url != story.url:
        return f"it leads to {story.page.final_url}, which gave no page"
    return f"{story.reason} {story.detail}".strip() if story.reason else "not fetched yet"


def background_for(examples: Sequence[Example], *, seed: int) -> tuple[tuple[Page, ...], str]:
    """Return pages of no topic, and in words where they come from."""
    from scenthound.judge.canonical.canon import LANGUAGE, canon

    languages = [example.page.terms.language or example.page.language for example in examples]
    if 2 * sum(language in ("", LANGUAGE) for language in languages) <= len(languages):
        return others(examples, seed=seed), describe(examples).removesuffix(".")
    pages = canon().pages()
    return pages, f"{len(pages):,} pages of {len(canon().leaves)} other topics stand for what is not wanted"


def _example_page(held: HeldPage, folder: Path, *, with_text: bool = False) -> Page:
    """Return an example as stored; one that was fetched while there was no critic is read from the archive."""
    read = None if held.terms and not with_text else page_of_archive(folder / "archive", held)
    return read or as_page(held)


def as_page(held: HeldPage) -> Page:
    return Page(url=held.url, title=held.title, language=held.language, terms=unpack(held.terms))


def _digest(critic: CriticSettings, examples: Sequence[Example]) -> str:
    """Return a digest that changes with the settings and with any example: its topic, its name or its terms."""
    seen = sha256(_said(critic).encode())
    for example in sorted(examples, key=lambda one: (one.topic, one.name)):
        terms = " ".join(example.page.terms.terms)
        counts = example.page.terms.main.tobytes()
        seen.update(f"\n{example.topic}\t{example.name}\t{terms}\t".encode() + counts)
    return seen.hexdigest()[:16]


def _said(critic: CriticSettings) -> str:
    """Return settings as they were written when there were three of them, so that critics of before stay in force."""
    names = ["kind", "text", "adapt"]
    names += [name for name in ("route", "spaces", "decision") if getattr(critic, name) != getattr(_SHIPPED, name)]
    return f"CriticSettings({', '.join(f'{name}={getattr(critic, name)!r}' for name in names)})"


_SHIPPED: Final = CriticSettings(decision="weighted")  # what "phase" means while a crawl harvests
