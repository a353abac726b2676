"""One crawl of the lab: budgets, fences, and what a strategy says is what is fetched."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from scenthound.errors import LabError
from scenthound.lab.experiment.values import OtherTopic, Outside, Role, StrategyChoice, Task, Trace
from scenthound.lab.runs.critics import Critics
from scenthound.lab.runs.run import REST, Commissioned, Conditions, crawl
from scenthound.lab.strategies.kinds import kind_of
from scenthound.lab.world.world import World
from tests.lab.small_worlds import page, small_world
from tests.often import slowly

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with small_world(tmp_path_factory.mktemp("world")) as opened:
        yield opened


def _task(start: int = 2) -> Task:
    return Task(
        world="small",
        topic="Nature/Birds",
        draw=1,
        role=Role.TEST,
        examples=(page("birds", 0), page("birds", 1)),
        others=(page("fish", 0), page("pots", 0)),
        start=(page("birds", 0), page("birds", 1))[:start],
        wanted=frozenset(range(2, 8)),
    )


def _crawled(world: World, folder: Path, kind: str, fetches: int = 50, *, start: int = 2, **more: object) -> Trace:
    outside = Outside(str(more.pop("outside", "wasted")))
    within = more.pop("within", None)
    choice = StrategyChoice(name=kind, kind=kind, parameters=more, settings={}, tune={})
    conditions = Conditions(fetches=fetches, outside=outside)
    critics = Critics(world, folder / "critics")
    return crawl(world, _task(start), choice, kind_of(choice), conditions, critics, within=within)  # type: ignore[arg-type]


def _urls(world: World, trace: Trace) -> list[str]:
    return [world.urls[number] for number in trace.numbers if number >= 0]


def test_a_crawl_stops_at_its_budget_or_when_nothing_is_left(world: World, tmp_path: Path) -> None:
    short = _crawled(world, tmp_path, "breadth", 5)
    assert (len(short), short.stopped) == (5, "budget")
    assert _crawled(world, tmp_path, "breadth", 500).stopped == "frontier dry"


def _in_order(world: World, folder: Path, order: str) -> Trace:
    settings = {"crawl.order": order, "crawl.choosy": 0.0}
    choice = StrategyChoice(name=order, kind="best-first", parameters={}, settings=settings, tune={})
    return crawl(world, _task(), choice, kind_of(choice), Conditions(fetches=50), Critics(world, folder / "critics"))


def test_an_order_of_columns_is_kept_in_the_lab_too(world: World, tmp_path: Path) -> None:
    """Aggressive discovery is what best-first does, which compares tries and load besides."""
    columns, best_first = (
        _in_order(world, tmp_path, order) for order in ("tries, -relevance, server_load", "best-first")
    )
    assert _urls(world, columns)[:15] == _urls(world, best_first)[:15]  # later, best-first minds what a domain has had
    assert _urls(world, _in_order(world, tmp_path, "depth, -found")) != _urls(world, best_first)
    with pytest.raises(LabError, match='"expected" is no column in the lab'):
        _in_order(world, tmp_path, "-expected")


@pytest.mark.parametrize("kind", ["best-first", *slowly("random", "in-degree", "shark", "oracle")])
def test_a_longer_crawl_begins_like_a_shorter_one(world: World, tmp_path: Path, kind: str) -> None:
    short, long = (_crawled(world, tmp_path, kind, fetches).numbers.tolist() for fetches in (6, 12))
    assert long[:6] == short


def test_examples_are_no_part_of_what_is_counted(world: World, tmp_path: Path) -> None:
    fetched = _urls(world, _crawled(world, tmp_path, "breadth"))
    assert not {page("birds", 0), page("birds", 1), page("fish", 0), page("pots", 0)} & set(fetched)
    assert len(fetched) == len(set(fetched))


def test_what_lies_outside_is_invisible_or_wasted(world: World, tmp_path: Path) -> None:
    assert "http://elsewhere.test/" not in _urls(world, _crawled(world, tmp_path, "breadth"))
    unseen, wasted = (_crawled(world, tmp_path, "breadth", outside=outside) for outside in ("invisible", "wasted"))
    assert (wasted.numbers < 0).sum() > (unseen.numbers < 0).sum()


def test_each_failure_is_one_fetch_and_a_redirect_with_its_target_too(world: World, tmp_path: Path) -> None:
    """The start pages link to a page that moved, to one that is gone, and out of the world."""
    trace = _crawled(world, tmp_path, "breadth", 500)
    # All pages but the four examples; the dead link of the archive, and the one that leads out.
    assert len(trace) == len(world.urls) - 4 + 2
    assert (trace.numbers < 0).sum() == 2
    assert np.isnan(trace.relevance[trace.numbers < 0]).all()
    assert _urls(world, trace).count(page("birds", 3)) == 1  # by its own address or through the redirect
    alone = _crawled(world, tmp_path, "breadth", 500, outside="invisible")
    assert (len(alone), (alone.numbers < 0).sum()) == (len(trace) - 1, 1)


def test_an_oracle_fetches_dead_links_last(world: World, tmp_path: Path) -> None:
    numbers = _crawled(world, tmp_path, "oracle", 500).numbers
    assert (numbers[:-2] >= 0).all()
    assert (numbers[-2:] < 0).all()


def test_what_is_not_wanted_may_be_several_topics() -> None:
    others = (OtherTopic(path="Nature/Fish", examples=("f",)), OtherTopic(path="Crafts", examples=("p", "q")))
    task = replace(_task(), others=(), other_topics=others)
    assert task.unwanted == ("f", "p", "q")
    topics = Commissioned(task).topics().topics
    assert [(topic.path, topic.good, topic.examples) for topic in topics] == [
        ("Nature/Birds", True, task.examples),
        ("Nature/Fish", False, ("f",)),
        ("Crafts", False, ("p", "q")),
    ]
    assert [topic.path for topic in Commissioned(_task()).topics().topics] == ["Nature/Birds", REST]


def test_examples_of_other_topics_are_no_part_of_what_is_counted(world: World, tmp_path: Path) -> None:
    others = (OtherTopic(path="Nature/Fish", examples=(page("fish", 0),)),)
    task = replace(_task(), others=(page("pots", 0),), other_topics=others)
    choice = StrategyChoice(name="breadth", kind="breadth", parameters={}, settings={}, tune={})
    trace = crawl(world, task, choice, kind_of(choice), Conditions(fetches=50), Critics(world, tmp_path / "critics"))
    assert not {page("fish", 0), page("pots", 0)} & set(_urls(world, trace))


def test_an_oracle_fetches_what_is_wanted_before_all_else(world: World, tmp_path: Path) -> None:
    numbers = _crawled(world, tmp_path, "oracle", 6).numbers.tolist()
    assert sorted(numbers) == [2, 3, 4, 5, 6, 7]


def test_a_crawl_may_be_confined_to_some_pages(world: World, tmp_path: Path) -> None:
    some = frozenset(page("birds", number) for number in (2, 3, 5))
    assert set(_urls(world, _crawled(world, tmp_path, "breadth", within=some))) <= some


def test_links_are_followed_from_the_start_pages_alone(world: World, tmp_path: Path) -> None:
    """Both pages are examples either way; from the second crawl's start, more lies within one step."""
    one, both = (_crawled(world, tmp_path, "breadth", start=start) for start in (1, 2))
    assert (one.depth == 1).sum() < (both.depth == 1).sum()


