"""A small web about three things, served on loopback: birds, fish and rocks, a host each, with links that mostly keep
to it.

Page n of a topic links to the next three of its own, and every other page also to page n of the next topic, so that a
crawl without focus spreads over all three. Every page carries the same navigation bar.
"""

import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.demo.served_answer import Answer
from scenthound.demo.server import ServedWeb
from scenthound.taxonomy import Topic, Topics

PAGES = 40
TOPICS = {
    "birds": [
        "wren",
        "robin",
        "plumage",
        "nest",
        "feather",
        "warbler",
        "beak",
        "migration",
        "song",
        "egg",
        "wing",
        "finch",
        "hatch",
        "flock",
        "perch",
    ],
    "fish": [
        "trout",
        "salmon",
        "gill",
        "fin",
        "scale",
        "spawn",
        "river",
        "reef",
        "shoal",
        "tackle",
        "bait",
        "cod",
        "herring",
        "tide",
        "pike",
    ],
    "rocks": [
        "granite",
        "basalt",
        "quartz",
        "crystal",
        "magma",
        "sediment",
        "fossil",
        "mineral",
        "erosion",
        "strata",
        "slate",
        "lava",
        "ore",
        "limestone",
        "shale",
    ],
}
COMMON = [
    "people",
    "year",
    "time",
    "water",
    "world",
    "small",
    "large",
    "place",
    "water",
    "found",
    "often",
    "during",
    "about",
    "many",
    "different",
    "called",
]


def url(topic: str, number: int) -> str:
    return f"http://{topic}.test/page{number}.html"


def answer(host: str, path: str) -> Answer:
    """Give a page of the topic that the host is about; "moved" redirects to page 3."""
    topic = host.partition(".")[0]
    if path == "/moved":
        return Answer(status=301, headers=(("Location", url(topic, 3)),))
    number = path.removeprefix("/page").removesuffix(".html")
    if topic not in TOPICS or not number.isdigit() or int(number) >= PAGES:
        return Answer(status=404, headers=(("Content-Type", "text/html"),), body=b"<p>Nothing here.")
    return Answer(headers=(("Content-Type", "text/html; charset=utf-8"),), body=page(topic, int(number)).encode())


def page(topic: str, number: int) -> str:
    draw = random.Random(f"{topic}{number}")
    names = list(TOPICS)
    following = names[(names.index(topic) + 1) % len(names)]
    targets = [(topic, (number + step) % PAGES) for step in (1, 2, 3)] + [(following, number)] * (number % 2)
    paragraphs = "".join(f"<p>{sentence(topic, draw)}</p>" for _ in range(6))
    links = "".join(f'<li>More: <a href="{url(*target)}">number {target[1]}</a></li>' for target in targets)
    bar = '<div><a href="/imprint">Imprint</a> <a href="/contact">Contact</a> <a href="/help">Help</a></div>'
    return f"<html lang=en><title>Page {number}</title>{bar}<h1>{topic}</h1>{paragraphs}<ul>{links}</ul>{bar}</html>"


def sentence(topic: str, draw: random.Random) -> str:
    words = draw.choices(TOPICS[topic], k=12) + draw.choices(COMMON, k=18)
    draw.shuffle(words)
    return " ".join(words) + "."


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """The web as it stands on its port."""

    web: ServedWeb
    always: tuple[str, ...] = ()  # settings of every crawl of it

    def settings(self, *more: str) -> list[str]:
        """Return settings for a crawl of it, one request at a time so that the order is that of the frontier."""
        return [
            "fetch.delay=0",
            "fetch.delay_factor=0",
            "fetch.concurrency=1",
            "read.workers=1",
            'fetch.contact="test@topics.test"',
            f'fetch.resolve={{"*.test" = "127.0.0.1:{self.web.port}"}}',
            *self.always,
            *more,
        ]

    def asked(self) -> list[str]:
        """Return the pages asked for, in order, without robots.txt."""
        return [f"http://{entry.host}{entry.path}" for entry in self.web.log() if entry.path != "/robots.txt"]


@contextmanager
def topical_web() -> Iterator[Served]:
    with ServedWeb(answer) as web:
        yield Served(web=web)


def topics(*, good: str = "birds", examples: int = 8, more: Sequence[Topic] = ()) -> Topics:
    """Say all three topics with the first pages of each, as a user would who wants one of them."""
    own = [
        Topic(path=f"nature/{name}", good=name == good, examples=tuple(url(name, n) for n in range(examples)))
        for name in TOPICS
    ]
    return Topics(topics=(*own, *more))


def new(path: Path, wanted: Topics) -> CrawlDirectory:
    return CrawlDirectory.create(path, topics=wanted)
