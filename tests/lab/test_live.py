"""What the lab measures is what ships: a live crawl over HTTP asks for the same pages, in the same order, as the lab's."""

from pathlib import Path

import pytest

from scenthound.crawl.assemble import StopSwitch, run_crawl
from scenthound.crawl.directory import CrawlDirectory
from scenthound.demo.server import ServedWeb
from scenthound.demo.warc_web import WarcWeb
from scenthound.events import ignore
from scenthound.lab.critics import Critics
from scenthound.lab.kinds import kind_of
from scenthound.lab.run import Commissioned, Conditions, crawl
from scenthound.lab.sources import WorldSource
from scenthound.lab.values import Outside, Role, StrategyChoice, Task, Trace
from scenthound.lab.world import World, open_world
from scenthound.parse.urls import canonical
from tests.lab.small_worlds import page, small_source
from tests.often import slowly
from tests.parse.webs import web

ORDERS = ["best-first", *slowly("best-first-max", "breadth", "depth", "random")]
SEED = 11


@pytest.mark.parametrize("order", ORDERS)
def test_a_live_crawl_of_a_small_web_goes_the_same_way(order: str, tmp_path: Path) -> None:
    source = small_source(tmp_path, pages=20)
    with open_world(source, cache=tmp_path / "cache", workers=1) as world:
        task = Task(
            world="small",
            topic="Nature/Birds",
            draw=0,
            role=Role.TEST,
            examples=tuple(page("birds", n) for n in range(4)),
            others=tuple(page(subject, n) for subject in ("fish", "pots") for n in range(3)),
            start=tuple(page("birds", n) for n in range(4)),
            wanted=frozenset(number for number in range(4, 20)),
        )
        replayed = [world.urls[number] for number in _replayed(world, task, order, 40, tmp_path).numbers if number >= 0]
        assert len(replayed) > 20
        assert _asked_live(source.warc[0], task, order, 40, tmp_path, known=world)[: len(replayed)] == replayed


@pytest.mark.slow
@pytest.mark.parametrize("order", ["best-first", "breadth"])
def test_a_live_crawl_of_the_schools_web_goes_the_same_way(order: str, tmp_path: Path) -> None:
    archive = web("schools")
    source = WorldSource(name="schools", warc=(archive,), labels=archive.with_name("schools.labels.tsv"))
    with open_world(source) as world:
        about = sorted(world.about("Science/Physics") or world.about(world.topics[0]))
        others = [number for number, labels in enumerate(world.labels) if labels and number not in about]
        task = Task(
            world="schools",
            topic="wanted",
            draw=0,
            role=Role.TEST,
            examples=tuple(world.urls[number] for number in about[:10]),
            others=tuple(world.urls[number] for number in others[:: len(others) // 60]),
            start=tuple(world.urls[number] for number in about[:10]),
            wanted=frozenset(about[10:]),
        )
        replayed = [world.urls[number] for number in _replayed(world, task, order, 300, tmp_path).numbers]
        assert _asked_live(archive, task, order, 300, tmp_path, known=world) == replayed


LOCKED = ("*/images/*", "https://*", "*/wp/index/*")


def _replayed(world: World, task: Task, order: str, fetches: int, folder: Path) -> Trace:
    choice = StrategyChoice(name=order, kind=order, parameters={}, settings={}, tune={})
    conditions = Conditions(fetches=fetches, seed=SEED, outside=Outside.INVISIBLE, locked=LOCKED)
    return crawl(world, task, choice, kind_of(choice), conditions, Critics(world, folder / "critics"))


def _asked_live(archive: Path, task: Task, order: str, pages: int, folder: Path, *, known: World) -> list[str]:
    """Crawl over HTTP, and return which of the world's pages the server was asked for, examples left out."""
    directory = CrawlDirectory.create(folder / "crawl", topics=Commissioned(task).topics())
    with ServedWeb(WarcWeb([archive], preload=True).answer) as served:
        settings = directory.settings(
            [
                "fetch.delay=0",
                "fetch.delay_factor=0",
                "fetch.concurrency=1",
                "read.workers=1",
                f"fetch.proxy={served.proxy_url}",
                f"fetch.locked={list(LOCKED)}",
                f"crawl.order={order}",
                f"crawl.pages={pages}",
                f"crawl.seed={SEED}",
            ]
        )
        run_crawl(directory, settings, listener=ignore, stop=StopSwitch())
        asked = [canonical(f"http://{entry.host}{entry.path}") or "" for entry in served.log()]
    examples = {*task.examples, *task.others}
    return [url for url in asked if url in known.number and url not in examples]