def _digits(url: str) -> float:
    return float("".join(filter(str.isdigit, url)) or 0)


def test_what_a_strategy_says_is_what_is_fetched(world: World, tmp_path: Path, own: Callable[[str], str]) -> None:
    source = own(
        """
        class Backwards:
            def __init__(self, briefing):
                self.known = {}
            def see(self, page):
                self.known |= {link.url: float("".join(filter(str.isdigit, link.url)) or 0) for link in page.links}
                return {url: priority + page.n for url, priority in self.known.items()}
        """
    )
    fetched = _urls(world, _crawled(world, tmp_path, f"{source}:Backwards", 4))
    seen = [_digits(url) for url in fetched]
    assert seen[0] == 3.0  # the greatest that the start pages link to
    assert seen == sorted(seen)  # each page links to the next two of its kind, and these are greater


def test_a_priority_that_is_no_number_is_refused(world: World, tmp_path: Path, own: Callable[[str], str]) -> None:
    source = own(
        """
        class Wordy:
            def __init__(self, briefing):
                pass
            def see(self, page):
                return {link.url: "high" for link in page.links}
        """
    )
    with pytest.raises(LabError, match="gave 'high' as the priority of http"):
        _crawled(world, tmp_path, f"{source}:Wordy", 4)


@pytest.fixture
def own(tmp_path: Path) -> Callable[[str], str]:
    """Write a strategy of the user's own to a file."""

    def write(text: str) -> str:
        lines = text.strip("\n").splitlines()
        indent = len(lines[0]) - len(lines[0].lstrip())
        file = tmp_path / "own.py"
        file.write_text("\n".join(line[indent:] for line in lines) + "\n", encoding="utf-8")
        return str(file)

    return write
