"""The truth for a world without labels: a second critic, which judges every page once.

It is of another kind than the critics that lead the crawls, and learns from one half of the examples; the crawls get
the other. Neither knows the other's examples, so no crawl is judged by its own critic.
"""

import random
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from scenthound.crawl.critic.example_set import background_for
from scenthound.errors import LabError
from scenthound.judge.critic import Example, Lessons, Page, Probabilities
from scenthound.judge.critic_kinds import learner_of
from scenthound.lab.experiment.seeds import seed_of
from scenthound.lab.runs.critics import judged
from scenthound.lab.world.world import World
from scenthound.parse.words.terms import unpack
from scenthound.settings.schema import CriticSettings
from scenthound.taxonomy import Topics, is_at_or_below

RELEVANT = 0.5
FEWEST = 6  # examples of a topic: three to teach the judge, three to draw from
_KINDS = ("svm", "logistic", "bayes")  # the judge is the first of these that leads no crawl


@dataclass(frozen=True, slots=True, kw_only=True)
class Halves:
    """Example pages and their topics: those that teach the judge, and those for the crawls."""

    judge: Mapping[int, tuple[str, ...]]
    crawl: Mapping[int, tuple[str, ...]]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SecondOpinion:
    """The second critic's judgements: `table` has a row for each page and a column for each of `classes`."""

    topics: tuple[str, ...]
    halves: Halves
    classes: tuple[str, ...]
    table: Probabilities
    said: str

    def about(self, topic: str) -> frozenset[int]:
        """Return the pages that it finds relevant, and the user's examples."""
        columns = [number for number, path in enumerate(self.classes) if path and is_at_or_below(path, topic)]
        relevant = np.flatnonzero(self.table[:, columns].sum(axis=1) >= RELEVANT).tolist()
        known = {**self.halves.judge, **self.halves.crawl}
        return frozenset(page for page in relevant if page not in known) | _label_pages(known, topic)

    def examples(self, topic: str) -> frozenset[int]:
        return _label_pages(self.halves.crawl, topic)

    def others(self, topic: str) -> frozenset[int]:
        return frozenset(self.halves.crawl) - self.examples(topic)

    def labels(self, number: int) -> tuple[str, ...]:
        return self.halves.crawl.get(number, ())


def second_opinion(world: World, topics: Topics, *, leading: Collection[str], seed: int) -> SecondOpinion:
    """Train a judge on half of a crawl's examples and judge the whole world; its kind is none of `leading`."""
    halves = _split_examples(world, topics, seed)
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


def _split_examples(world: World, topics: Topics, seed: int) -> Halves:
    """Split the examples of each topic at random into two halves. A page of several topics is split with the first."""
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
    found = len(_label_pages(halves.judge, topic)) + len(_label_pages(halves.crawl, topic))
    if found < FEWEST:
        raise LabError(
            f'world "{world.name}": {found} examples of "{topic}" are pages of the crawl, and {FEWEST} are needed, '
            "half of "
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


def _label_pages(pages: Mapping[int, tuple[str, ...]], topic: str) -> frozenset[int]:
    return frozenset(page for page, paths in pages.items() if any(is_at_or_below(path, topic) for path in paths))
