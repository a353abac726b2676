"""A choosy crawl waits for its best hosts, but one that asks for long pauses does not hold up all others."""

import asyncio
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from random import Random
from urllib.parse import urlsplit

import pytest

from scenthound.clock import VirtualClock
from scenthound.crawl.critic.crawl_critic import Judging
from scenthound.crawl.diagnosis.speed import explain
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.crawl.engine.awaited_host import CHOOSY, awaiting
from scenthound.crawl.engine.loop import CrawlLoop, Parts, StopSwitch
from scenthound.crawl.engine.rulebook import rulebook_of
from scenthound.crawl.engine.visitor import Visitor
from scenthound.crawl.order.note import ORDERED
from scenthound.demo.served_answer import Answer
from scenthound.events import ignore
from scenthound.fetch.fetcher import Request
from scenthound.store.sqlite.store import SqliteStore
from scenthound.taxonomy import Topic, Topics
from scenthound.types import Fetch, Reason
from tests.crawl.simple_lane import simple_lane
from tests.crawl.test_same_crawl import ReadsHere
from tests.crawl.topical_web import sentence

DELAY = 29  # seconds that the slow host asks for between two requests
EXAMPLES = (*(f"http://slow.test/{number}" for number in range(6)), *(f"http://fish{n}.test/0" for n in range(6)))
POLITE = ("crawl.order=best-first", "critic.kind=bayes", "fetch.delay=1", "fetch.concurrency=1", "crawl.pages=160")


def answer(host: str, path: str) -> Answer:
    """Give a page about birds on slow.test, and one about fish on any other; each links to five more of its host."""
    slow = host == "slow.test"
    if path == "/robots.txt":
        return Answer(body=f"User-agent: *\nCrawl-delay: {DELAY}\n".encode()) if slow else Answer(status=404)
    draw = Random(host + path)
    text = "".join(f"<p>{sentence('birds' if slow else 'fish', draw)}</p>" for _ in range(6))
    links = "".join(f'<a href="/{5 * int(path.strip("/")) + step}">more</a> ' for step in range(1, 6))
    others = "" if path != "/0" else "".join(f'<a href="http://fish{number}.test/1">fish</a> ' for number in range(40))
    return Answer(headers=(("Content-Type", "text/html"),), body=f"{text}{links}{others}".encode())


class Answers:
    """This web as a fetcher, with a log; each exchange takes a tenth of a second."""

    def __init__(self, clock: VirtualClock) -> None:
        self._clock = clock
        self.log: list[tuple[float, str]] = []

    async def fetch(self, request: Request) -> Fetch:
        started = self._clock.now()
        await self._clock.sleep(0.1)
        place = urlsplit(request.url)
        said = answer(place.netloc, place.path)
        self.log.append((started, request.url))
        reason = Reason.HTTP_ERROR if said.status >= 400 else None
        return Fetch(
            url=request.url,
            started=started,
            finished=self._clock.now(),
            reason=reason,
            status=said.status,
            body=said.body,
            mime="text/html",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Crawled:
    seconds: float
    log: list[tuple[float, str]]
    told: list[str]

    def gaps(self, host: str) -> list[float]:
        times = [at for at, url in self.log if f"//{host}/" in url]
        return [later - earlier for earlier, later in pairwise(times)]


def crawl(path: Path, *more: str) -> Crawled:
    topics = Topics(
        topics=(
            Topic(path="birds", good=True, examples=EXAMPLES[:6]),
            Topic(path="fish", examples=EXAMPLES[6:]),
        )
    )
    directory = CrawlDirectory.create(path, topics=topics)
    return asyncio.run(_crawl(directory, *more))


async def _crawl(directory: CrawlDirectory, *more: str) -> Crawled:
    settings, clock = directory.settings([*POLITE, *more]), VirtualClock(1000.0)
    with SqliteStore(":memory:") as store:
        book = rulebook_of(settings, store, only=None)
        judging = Judging(directory=directory, settings=settings, store=store, clock=clock, listener=ignore)
        judging.begin(book)
        answers = Answers(clock)
        parts = Parts(
            settings=settings,
            clock=clock,
            store=store,
            lane=simple_lane(book, store=store, clock=clock, critic=judging),
            visitor=Visitor(answers, settings=settings.fetch, clock=clock),
            reader=ReadsHere(settings),
            listener=ignore,
            stop=StopSwitch(),
        )
        await CrawlLoop(parts, None).run()
        store.note(CHOOSY, str(settings.crawl.choosy))
        store.note(ORDERED, settings.crawl.order)
        waits = awaiting(store, now=clock.now())
        told = explain(store.census(now=clock.now()), [], clock.now(), running=True, awaited=waits)
    learnt = max(at for at, url in answers.log if url in EXAMPLES)
    return Crawled(seconds=clock.now() - learnt, log=answers.log, told=told)


@pytest.mark.slow
def test_a_slow_host_with_good_links_does_not_hold_up_the_others(tmp_path: Path) -> None:
    """Waiting for it alone, a hundred pages take nearly an hour; without being choosy, some seconds."""
    choosy, hasty = crawl(tmp_path / "choosy"), crawl(tmp_path / "hasty", "crawl.choosy=0")
    assert hasty.seconds < 60
    assert choosy.seconds < 4.5 * hasty.seconds + DELAY
    assert all(gap >= DELAY for gap in choosy.gaps("slow.test"))


@pytest.mark.slow
def test_the_part_is_a_setting(tmp_path: Path) -> None:
    patient = crawl(tmp_path / "patient", "crawl.waiting=1", "crawl.pages=50")
    assert patient.seconds > 7 * DELAY


@pytest.mark.slow
def test_it_says_for_whom_it_waits(tmp_path: Path) -> None:
    told = crawl(tmp_path / "choosy").told
    assert "waits for slow.test, due in " in told[0]
    assert "and then every 29 s: its best link promises 0." in told[0]
    assert " hosts that could be asked now much less" in told[0]
    assert not any("the limit is fetch.concurrency" in line for line in told)


@pytest.mark.slow
def test_it_is_the_same_crawl_each_time(tmp_path: Path) -> None:
    assert crawl(tmp_path / "one").log == crawl(tmp_path / "two").log
