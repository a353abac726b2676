"""Harvest counted as in live crawls, in the lab: draws and counts of ../shared/tools/live_harvest.py, in seconds.

`python -m bench live_counting` crawls for every topic of the schools web with 40 pages or more, twelve topics of the
modern web, six genres of WebKB, and, if it lies beside these, 41 topics of the wiki of `bench.mention_wiki`. It takes
three draws each, with breadth-first, best-first and the apprentice in turns; the one-step oracle is the bound. Crawls
are kept in the lab's cache, by all that they depend on, so that what was interrupted goes on where it was. By hand:
`python -m bench.live_counting --web schools --topics "Countries;IT" --draws 1 --orders best-first,apprentice`.
With `--out FILE` each crawl becomes a line of that file once it is made, and crawls that are in it are left out, so that
a long measurement can be made in parts (`--minutes`); `--table FILE` prints what it says so far.
"""

import argparse
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from hashlib import blake2b
from multiprocessing import get_context
from pathlib import Path
from time import monotonic, process_time
from typing import Any, Final

import numpy as np
from threadpoolctl import threadpool_limits

from bench.figures import Report
from bench.live_draws import LiveLabels, LiveTask, one_step
from bench.live_report import APPRENTICE, BEST_FIRST, ORACLE, Crawl, Row, keep_row, kept_rows, report
from bench.serving import missing, webs_file
from scenthound.lab import StrategyChoice, World, WorldSource, open_world
from scenthound.lab.experiment.jobs import Job
from scenthound.lab.experiment.tasks import locked_pages
from scenthound.lab.experiment.values import Trace
from scenthound.lab.runs.critics import Critics
from scenthound.lab.runs.run import Conditions, crawl
from scenthound.lab.runs.trace_file import KeptTrace, read_trace, write_trace
from scenthound.lab.runs.trace_key import trace_key
from scenthound.lab.strategies.kinds import kind_of
from scenthound.lab.world.cache import cache_folder
from scenthound.taxonomy import is_at_or_below

ORDERS: Final = ("breadth", BEST_FIRST, APPRENTICE, ORACLE)
DRAWS: Final = 3
SPARE: Final = 40  # pages beyond those that count
REQUESTS: Final = 20_000  # of a crawl at most, those in vain too


@dataclass(frozen=True, slots=True, kw_only=True)
class Web:
    """A web and the topics that are crawled for; of one without any, all `within` some that have `least` pages."""

    name: str
    locked: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    within: tuple[str, ...] = ()
    least: int = 40


