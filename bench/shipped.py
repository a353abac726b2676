"""A crawl as a user starts it: ten examples of a topic, ten of each of up to twenty others, all settings as shipped.

The topics are the labels of the schools web, or those of the demo web where the schools web is not there.
"""

import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bench.crawling import FULL_SPEED
from bench.running import measured, scenthound
from bench.serving import DEMO, SCHOOLS, SCHOOLS_LOCK, SCHOOLS_SEED, webs_file
from scenthound.demo.web import DemoWeb
from scenthound.taxonomy import Topic, Topics, ancestors
from scenthound.topics.topics_text import topics_text

LABELS: Final = "schools.labels.tsv"
TOPIC: Final = "Science/Biology"
DEMO_TOPIC: Final = "Recreation/Cycling"
EXAMPLES, OTHERS = 10, 20
LEAST_PAGES: Final = 15  # of another topic
SEED: Final = 7


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """A web to crawl: what serves it, where contenders without examples start, the topics, and settings for it."""

    name: str
    served: str
    seed: str
    topics: Topics
    settings: tuple[str, ...]

    @property
    def examples(self) -> int:
        return sum(len(topic.examples) for topic in self.topics.topics)

    def new_crawl(self, path: Path) -> None:
        """Make a crawl directory, as the command line does."""
        file = path.with_suffix(".topics.toml")
        file.write_text(topics_text(self.topics), encoding="utf-8")
        measured(scenthound("new", str(path), "--topics", str(file)), limit=60)


def start() -> Start:
    """Return the schools web where its archive and labels are, and the demo web otherwise."""
    warc, labels = webs_file(SCHOOLS), webs_file(LABELS)
    if warc is None or labels is None:
        return _demo()
    return Start(
        name="the archived schools web",
        served=str(warc),
        seed=SCHOOLS_SEED,
        topics=drawn_topics(_labels(labels), TOPIC),
        settings=(*FULL_SPEED, SCHOOLS_LOCK),
    )


def _demo() -> Start:
    web = DemoWeb()
    truth = {url: {topic, *ancestors(topic)} for url, topic in web.truth.items() if not topic.startswith("Other/")}
    topics = drawn_topics(truth, DEMO_TOPIC)
    seed = web.seeds(DEMO_TOPIC, 1)[0]
    return Start(name="the demo web", served=DEMO, seed=seed, topics=topics, settings=FULL_SPEED)


def drawn_topics(labels: Mapping[str, set[str]], wanted: str) -> Topics:
    """Draw examples of the wanted topic and of the largest others, no page twice.

    >>> drawn = drawn_topics({f"http://a.test/{n}": {"Birds" if n % 2 else "Stars"} for n in range(60)}, "Birds")
    >>> [(topic.path, topic.good, len(topic.examples)) for topic in drawn.topics]
    [('Birds', True, 10), ('Stars', False, 10)]
    """
    chance, used = random.Random(SEED), set[str]()

    def draw(topic: str) -> Topic:
        pool = [url for url, own in sorted(labels.items()) if topic in own and url not in used]
        if topic != wanted:
            pool = [url for url in pool if wanted not in labels[url]]
        chosen = chance.sample(pool, min(EXAMPLES, len(pool)))
        used.update(chosen)
        return Topic(path=topic, good=topic == wanted, examples=tuple(chosen))

    sizes = Counter(topic for own in labels.values() for topic in own)
    above = {one for topic in sizes for one in ancestors(topic)} | {wanted}
    others = [topic for topic, pages in sizes.most_common() if pages >= LEAST_PAGES and topic not in above]
    beside = [topic for topic in others if wanted not in ancestors(topic)]
    return Topics(topics=tuple(draw(topic) for topic in (wanted, *beside[:OTHERS])))


def _labels(file: Path) -> dict[str, set[str]]:
    """Return the topics of each page, with those above them."""
    found: dict[str, set[str]] = {}
    for line in file.read_text(encoding="utf-8").splitlines()[1:]:
        url, topic = line.split("\t")
        found.setdefault(url, set()).update((*ancestors(topic), topic))
    return found
