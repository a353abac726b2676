"""The order of a crawl may change, between two runs and while it runs, and what the server is asked for shows it.

The web is a tree on one host, crawled with one connection, so that the requests follow from the order exactly:
`expected` says which they must be.
"""

import asyncio
import signal
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from scenthound.clock import VirtualClock
from scenthound.crawl.critic.at_work import NoCritic
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.crawl.directory.open_store import open_store
from scenthound.crawl.directory.settings_watch import SettingsWatch
from scenthound.crawl.engine.assemble import StopSwitch, run_crawl
from scenthound.crawl.engine.hooks import Batch
from scenthound.crawl.engine.rulebook import rulebook_of
from scenthound.crawl.order.current import Ordering, Places
from scenthound.crawl.order.frontier_order import FrontierOrder
from scenthound.crawl.order.note import ORDERED, UNFINISHED
from scenthound.demo.served_answer import Answer
from scenthound.demo.server import ServedWeb
from scenthound.events import Event, Notice, ignore
from scenthound.frontier.orders import order_by_name
from scenthound.store.base import Store
from scenthound.store.indexed.store import IndexedStore
from scenthound.trust import function, remember
from scenthound.types import Link
from tests.crawl.scene import BRISK, new
from tests.nursery import started
from tests.often import slowly
from tests.patience import PATIENCE
from tests.store.small_world import back, claim, found, put

PAGES = 400
BRANCHES = 4
WORDS = "by_words:priority"
EDITED_AT = 12  # request at which crawl.toml is written


def url(number: int) -> str:
    return f"http://tree.test/{number}"


def depth(number: int) -> int:
    return 0 if not number else 1 + depth((number - 1) // BRANCHES)


def children(number: int) -> list[int]:
    return [child for child in range(BRANCHES * number + 1, BRANCHES * number + BRANCHES + 1) if child < PAGES]


def words(number: int) -> str:
    return f"{'wanted' if number % 5 == 0 else 'other'} page"


@dataclass(kw_only=True)
class Tree:
    """The tree as it is served; at one request, it does something before it answers."""

    at: int = 0
    do: Callable[[], None] = lambda: None
    asked: list[int] = field(default_factory=list)

    def answer(self, host: str, path: str) -> Answer:
        number = int(path.strip("/"))
        self.asked.append(number)
        if len(self.asked) == self.at:
            self.do()
        links = " ".join(f'<a href="{url(child)}">{words(child)}</a>' for child in children(number))
        text = " ".join(f"{number}-{n}" for n in range(30))
        body = f"<title>{number}</title><p>{text}</p>{links}"
        return Answer(headers=(("Content-Type", "text/html"),), body=body.encode())


@contextmanager
def served(tree: Tree) -> Iterator[list[str]]:
    """Serve it; yield the settings for a crawl in which nothing but the order decides."""
    with ServedWeb(tree.answer) as web:
        yield [
            *(setting for setting in BRISK if not setting.startswith("crawl.order")),
            "fetch.robots=false",
            "fetch.concurrency=1",
            "crawl.traps=false",
            f'fetch.resolve={{"*.test" = "127.0.0.1:{web.port}"}}',
        ]


def expected(orders: Sequence[tuple[str, int]]) -> list[int]:
    """Return the pages in the order in which they must be asked for: so many in one order, so many in the next."""
    frontier, asked = [0], list[int]()
    for name, many in orders:
        for _ in range(many - len(asked)):
            best = max(frontier, key=lambda number: priority(name, number))  # of equals the first
            frontier.remove(best)
            frontier += children(best)
            asked.append(best)
    return asked


def priority(name: str, number: int) -> float:
    if name == WORDS:
        return float("wanted" in words(number) and number > 0)
    return order_by_name(name, seed=0).priority(Link(url=url(number)), depth(number), 0.0)


@dataclass(frozen=True, kw_only=True)
class Heard:
    """The notices of a run, each with how many pages had been asked for when it came."""

    notices: list[tuple[int, str]]

    @property
    def changed_after(self) -> int:
        """How many pages had been asked for when the order changed."""
        [after] = [asked for asked, text in self.notices if text.startswith("the order from now on is")]
        return after

    def texts(self) -> list[str]:
        return [text for _, text in self.notices]


def run(
    directory: CrawlDirectory, overrides: Sequence[str], tree: Tree, *, pages: int, given: Collection[str] = ()
) -> Heard:
    heard = Heard(notices=[])

    def hear(event: Event) -> None:
        if isinstance(event, Notice):
            heard.notices.append((len(tree.asked), event.text))

    chosen = directory.settings([*overrides, f"crawl.pages={pages}", "crawl.minutes=10"])
    run_crawl(directory, chosen, listener=hear, stop=StopSwitch(), given=given)
    return heard


def write(directory: CrawlDirectory, text: str) -> None:
    directory.settings_file.write_text(text, encoding="utf-8")


def order(name: str) -> str:
    return f'[crawl]\norder = "{name}"\n'


@pytest.fixture
def by_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    remember(tmp_path / "crawl", [function(WORDS)])
    module = "def priority(link):\n    return float('wanted' in link.text)\n"
    (tmp_path / "by_words.py").write_text(module, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))


