"""A crawl with an apprentice, ended with SIGKILL again and again: what it knows is what its log says, to the last bit.

Each lesson in the log says what was expected of its page by the apprentice that was at work, in whatever process that
was. A fresh process that goes through the log from the beginning must expect the same of every page.
"""

import json
import random
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.crawl.engine.assemble import open_store
from scenthound.demo.served_answer import Answer
from scenthound.demo.server import ServedWeb
from scenthound.demo.web import DemoWeb
from scenthound.events import StopCause
from scenthound.taxonomy import Topic, Topics
from scenthound.types import Lesson
from tests.crawl.replaying import KEEP
from tests.crawl.scene import BRISK, resume
from tests.crawl.test_determinism import RESTLESS
from tests.crawl.test_kills import Tree, start_and_kill
from tests.patience import PATIENCE

PAGES = 120
KILLS = 3
GOOD = "Recreation/Cycling"


class Watched(Tree):
    """The demo web, which tells when it has answered so many times."""

    def __init__(self, demo: DemoWeb) -> None:
        super().__init__()
        self._demo = demo

    def answer(self, host: str, path: str) -> Answer:
        self._left -= 1
        if self._left == 0:
            self.tripped.set()
        return self._demo.answer(host, path)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    demo: DemoWeb
    web: Watched
    settings: list[str]

    def new(self, path: Path) -> CrawlDirectory:
        wanted = [
            Topic(path=name, good=name.startswith(GOOD), examples=tuple(self.demo.seeds(name, 4)))
            for name in self.demo.topics
        ]
        return CrawlDirectory.create(path, topics=Topics(topics=tuple(wanted)))

    def killed(self, path: Path, settings: list[str], *, seed: int) -> CrawlDirectory:
        """Crawl, with kills at moments drawn by chance, to the end; between two of them, a checkpoint is made."""
        directory, draw = self.new(path), random.Random(seed)
        self.web.arm(60 + draw.randint(10, 40))  # not before there is a critic: the examples are sixty
        for kill in range(KILLS):
            start_and_kill(directory.path, settings, self.web, pause=draw.uniform(0, 0.05))
            if kill == 1:
                replayed(directory, settings, KEEP)
            self.web.arm(draw.randint(5, 30))
        assert resume(directory, settings).summary.cause is StopCause.PAGES
        return directory


@pytest.fixture(scope="module")
def stage() -> Iterator[Stage]:
    demo = DemoWeb()
    web = Watched(demo)
    locked = [host.name for host in demo.hosts.values() if host.oddities & RESTLESS]
    with ServedWeb(web.answer) as served:
        settings = [
            *BRISK,
            f'fetch.resolve={{"*.test" = "127.0.0.1:{served.port}"}}',
            f"fetch.locked={locked}",
            f"crawl.pages={PAGES}",
            "critic.kind=bayes",
            "crawl.order=apprentice",
            "crawl.phases=off",  # a new critic corrects lessons, and the log no longer says what was expected before
            "apprentice.sample=0.05",
        ]
        yield Stage(demo=demo, web=web, settings=settings)


def replayed(directory: CrawlDirectory, settings: list[str], *more: str) -> dict[str, Any]:
    """Go through the log in a fresh process."""
    command = [sys.executable, "-m", "tests.crawl.replaying", str(directory.path), *settings, *more]
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run(command, cwd=root, check=True, capture_output=True, timeout=PATIENCE)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def log_of(directory: CrawlDirectory) -> list[Lesson]:
    with open_store(directory, read_only=True) as store:
        return store.lessons(limit=100_000)


@pytest.mark.slow
def test_after_any_kill_the_apprentice_is_the_one_that_the_log_says(tmp_path: Path, stage: Stage) -> None:
    """With eight connections; for one, see the last test here."""
    settings = [*stage.settings, "fetch.concurrency=8"]
    directory = stage.killed(tmp_path / "crawl", settings, seed=8)
    first = replayed(directory, settings)
    assert first["compared"] >= 50
    assert first["surprised"] == []
    assert replayed(directory, settings) == first


def hubs_counted(directory: CrawlDirectory) -> bool:
    """Tell whether a page was learnt from after hubs were found."""
    with open_store(directory, read_only=True) as store:
        return any(found.hubs and found.lesson < store.last_lesson() for found in store.distillations())


@pytest.mark.slow
def test_hubs_found_beside_the_crawl_are_part_of_what_the_log_says(tmp_path: Path, stage: Stage) -> None:
    """When they come to count is chance; that they did is written down, and a fresh process goes by that."""
    hubs = [
        "distill.least=100",
        "distill.growth=1.05",
        "distill.share=0.5",
        "apprentice.hubs=true",
        "apprentice.lift=1",
    ]
    settings = [*stage.settings, *hubs, "fetch.concurrency=8", "crawl.pages=250"]
    directory = stage.killed(tmp_path / "crawl", settings, seed=5)
    for pages in range(350, 1_051, 100):  # a fast crawl is over before a distiller has begun, on a busy machine too
        if hubs_counted(directory):
            break
        resume(directory, [*settings, "fetch.delay=0.5", f"crawl.pages={pages}"])
    assert hubs_counted(directory)
    first = replayed(directory, settings)
    assert first["compared"] >= 50
    assert first["surprised"] == []


@pytest.mark.slow
def test_with_one_connection_a_killed_crawl_learns_the_same_as_one_that_never_was(tmp_path: Path, stage: Stage) -> None:
    settings = [*stage.settings, "fetch.concurrency=1", "fetch.per_host=1"]
    whole = stage.new(tmp_path / "whole")
    stage.web.arm(0)
    resume(whole, settings)
    killed = stage.killed(tmp_path / "killed", settings, seed=3)
    assert [lesson.url for lesson in log_of(killed)] == [lesson.url for lesson in log_of(whole)]
    assert log_of(killed) == log_of(whole)
    found = replayed(killed, settings)
    assert found["compared"] >= 50
    assert found["surprised"] == []
    assert found == replayed(whole, settings)
