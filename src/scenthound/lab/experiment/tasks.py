"""From a world and its topics to tasks: the examples for the critic, and the pages to find.

Every draw has a separate random stream, named by the experiment's seed, the world, the topic and the number of the
draw. So another topic changes nothing for the others, and the first five examples of ten are those of a draw of five.
"""

import random
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Protocol

from scenthound.errors import LabError
from scenthound.lab.experiment.experiment import Experiment, WorldChoice
from scenthound.lab.experiment.seeds import seed_of
from scenthound.lab.experiment.topic_choice import choose_topics, matches
from scenthound.lab.experiment.values import OtherTopic, Role, Task
from scenthound.lab.world.world import World
from scenthound.parse.urls import Locks
from scenthound.taxonomy import is_at_or_below

LABELS = "the labels that people gave the pages"
FEWEST_OTHERS: Final = 15  # minimum pages of a topic that serves as a negative


class Truth(Protocol):
    """The judge of what a page is about, and which pages may be examples."""

    @property
    def said(self) -> str:
        """The judge in words."""
        ...

    @property
    def topics(self) -> tuple[str, ...]:
        """The possible topics."""
        ...

    def about(self, topic: str) -> frozenset[int]:
        """Return the pages about a topic."""
        ...

    def examples(self, topic: str) -> frozenset[int]:
        """Return the possible examples of a topic."""
        ...

    def others(self, topic: str) -> frozenset[int]:
        """Return the possible examples of something else."""
        ...

    def labels(self, number: int) -> tuple[str, ...]:
        """Return the topics of a page, without those above them."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Labels:
    """The truth of a labelled world. `examples_from` restricts the pages for examples."""

    world: World
    examples_from: str = ""
    said: str = LABELS

    @property
    def topics(self) -> tuple[str, ...]:
        return self.world.topics

    def about(self, topic: str) -> frozenset[int]:
        return self.world.about(topic)

    def examples(self, topic: str) -> frozenset[int]:
        if not self.examples_from:
            return self.about(topic)
        pattern = self.examples_from.replace("{topic}", topic)
        found = [path for path in self.topics if matches(path, [pattern])]
        return self.about(topic) & frozenset(number for path in found for number in self.world.about(path))

    def others(self, topic: str) -> frozenset[int]:
        labelled = frozenset(number for number, labels in enumerate(self.world.labels) if labels)
        return labelled - self.about(topic)

    def labels(self, number: int) -> tuple[str, ...]:
        return self.world.labels[number]


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """How to draw tasks: the number of positive and negative examples, and the excluded pages.

    With `other_topics`, so many topics are the negatives, and `negatives` has no effect.
    """

    seed: int
    examples: int
    negatives: int
    other_topics: int = 0
    locked: frozenset[int] = frozenset()
    start: tuple[str, ...] = ()

    def task(self, world: World, truth: Truth, topic: str, *, draw: int, role: Role) -> Task:
        """Draw one task."""
        names = (str(self.seed), world.name, topic, str(draw))
        about = truth.about(topic) - self.locked
        examples = _drawn(world, truth.examples(topic) - self.locked, self.examples, "examples", *names)
        return Task(
            world=world.name,
            topic=topic,
            draw=draw,
            role=role,
            examples=examples,
            others=() if self.other_topics else self._others(world, truth, topic, *names),
            other_topics=tuple(self._other_topics(world, truth, topic, *names)) if self.other_topics else (),
            start=(*examples, *self.start),
            wanted=about - {world.number[url] for url in examples},
        )

    def _others(self, world: World, truth: Truth, topic: str, *names: str) -> tuple[str, ...]:
        return _drawn(world, truth.others(topic) - self.locked, self.negatives, "others", *names)

    def _other_topics(self, world: World, truth: Truth, topic: str, *names: str) -> Iterator[OtherTopic]:
        """Draw pages of the most frequent other topics; a page of two of them belongs to the more frequent."""
        pages = rivals(truth, topic, locked=self.locked)
        if not pages:
            raise LabError(
                f'other_topics = {self.other_topics}: no topic beside "{topic}" has {FEWEST_OTHERS} pages; leave it '
                "out, and "
                "`negatives` stand for what is not wanted"
            )
        taken: set[int] = set()
        for path in list(pages)[: self.other_topics]:
            examples = _drawn(world, pages[path] - taken, self.examples, "other topic", path, *names)
            taken |= {world.number[url] for url in examples}
            yield OtherTopic(path=path, examples=examples)


def rivals(truth: Truth, topic: str, *, locked: frozenset[int] = frozenset()) -> dict[str, frozenset[int]]:
    """Return the topics that may serve as negatives, the most frequent first, with their pages.

    A topic above the wanted one would include it, and one below is a part of it. Pages about the wanted topic are left
    out.
    """
    found: defaultdict[str, set[int]] = defaultdict(set)
    for number in truth.others(topic) - truth.about(topic) - locked:
        for path in truth.labels(number):
            if not is_at_or_below(path, topic) and not is_at_or_below(topic, path):
                found[path].add(number)
    large = [path for path, pages in found.items() if len(pages) >= FEWEST_OTHERS]
    return {path: frozenset(found[path]) for path in sorted(large, key=lambda path: (-len(found[path]), path))}


def draw_tasks(world: World, truth: Truth, choice: WorldChoice, experiment: Experiment) -> tuple[Task, ...]:
    """Draw all tasks of a world, topic by topic."""
    try:
        return tuple(_tasks(world, truth, choice, experiment))
    except LabError as error:
        raise LabError(f'world "{choice.name}": {error}') from None


def _tasks(world: World, truth: Truth, choice: WorldChoice, experiment: Experiment) -> Iterator[Task]:
    locked = locked_pages(world, choice.locked)
    drawing = Drawing(
        seed=experiment.seed,
        examples=experiment.examples,
        negatives=experiment.negatives,
        other_topics=experiment.other_topics,
        locked=locked,
        start=start_pages(world, choice.start, locked=locked),
    )
    sizes = {topic: len(truth.about(topic) - locked) for topic in truth.topics}
    chosen = choose_topics(sizes, choice, examples=experiment.examples, most=experiment.most_topics)
    _check_examples(truth, chosen, choice, drawing)
    for topic, role in chosen.items():
        for draw in range(1, experiment.draws + 1):
            yield drawing.task(world, truth, topic, draw=draw, role=role)


def _check_examples(truth: Truth, chosen: Mapping[str, Role], choice: WorldChoice, drawing: Drawing) -> None:
    for topic in chosen if choice.examples_from else ():
        found = len(truth.examples(topic) - drawing.locked)
        if found < drawing.examples:
            pattern = choice.examples_from.replace("{topic}", topic)
            raise LabError(
                f'examples_from = "{choice.examples_from}": {found} pages about "{topic}" are labelled "{pattern}", '
                "and "
                f"{drawing.examples} examples are asked for; change the pattern, or ask for fewer"
            )


def locked_pages(world: World, patterns: Collection[str]) -> frozenset[int]:
    """Return the pages of a world that crawls never fetch."""
    locks = Locks(tuple(patterns))
    return frozenset(number for number, url in enumerate(world.urls) if locks.locked(url))


def start_pages(world: World, patterns: Collection[str], *, locked: Collection[int]) -> tuple[str, ...]:
    """Return the pages from which crawls start besides their examples."""
    found = [(pattern, locked_pages(world, [pattern]).difference(locked)) for pattern in patterns]
    for pattern, pages in found:
        if not pages:
            raise LabError(
                f'start = "{pattern}": no page of the world is like that, or all are locked; change the pattern'
            )
    return tuple(sorted({world.urls[number] for _, pages in found for number in pages}))


def _drawn(world: World, numbers: Collection[int], count: int, *names: str) -> tuple[str, ...]:
    """Draw pages by their addresses, so that a draw does not depend on the order of the archive."""
    urls = sorted(world.urls[number] for number in numbers)
    random.Random(seed_of(*names)).shuffle(urls)
    return tuple(urls[:count])