WEBS: Final = {
    web.name: web
    for web in (
        Web(name="schools", locked=("*/wp/index/*",)),
        Web(
            name="modern",
            topics=(
                "Arts/Music_audio",
                "Computing/Functional_programming",
                "Computing/Graphics_gamedev",
                "Computing/Machine_learning",
                "Computing/Security",
                "Humanities/Text_NLP",
                "Mathematics/Logic_proof",
                "Recreation/Cooking",
                "Recreation/Sailing_living",
                "Science/Mapping_GIS",
                "Science/Neuroscience",
                "Science/Weather_climate",
            ),
        ),
        Web(name="webkb", topics=("course", "department", "faculty", "project", "staff", "student")),
        Web(
            name="wiki",  # made by `python -m bench.mention_wiki`
            within=(
                "Computing",
                "Mathematics",
                "Science/Astronomy",
                "Science/Biology",
                "Science/Chemistry",
                "Science/Physics",
            ),
        ),
    )
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """Crawls to be made of one web."""

    web: Web
    topics: tuple[str, ...]
    draws: int
    orders: tuple[str, ...]
    known: frozenset[Crawl] = frozenset()  # made before


def run(*, quick: bool = False) -> Report:
    """Crawl all webs that are at hand."""
    wanted = [web for web in WEBS.values() if webs_file(f"{web.name}.warc.gz") and table_of(web)]
    if not wanted:
        return Report(skipped=missing("schools.warc.gz, modern.warc.gz or webkb.warc.gz, with its labels,"))
    rows = list[Row]()
    for web in wanted:
        topics = topics_of(web)[:: 25 if quick else 1]
        rows += counted(Order(web=web, topics=topics, draws=1 if quick else DRAWS, orders=ORDERS), tell=_print)
    return report(rows)


def counted(
    order: Order, *, workers: int = 2, minutes: float = 0.0, tell: Callable[[Row], None] = lambda _row: None
) -> list[Row]:
    """Make crawls, task by task, with all orders in turns; after so many minutes, if any, no more are begun."""
    until = monotonic() + 60 * minutes if minutes else float("inf")
    # Draw after draw: what is cut short has the first draw of every topic.
    every = [(order, topic, draw) for draw in range(order.draws) for topic in order.topics]
    tasks = [task for task in every if _missing(*task)]
    rows = list[Row]()
    with open_web(order.web) as world:
        world.digest  # noqa: B018  (read it before processes do)
    with ProcessPoolExecutor(max_workers=workers, mp_context=get_context("spawn")) as pool:
        for some in pool.map(_crawled, tasks, [until] * len(tasks)):
            rows += some
            for row in some:
                tell(row)
    return rows


def _missing(order: Order, topic: str, draw: int) -> list[str]:
    """Return the orders that a task was not crawled with yet."""
    return [name for name in order.orders if (order.web.name, topic, draw, name) not in order.known]


def _crawled(task: tuple[Order, str, int], until: float) -> list[Row]:
    """Make the crawls of one task, in a process of the pool."""
    order, topic, draw = task
    if monotonic() > until:
        return []
    with open_web(order.web) as world, threadpool_limits(limits=1):
        live = LiveLabels(table_of(order.web)).task(world, topic, draw)
        return [_row(world, order.web, live, topic, name) for name in _missing(*task)]


def _row(world: World, web: Web, live: LiveTask, topic: str, order: str) -> Row:
    if order == ORACLE:
        begun = process_time()
        harvest = one_step(world, live, locked=locked_pages(world, web.locked))
        return _scored(web, live, topic, order, harvest, seconds=process_time() - begun)
    kept = _trace(world, web, live, order)
    trace = kept.trace
    pages = trace.numbers >= 0
    numbers = trace.numbers[pages][: live.counted]
    relevant = [number for number in numbers.tolist() if number in live.relevant]
    repeats = trace.repeats[pages][: live.counted]
    pairs = zip(numbers.tolist(), repeats.tolist(), strict=True)
    unique = [number in live.relevant and not again for number, again in pairs]
    last = int(np.flatnonzero(pages)[: live.counted][-1]) + 1 if pages.any() else 0
    return _scored(
        web,
        live,
        topic,
        order,
        live.harvest(numbers.tolist()),
        fetched=len(numbers),
        judged=float(np.nan_to_num(trace.relevance[pages][: live.counted]).mean()) if len(numbers) else 0.0,
        hosts=len({world.hosts[number] for number in relevant}),
        unique=sum(unique),
        early=sum(unique[: live.counted // 2]),
        vain=int((~pages[:last]).sum()),
        seconds=kept.seconds,
    )


def _scored(web: Web, live: LiveTask, topic: str, order: str, harvest: float, **rest: Any) -> Row:
    known = {"fetched": live.counted, "judged": harvest, "hosts": 0, "unique": 0, "vain": 0, "seconds": 0.0} | rest
    return Row(
        web=web.name, topic=topic, draw=live.task.draw, order=order, counted=live.counted, harvest=harvest, **known
    )


def _trace(world: World, web: Web, live: LiveTask, order: str) -> KeptTrace:
    """Return the trace of a crawl, made now or before."""
    # Settings as those of a live crawl: breadth-first does not go without focus there.
    choice = StrategyChoice(name=order, kind=order, parameters={}, settings={"crawl.focus": "soft"}, tune={})
    conditions = Conditions(
        fetches=REQUESTS, seed=1, locked=web.locked, settings=(("crawl.pages", live.counted + SPARE),)
    )
    kind, folder = kind_of(choice), cache_folder() / "live_counting"
    job = Job(place=0, task=live.task, choice=choice, conditions=conditions)
    path = folder / f"{trace_key(job, kind, world.digest)}.msgpack"
    kept = read_trace(path)
    if kept is None:
        begun = process_time()
        trace: Trace = crawl(world, live.task, choice, kind, conditions, Critics(world, folder / "critics"))
        kept = KeptTrace(trace=trace, seconds=process_time() - begun)
        write_trace(path, kept)
    return kept


def open_web(web: Web) -> World:
    """Open a web that is at hand as a world."""
    warc, labels = webs_file(f"{web.name}.warc.gz"), table_of(web)
    assert warc is not None
    return open_world(WorldSource(name=web.name, warc=(warc,), labels=labels))


def table_of(web: Web) -> Path:
    """Return the table of a web's labels."""
    found = webs_file(f"{web.name}.labels.tsv")
    if found is None:
        raise FileNotFoundError(missing(f"{web.name}.labels.tsv"))
    return found


def topics_of(web: Web) -> tuple[str, ...]:
    """Return the topics of a web that are crawled for."""
    found = web.topics or tuple(LiveLabels(table_of(web)).topics(least=web.least))
    return tuple(topic for topic in found if not web.within or any(is_at_or_below(topic, one) for one in web.within))


def is_even(topic: str) -> bool:
    """Tell of a topic whether it may be looked at while something is chosen; the others show what it is worth.

    >>> is_even("Countries"), is_even("Science")
    (True, False)
    """
    return blake2b(topic.encode(), digest_size=8).digest()[0] % 2 == 0


def _print(row: Row) -> None:
    print(
        f"  {row.web} {row.topic[-50:]:<50} {row.draw} {row.order:<11} {row.harvest:.3f} of {row.counted}, judged "
        f"{row.judged:.2f}, "
        f"{row.hosts} hosts, {row.vain} in vain, {row.seconds:.1f} s",
        flush=True,
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Crawl what is asked for and print the tables."""
    parser = argparse.ArgumentParser(prog="python -m bench.live_counting", description=str(__doc__).splitlines()[0])
    parser.add_argument("--web", choices=sorted(WEBS), default="schools")
    parser.add_argument("--topics", help='separated by ";"; "even" and "odd" are halves by a hash; all if not said')
    parser.add_argument("--draws", type=int, default=DRAWS)
    parser.add_argument("--orders", default=",".join(ORDERS))
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--minutes", type=float, default=0.0, help="begin no more crawls after so many")
    parser.add_argument("--out", type=Path, help="a file that every crawl is added to, if it is not there yet")
    parser.add_argument("--table", type=Path, nargs="+", help="print what such files say, and crawl no more")
    chosen = parser.parse_args(arguments)
    if chosen.table:
        _say([row for path in chosen.table for row in kept_rows(path)])
        return
    before = kept_rows(chosen.out) if chosen.out else []
    web = WEBS[chosen.web]
    topics = topics_of(web)
    if chosen.topics in ("even", "odd"):
        topics = tuple(topic for topic in topics if is_even(topic) is (chosen.topics == "even"))
    elif chosen.topics:
        topics = tuple(chosen.topics.split(";"))
    order = Order(
        web=web,
        topics=topics,
        draws=chosen.draws,
        orders=tuple(chosen.orders.split(",")),
        known=frozenset(row.crawl for row in before),
    )

    def tell(row: Row) -> None:
        if chosen.out:
            keep_row(chosen.out, row)
        _print(row)

    _say(before + counted(order, workers=chosen.workers, minutes=chosen.minutes, tell=tell))


def _say(rows: Sequence[Row]) -> None:
    done = report(rows)
    print("\n\n".join(done.text))
    for figure in done.figures:
        print(f"{figure.name}: {figure.value:.3f} {figure.verdict}")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
