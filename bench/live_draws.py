"""Tasks of live crawls: drawn and counted as ../shared/tools/live_harvest.py does, with the same random numbers.

A topic's pages are sorted by address; ten of them are examples, and ten of each of the twenty most frequent other
topics say what is not wanted. Harvest is the share of labelled pages among the first n that a server answered with a
page, examples left out; n is how many labelled pages are left, at most 400. Requests in vain cost nothing here.
"""

import random
import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import Final

from scenthound.lab import World
from scenthound.lab.experiment.values import OtherTopic, Role, Task
from scenthound.parse.urls import canonical
from scenthound.taxonomy import ancestors, is_at_or_below

EXAMPLES: Final = 10
OTHERS: Final = 20  # topics that say what is not wanted
FEWEST: Final = 15  # pages of each of these
MOST: Final = 400  # pages that are counted
SEED: Final = 100  # of the first draw
ORACLES: Final = 5  # runs of the oracle, whose mean counts


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveTask:
    """A topic and a draw of its examples; `counted` is the n above, `relevant` are pages of the world."""

    task: Task
    counted: int
    relevant: frozenset[int]

    def harvest(self, pages: Sequence[int]) -> float:
        """Return the share of relevant pages among those that were fetched, in order."""
        return sum(page in self.relevant for page in pages[: self.counted]) / max(1, self.counted)


class LiveLabels:
    """The labels of a web by address, as they stand in its table: an address that is not canonical is never asked for.

    Of topics with equally many pages, live_harvest.py takes them in an order that Python draws again for each process
    (that of a set of texts); here it is that of the table.
    """

    def __init__(self, table: Path) -> None:
        self._topics: defaultdict[str, dict[str, None]] = defaultdict(dict)
        for line in table.read_bytes().decode("utf-8").split("\n"):
            url, _, topic = line.partition("\t")
            if topic and url != "url":
                self._topics[url][topic] = None
        self._counts = Counter(topic for topics in self._topics.values() for topic in topics)

    def topics(self, *, least: int) -> list[str]:
        """Return the topics, and those above them, that have so many pages, sorted."""
        sizes = Counter(
            path for topics in self._topics.values() for path in {p for t in topics for p in (*ancestors(t), t)}
        )
        return sorted(topic for topic, size in sizes.items() if size >= least)

    def about(self, topic: str) -> list[str]:
        return sorted(url for url, topics in self._topics.items() if any(is_at_or_below(one, topic) for one in topics))

    def task(self, world: World, topic: str, draw: int) -> LiveTask:
        """Draw a task."""
        chance, relevant = random.Random(SEED + draw), self.about(topic)
        examples = chance.sample(relevant, min(EXAMPLES, len(relevant) // 3))
        others = self._others(topic, relevant, examples, chance)
        found = frozenset(number for url in relevant if (number := world.number.get(url)) is not None)
        task = Task(
            world=world.name,
            topic=_named(topic),
            draw=draw,
            role=Role.TEST,
            examples=_asked(examples),
            others=(),
            start=_asked(examples),
            wanted=found - {world.number[url] for url in examples if url in world.number},
            other_topics=others,
        )
        return LiveTask(task=task, counted=min(len(relevant) - len(examples), MOST), relevant=found)

    def _others(
        self, topic: str, relevant: Sequence[str], examples: Sequence[str], chance: random.Random
    ) -> tuple[OtherTopic, ...]:
        used, about, found = set(examples), frozenset(relevant), list[OtherTopic]()
        for path, count in self._counts.most_common():
            if count < FEWEST or is_at_or_below(path, topic) or is_at_or_below(topic, path):
                continue
            pool = sorted(url for url, topics in self._topics.items() if path in topics and url not in used | about)
            drawn = chance.sample(pool, min(EXAMPLES, len(pool)))
            used.update(drawn)
            found.append(OtherTopic(path=_named(path), examples=_asked(drawn)))
            if len(found) == OTHERS:
                break
        return tuple(found)


def one_step(world: World, live: LiveTask, *, locked: frozenset[int]) -> float:
    """Return the harvest of the oracle that fetches a relevant page if a link to one was seen, else one by chance."""
    return mean(_oracle(world, live, locked, random.Random(run)) for run in range(ORACLES))


def _oracle(world: World, live: LiveTask, locked: frozenset[int], chance: random.Random) -> float:
    numbers: Mapping[str, int] = world.number
    seen = {numbers[url] for url in (*live.task.examples, *live.task.unwanted) if url in numbers} | locked
    hot, cold, got = list[int](), list[int](), 0

    def look(page: int) -> None:
        for target in world.links(page).tolist():
            if target not in seen:
                seen.add(target)
                (hot if target in live.relevant else cold).append(target)

    for url in live.task.examples:
        if url in numbers:
            look(numbers[url])
    for _ in range(live.counted):
        waiting = hot or cold
        if not waiting:
            break
        page = waiting.pop(chance.randrange(len(waiting)))
        got += page in live.relevant
        look(page)
    return got / max(1, live.counted)


def _asked(urls: Sequence[str]) -> tuple[str, ...]:
    """Return addresses as a crawl asks for them, each once."""
    return tuple(dict.fromkeys(found for url in urls if (found := canonical(url)) is not None))


def _named(topic: str) -> str:
    """Return a topic as crawl directories may name it."""
    return re.sub(r"[^A-Za-z0-9/]+", "_", topic).strip("_") or "topic"
