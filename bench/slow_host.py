"""The cost of a host with long pauses: a topic-stuffed site with Crawl-delay: 29, beside the demo web.

Its links look as good as any, so that a choosy crawl waits for it. Real crawls over HTTP with default settings are
compared with the same crawl of the demo web alone, and with one that may wait as long as it likes; all counts are taken
from the server's log.
"""

import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Final

import msgspec

from bench.figures import Figure, Report, at_least, at_most, markdown_table
from bench.spam import DOMAIN, FarmedWeb
from scenthound import StopSwitch, ignore, run_crawl
from scenthound.cli.work.demo_run import TOPIC, demo_settings, demo_topics
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.demo.served_answer import Answer
from scenthound.demo.server import ServedApart
from scenthound.demo.web import DemoWeb

DELAY: Final = 29  # seconds; a host that asks for more than half a minute is not waited for at all
PAGES: Final = 800
MOST_MINUTES: Final = 2.0  # for a crawl that may wait as long as it likes
_ROBOTS: Final = Answer(
    headers=(("Content-Type", "text/plain"),), body=f"User-agent: *\nCrawl-delay: {DELAY}\n".encode("ascii")
)


@dataclass(frozen=True)
class SlowHostedWeb:
    """The demo web with one host of a farm beside it, which asks for a long pause."""

    farm: FarmedWeb = field(default_factory=lambda: FarmedWeb(False))

    def answer(self, host: str, path: str) -> Answer:
        slow = host.endswith(DOMAIN) and path == "/robots.txt"
        return _ROBOTS if slow else self.farm.answer(host, path)


@dataclass(frozen=True, slots=True, kw_only=True)
class Crawled:
    """What the server saw of a crawl, examples left out: pages, those of the slow host, those truly about the topic."""

    pages: int
    slow: int
    wanted: int
    seconds: float

    @property
    def speed(self) -> float:
        return self.pages / self.seconds


def run(*, quick: bool = False) -> Report:
    """Crawl three times: without the slow host, with it, and with it where nothing bounds the waiting."""
    pages = 300 if quick else PAGES
    alone = crawled(DemoWeb(7).answer, pages)
    beside = crawled(SlowHostedWeb().answer, pages)
    patient = crawled(SlowHostedWeb().answer, pages, waiting=1.0, minutes=0.2 if quick else MOST_MINUTES)
    rows = [
        [name, str(one.pages), str(one.slow), str(one.wanted), f"{one.seconds:.0f}", f"{one.speed:.1f}"]
        for name, one in (("none", alone), ("a slow host", beside), ("a slow host, crawl.waiting=1", patient))
    ]
    figures = (
        Figure(
            name="pages a second beside a slow host, of those without",
            value=beside.speed / alone.speed,
            goal=at_least(0.25),
        ),
        Figure(
            name="true pages beside a slow host, of those without",
            value=beside.wanted / alone.wanted,
            goal=at_least(0.95),
        ),
        Figure(name="pages of the slow host", value=beside.slow, goal=at_most(1 + beside.seconds / DELAY)),
    )
    headings = ["slow host", "pages fetched", "of the slow host", "true pages", "seconds", "pages a second"]
    return Report(figures=figures, text=(markdown_table(headings, rows, right=range(1, 6)),))


def crawled(
    answer: Callable[[str, str], Answer], pages: int, *, waiting: float | None = None, minutes: float = 5.0
) -> Crawled:
    """Crawl a web with default settings, but for how long the crawl may wait."""
    web = DemoWeb(7)
    topics = demo_topics(web)
    examples = {example for topic in topics.topics for example in topic.examples}
    with tempfile.TemporaryDirectory() as folder, ServedApart(answer) as served:
        settings = demo_settings(web, served.port, pages=pages)
        crawl = msgspec.structs.replace(settings.crawl, minutes=minutes)
        crawl = crawl if waiting is None else msgspec.structs.replace(crawl, waiting=waiting)
        settings = msgspec.structs.replace(settings, crawl=crawl)
        directory = CrawlDirectory.create(Path(folder) / "crawl", topics=topics, settings=settings)
        began = perf_counter()
        run_crawl(directory, settings, listener=ignore, stop=StopSwitch())
        seconds = perf_counter() - began
        given = {
            f"http://{entry.host}{entry.path}"
            for entry in served.log()
            if entry.status == 200 and not entry.path.endswith("/robots.txt")
        }
    fetched = given - examples
    return Crawled(
        pages=len(fetched),
        slow=sum(f"{DOMAIN}/" in url for url in fetched),
        wanted=sum(f"{web.truth.get(url, '')}/".startswith(f"{TOPIC}/") for url in fetched),
        seconds=seconds,
    )
