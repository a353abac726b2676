"""Truth for a world without labels: a second critic, which judges every page once.

It is of another kind than the critics that lead the crawls, and is taught with one half of the examples; the crawls get the
other. Neither knows anything that the other was taught with, so that no crawl is praised by its own judge.
"""

import random
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from scenthound.config import CriticSettings
from scenthound.crawl.lessons import background_for
from scenthound.errors import LabError
from scenthound.judge.base import Example, Lessons, Page, Probabilities
from scenthound.judge.kinds import learner_of
from scenthound.lab.critics import judged
from scenthound.lab.seeds import seed_of
from scenthound.lab.world import World
from scenthound.parse.terms import unpack
from scenthound.taxonomy import Topics, is_at_or_below

RELEVANT = 0.5
FEWEST = 6  # examples of a topic: three to teach the judge, three to draw from
_KINDS = ("svm", "logistic", "bayes")  # the judge is the first of these that leads no crawl


@dataclass(frozen=True, slots=True, kw_only=True)
class Halves:
    """Example pages and their topics: those that teach the judge, and those that are left for the crawls."""

    judge: Mapping[int, tuple[str, ...]]
    crawl: Mapping[int, tuple[str, ...]]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SecondOpinion:
    """What the second critic says: `table` has a row for each page and a column for each of `classes`."""

    topics: tuple[str, ...]
    halves: Halves
    classes: tuple[str, ...]
    table: Probabilities
    said: str

    def about(self, topic: str) -> frozenset[int]:
        """Return the pages that it finds relevant, and the examples, about which the user has spoken."""
        columns = [number for number, path in enumerate(self.classes) if path and is_at_or_below(path, topic)]
        relevant = np.flatnonzero(self.table[:, columns].sum(axis=1) >= RELEVANT).tolist()
        known = {**self.halves.judge, **self.halves.crawl}
        return frozenset(page for page in relevant if page not in known) | _labelled(known, topic)

    def examples(self, topic: str) -> frozenset[int]:
        return _labelled(self.halves.crawl, topic)

    def others(self, topic: str) -> frozenset[int]:
        return frozenset(self.halves.crawl) - self.examples(topic)

    def labels(self, number: int) -> tuple[str, ...]:
        return self.halves.crawl.get(number, ())


def second_opinion(world: World, topics: Topics, *, leading: Collection[str], seed: int) -> SecondOpinion:
    """Teach a judge with half of a crawl's examples and let it see the whole world; `leading` are the kinds not to be."""
    halves = _halved(world, topics, seed)
    for topic in topics.good:
        _refuse_few(world, topic.path, halves)
    kind = next((kind for kind in _KINDS if kind not in leading), "")
    if not kind:
        raise LabError(
            f"critics of all kinds ({', '.join(_KINDS)}) lead the crawls, and none is left to be their judge"
        )
    lessons = _lessons(world, topics, halves.judge, seed)
    critic = learner_of(CriticSettings(kind=kind)).fit(lessons, seed=seed)
    return SecondOpinion(
        topics=tuple(topic.path for topic in topics.good),
        halves=halves,
        classes=critic.classes,
        table=judged(world, critic),
        said=f'a second critic of kind "{kind}", taught with {len(halves.judge)} examples that no crawl gets; '
        f"what it finds relevant with a probability of {RELEVANT} or more counts",
    )


def _halved(world: World, topics: Topics, seed: int) -> Halves:
    """Halve the examples of each topic by chance; a page of several topics goes where the first of them sends it."""
    sides: dict[int, bool] = {}
    for topic in topics.topics:
        pages = [number for number, labels in enumerate(world.labels) if topic.path in labels and number not in sides]
        pages.sort(key=lambda number: world.urls[number])
        random.Random(seed_of("halves", str(seed), world.name, topic.path)).shuffle(pages)
        sides |= {page: place < len(pages) // 2 for place, page in enumerate(pages)}
    labels = {page: world.labels[page] for page in sorted(sides)}
    return Halves(
        judge={page: paths for page, paths in labels.items() if sides[page]},
        crawl={page: paths for page, paths in labels.items() if not sides[page]},
    )


def _refuse_few(world: World, topic: str, halves: Halves) -> None:
    found = len(_labelled(halves.judge, topic)) + len(_labelled(halves.crawl, topic))
    if found < FEWEST:
        raise LabError(
            f'world "{world.name}": {found} examples of "{topic}" are pages of the crawl, and {FEWEST} are needed, half of '
            "them for a judge of its own; add examples and crawl them, or give labels"
        )


def _lessons(world: World, topics: Topics, examples: Mapping[int, tuple[str, ...]], seed: int) -> Lessons:
    taught = tuple(_examples(world, topics, examples))
    negatives, _ = background_for(taught, seed=seed)
    return Lessons(topics=topics, examples=taught, others=negatives)


def _examples(world: World, topics: Topics, examples: Mapping[int, tuple[str, ...]]) -> Iterator[Example]:
    for topic in topics.topics:
        for page, paths in examples.items():
            if topic.path in paths:
                yield Example(topic=topic.path, name=world.urls[page], page=_page(world, page))


def _page(world: World, number: int) -> Page:
    url = world.urls[number]
    exchange = world.exchange(url)
    assert exchange is not None, f"{url} is a page of the world"
    reading = exchange.reading
    return Page(url=url, title=reading.title, language=reading.language, terms=unpack(reading.terms))


def _labelled(pages: Mapping[int, tuple[str, ...]], topic: str) -> frozenset[int]:
    return frozenset(page for page, paths in pages.items() if any(is_at_or_below(path, topic) for path in paths))
