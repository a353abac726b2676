"""The same web, the same settings, the same crawl: row for row, but for the times.

It holds where one request is made at a time and no server asks for a pause: how many other URLs fit into a pause
depends on the machine. The hosts of the demo web that fail, are silent or ask for time are locked here.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.demo.host_table import Oddity
from scenthound.demo.server import ServedWeb
from scenthound.demo.web import DemoWeb
from tests.crawl.scene import BRISK, command, new, resume

PAGES = 45
RESTLESS = frozenset({Oddity.ERRORS, Oddity.CUTS, Oddity.SILENT, Oddity.NO_ROBOTS, Oddity.CRAWL_DELAY, Oddity.SLOW})


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """The demo web on its port, and how it is crawled one request at a time."""

    seeds: list[str]
    settings: list[str]

    def exported(self, path: Path, *settings: str) -> list[dict[str, object]]:
        """Crawl, or go on with a crawl, and return its export without the times."""
        directory = CrawlDirectory.open(path) if path.exists() else new(path, self.seeds)
        resume(directory, [*self.settings, *settings])
        rows = [json.loads(line) for line in command("export", str(path), "--format", "jsonl", "--all").splitlines()]
        return [{name: value for name, value in row.items() if name != "fetched_at"} for row in rows]


@pytest.fixture(scope="module")
def stage() -> Iterator[Stage]:
    demo = DemoWeb()
    locked = [host.name for host in demo.hosts.values() if host.oddities & RESTLESS]
    with ServedWeb(demo.answer) as served:
        names = f'fetch.resolve={{"*.test" = "127.0.0.1:{served.port}"}}'
        one_by_one = ("fetch.concurrency=1", "fetch.per_host=1", f"crawl.pages={PAGES}")
        settings = [*BRISK, names, f"fetch.locked={locked}", *one_by_one]
        yield Stage(seeds=demo.seeds("Recreation/Cycling"), settings=settings)


@pytest.mark.slow
def test_two_crawls_of_one_web_give_the_same_export(tmp_path: Path, stage: Stage) -> None:
    first = stage.exported(tmp_path / "first")
    second = stage.exported(tmp_path / "second")
    assert len(first) >= PAGES
    assert first == second


@pytest.mark.slow
def test_the_random_order_is_drawn_from_the_seed_and_survives_an_interruption(tmp_path: Path, stage: Stage) -> None:
    whole = stage.exported(tmp_path / "whole", "crawl.order=random")
    stage.exported(tmp_path / "halved", "crawl.order=random", f"crawl.pages={PAGES // 3}")
    assert stage.exported(tmp_path / "halved", "crawl.order=random") == whole
    other = stage.exported(tmp_path / "other", "crawl.order=random", "crawl.seed=2")
    assert [row["url"] for row in other] != [row["url"] for row in whole]
