"""Every kind in the crawl that ships, on the small web of birds, fish and pots."""

from collections.abc import Iterator

import numpy as np
import pytest

from scenthound.lab.experiment.values import Role, StrategyChoice, Task, Trace
from scenthound.lab.runs.critics import Critics
from scenthound.lab.runs.run import Conditions, crawl
from scenthound.lab.strategies.kinds import catalogue, kind_of
from scenthound.lab.strategies.oracle import ALIVE
from scenthound.lab.world.world import World
from tests.lab.small_worlds import page, small_world

KINDS = [kind.name for kind in catalogue() if kind.name != "recall"]  # that one needs another crawl to be confined to
GUIDED_DIFFERENTLY = {"apprentice", "best-first", "oracle"}  # the others go the way of one of these
ALL = [pytest.param(kind, marks=() if kind in GUIDED_DIFFERENTLY else pytest.mark.slow) for kind in KINDS]
EXAMPLES = tuple(page("birds", n) for n in range(3))
OTHERS = tuple(page(subject, n) for subject in ("fish", "pots") for n in range(3))


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with small_world(tmp_path_factory.mktemp("world"), pages=16) as world:
        yield world


class Crawls:
    """Crawls for birds; a whole one is made once for each kind."""

    def __init__(self, world: World, critics: Critics) -> None:
        self.world = world
        self._critics = critics
        self._whole: dict[str, Trace] = {}

    def whole(self, name: str) -> Trace:
        if name not in self._whole:
            self._whole[name] = self.crawl(name, fetches=500)
        return self._whole[name]

    def crawl(self, name: str, *, fetches: int) -> Trace:
        wanted = self.world.about("Nature/Birds") - {self.world.number[url] for url in EXAMPLES}
        task = Task(
            world="small",
            topic="Nature/Birds",
            draw=0,
            role=Role.TEST,
            examples=EXAMPLES,
            others=OTHERS,
            start=EXAMPLES,
            wanted=wanted,
        )
        choice = StrategyChoice(name=name, kind=name, parameters={}, settings={}, tune={})
        return crawl(self.world, task, choice, kind_of(choice), Conditions(fetches=fetches), self._critics)


@pytest.fixture(scope="module")
def crawls(world: World, tmp_path_factory: pytest.TempPathFactory) -> Crawls:
    return Crawls(world, Critics(world, tmp_path_factory.mktemp("critics")))


@pytest.mark.slow
@pytest.mark.parametrize("name", ALL)
def test_every_kind_fetches_the_whole_web_when_it_may(name: str, crawls: Crawls) -> None:
    pages = sorted(n for n in crawls.whole(name).numbers.tolist() if n >= 0)  # a dead link is fetched too
    assert pages == [n for n, url in enumerate(crawls.world.urls) if url not in (*EXAMPLES, *OTHERS)]


@pytest.mark.slow
@pytest.mark.parametrize("name", ALL)
def test_a_shorter_crawl_is_the_beginning_of_a_longer_one(name: str, crawls: Crawls) -> None:
    assert crawls.crawl(name, fetches=30).numbers.tolist() == crawls.whole(name).numbers[:30].tolist()


@pytest.mark.parametrize("name", ["oracle", "greedy-oracle"])
def test_an_oracle_wastes_nothing_while_there_are_relevant_pages(name: str, crawls: Crawls) -> None:
    assert np.all(crawls.whole(name).numbers[:13] < 16)  # birds come first in this world


def test_what_a_strategy_said_stays_so_however_often_a_url_is_cited(crawls: Crawls) -> None:
    priorities = crawls.whole("oracle").priority.tolist()
    assert set(priorities) == {0.0, ALIVE, 1.0}
    assert priorities == sorted(priorities, reverse=True)