PAIRS = [(WORDS, "depth")]
PAIRS += slowly(
    ("breadth", "-depth, server_load"),
    ("-depth", "random"),
    ("breadth", "depth"),
    ("depth", "random"),
    ("random", "breadth"),
    ("breadth", WORDS),
)


@pytest.mark.slow
@pytest.mark.usefixtures("by_words")
@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_another_order_at_the_next_start_holds_for_all_that_waits(tmp_path: Path, first: str, second: str) -> None:
    tree, directory = Tree(), new(tmp_path / "crawl", [url(0)])
    with served(tree) as web:
        run(directory, [*web, f"crawl.order={first}"], tree, pages=20)
        heard = run(directory, [*web, f"crawl.order={second}"], tree, pages=50)
        run(directory, [*web, f"crawl.order={second}"], tree, pages=60)
    assert heard.changed_after == 20
    assert tree.asked == expected([(first, 20), (second, 60)])


@pytest.mark.slow
@pytest.mark.usefixtures("by_words")
@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_an_order_edited_in_mid_crawl_holds_from_then_on(tmp_path: Path, first: str, second: str) -> None:
    directory = new(tmp_path / "crawl", [url(0)])
    write(directory, order(first))
    tree = Tree(at=EDITED_AT, do=lambda: write(directory, order(second)))
    with served(tree) as web:
        heard = run(directory, web, tree, pages=90)
    assert EDITED_AT <= heard.changed_after < 80
    assert tree.asked == expected([(first, heard.changed_after), (second, 90)])


@pytest.mark.slow
def test_an_order_given_to_the_run_outlasts_an_edit(tmp_path: Path) -> None:
    directory = new(tmp_path / "crawl", [url(0)])
    write(directory, order("breadth"))  # what is given is also what the file says
    tree = Tree(at=5, do=lambda: write(directory, order("depth")))
    with served(tree) as web:
        heard = run(directory, [*web, "crawl.order=breadth"], tree, pages=60, given=["crawl.order"])
        assert heard.texts() == ["crawl.toml has changed: crawl.order takes effect at the next start of the crawl"]
        assert tree.asked == expected([("breadth", 60)])
        assert run(directory, web, tree, pages=70).changed_after == 60
    assert tree.asked == expected([("breadth", 60), ("depth", 70)])


@pytest.mark.slow
def test_an_apprentice_without_a_critic_is_spoken_of_only_where_somebody_has_asked_for_it(tmp_path: Path) -> None:
    directory, tree = new(tmp_path / "crawl", [url(0)]), Tree()
    with served(tree) as web:
        assert run(directory, web, tree, pages=2).texts() == []
        [told] = run(directory, [*web, "crawl.order=apprentice"], tree, pages=3, given=["crawl.order"]).texts()
        write(directory, order("apprentice"))
        assert run(directory, web, tree, pages=4).texts() == [told]
    assert told.startswith('crawl.order is "apprentice", but critic.kind is "none"')


def test_an_edit_is_noticed_while_the_only_host_rests(tmp_path: Path) -> None:
    directory, stop = new(tmp_path / "crawl", [url(0)]), StopSwitch()
    write(directory, order("breadth"))
    tree = Tree(at=1, do=lambda: write(directory, order("-depth")))
    notices = list[str]()

    def hear(event: Event) -> None:
        if isinstance(event, Notice):
            notices.append(event.text)
            stop.force()

    with served(tree) as web:
        chosen = directory.settings([*web, "fetch.delay=600", "crawl.minutes=10"])
        summary = run_crawl(directory, chosen, listener=hear, stop=stop)
    assert notices == ["the order from now on is -depth; 4 waiting URLs moved"]
    assert (len(tree.asked), summary.elapsed < PATIENCE) == (1, True)


@pytest.mark.slow
def test_a_file_that_cannot_be_read_is_told_once_and_changes_nothing(tmp_path: Path) -> None:
    directory = new(tmp_path / "crawl", [url(0)])
    write(directory, order("breadth"))
    tree = Tree(at=5, do=lambda: write(directory, '[crawl]\norder = "dep'))
    with served(tree) as web:
        heard = run(directory, web, tree, pages=60)
    [told] = heard.texts()
    assert told.startswith("crawl.toml: line 2 is not TOML")
    assert told.endswith("; the crawl goes on with the settings as they were")
    assert tree.asked == expected([("breadth", 60)])


@pytest.mark.slow
def test_an_order_that_cannot_be_had_is_told_once_and_changes_nothing(tmp_path: Path) -> None:
    directory = new(tmp_path / "crawl", [url(0)])
    remember(directory.path, [function("no_such_module:priority")])
    write(directory, order("breadth"))
    tree = Tree(at=5, do=lambda: write(directory, order("no_such_module:priority")))
    with served(tree) as web:
        heard = run(directory, web, tree, pages=60)
    [told] = heard.texts()
    assert told.startswith("crawl.order: no_such_module:priority cannot be loaded")
    assert tree.asked == expected([("breadth", 60)])


@pytest.mark.slow
def test_of_other_settings_it_is_said_that_they_wait_for_the_next_start(tmp_path: Path) -> None:
    directory = new(tmp_path / "crawl", [url(0)])
    write(directory, order("breadth"))
    edited = order("depth") + "depth = 4\n[archive]\nkeep = false\n[apprentice]\nsample = 0.2\n"
    tree = Tree(at=5, do=lambda: write(directory, edited))
    with served(tree) as web:
        heard = run(directory, web, tree, pages=60)
    later = "crawl.toml has changed: crawl.depth, archive.keep take effect at the next start of the crawl"
    assert heard.texts()[0] == later
    assert tree.asked == expected([("breadth", heard.changed_after), ("depth", 60)])
    assert len(heard.notices) == 2


@pytest.mark.slow
def test_an_edit_that_is_taken_back_brings_the_old_order_back(tmp_path: Path) -> None:
    directory = new(tmp_path / "crawl", [url(0)])
    write(directory, order("breadth"))
    tree = Tree(at=EDITED_AT, do=lambda: write(directory, order("random")))
    with served(tree) as web:
        there = run(directory, web, tree, pages=60)
        write(directory, order("breadth"))
        run(directory, web, tree, pages=90)
    assert tree.asked == expected([("breadth", there.changed_after), ("random", 60), ("breadth", 90)])


DEADLY = """
import os, signal
from scenthound.crawl.order import change

change.PIECE = 10
calls = 0


def priority(link):
    global calls
    calls += 1
    if calls > 35:
        os.kill(os.getpid(), signal.SIGKILL)
    return 1000.0 + calls
"""


@pytest.mark.slow
@pytest.mark.parametrize("wanted", ["breadth", "tries, -depth"])
def test_a_crawl_killed_while_it_is_put_in_order_ends_with_the_right_one(tmp_path: Path, wanted: str) -> None:
    """The old order is among those that may be wanted after that: half of the frontier does not have it any more."""
    tree, directory = Tree(), new(tmp_path / "crawl", [url(0)])
    (tmp_path / "deadly.py").write_text(DEADLY, encoding="utf-8")
    with served(tree) as web:
        run(directory, [*web, "crawl.order=breadth"], tree, pages=30)
        asked = len(tree.asked)
        chosen = [word for setting in [*web, "crawl.order=deadly:priority"] for word in ("--set", setting)]
        with started("crawl", str(directory.path), "--quiet", *chosen, folder=tmp_path) as killed:
            pass
        assert killed.returncode == -signal.SIGKILL
        with open_store(directory, read_only=True) as store:
            moved = sum(one.priority > 1000.0 for one in store.waiting(limit=PAGES))
            assert (moved, store.note(ORDERED)) == (30, UNFINISHED)
        assert len(tree.asked) == asked
        run(directory, [*web, f"crawl.order={wanted}"], tree, pages=70)
        with open_store(directory, read_only=True) as store:
            assert {one.url: one.priority for one in store.waiting(limit=PAGES)} == {
                one.url: priority(wanted, int(one.url.rpartition("/")[2])) for one in store.waiting(limit=PAGES)
            }
    assert tree.asked == expected([("breadth", 30), (wanted, 70)])


def test_what_was_in_flight_comes_back_in_the_new_order(tmp_path: Path) -> None:
    """The frontier counts as ordered only when all of it has landed: the claims of a killed crawl would have old
    priorities.
    """
    directory, clock = new(tmp_path / "crawl", [url(0)]), VirtualClock()
    write(directory, order("breadth"))
    with IndexedStore() as store:
        ordering = ordering_of(directory, store, clock)
        frontier = FrontierOrder(ordering, store=store, clock=clock, critic=NoCritic())
        store.add([found(url(99), -4.0, depth=4)], now=0.0)
        frontier.after_turn(Batch(rules=frontier))
        [flying] = claim(store, now=1.0)
        write(directory, order("depth"))
        for _ in range(2):  # the file must be seen twice as it is
            frontier.after_turn(Batch(rules=frontier, flying=[flying.id]))
            asyncio.run(clock.sleep(1.0))
        assert (ordering.book.order.priority(Link(url=url(99)), 4, 0.0), store.note(ORDERED)) == (4.0, UNFINISHED)
        put(store, *frontier.set_priorities([back(flying, at=2.0)]), now=2.0)
        assert [one.priority for one in store.waiting(limit=9)] == [4.0]
        frontier.after_turn(Batch(rules=frontier))
        assert store.note(ORDERED) == "depth; critic 0"


def ordering_of(directory: CrawlDirectory, store: Store, clock: VirtualClock) -> Ordering:
    chosen = directory.settings(["critic.kind=none"])
    ordering = Ordering(
        settings=chosen,
        book=rulebook_of(chosen, store, only=None),
        store=store,
        clock=clock,
        listener=ignore,
        places=Places(models=directory.models, archive=directory.archive),
        watch=SettingsWatch(directory, chosen, clock=clock, listener=ignore),
        critic=NoCritic(seeds=directory.seeds()),
        stopping=lambda: False,
        number_words=lambda wanted: None,
    )
    ordering.begin()
    return ordering
