"""How right the critic is from eight examples of one topic, over all topics and draws, in the lab in place of HTTP.

`python -m bench.one_topic_lab --into FILE [--minutes N]` makes the crawls of `bench.one_topic` with the lab's loop and a
virtual clock: the same examples, settings and critic, one request at a time. Each crawl of 250 pages runs twice: from
the topic alone, and with six other topics of eight examples each. Of WebKB the topics are its genres, and the five
other genres compete. FILE gets a line for each crawl; what it has already is not run again, so that a run may be cut
into parts. Webs take turns, draw after draw, so that a part has the same share of each. Take another file after a
change of the code. The table has means over topics, with the 95 % interval that
drawing topics again gives. `--live N` also makes every Nth crawl over HTTP and prints both side by side.
"""

import argparse
import random
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from statistics import mean
from time import monotonic
from typing import Any, Final

import msgspec
from threadpoolctl import threadpool_limits

from bench.figures import Figure, Report, at_least, markdown_table
from bench.live_counting import REQUESTS, WEBS, open_web, table_of
from bench.live_draws import LiveLabels
from bench.one_topic import DRAWS, EXAMPLES, FEWEST, NO_TOPICS, ON_TOPIC, PAGES, SEED, WANTED, judged, scores
from bench.serving import ServerProcess, missing, webs_file
from scenthound import StopSwitch, ignore, run_crawl
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.lab import StrategyChoice, World
from scenthound.lab.experiment.values import OtherTopic, Role, Task
from scenthound.lab.metrics.bootstrap import Bootstrap
from scenthound.lab.runs.critics import Critics
from scenthound.lab.runs.run import Conditions, crawl
from scenthound.lab.strategies.kinds import kind_of
from scenthound.parse.urls import canonical
from scenthound.settings.file import override
from scenthound.settings.schema import Settings
from scenthound.store.base import Store
from scenthound.taxonomy import Topic, Topics, is_at_or_below

NAMES: Final = ("schools", "modern", "webkb")
OTHERS: Final = 6
FEWEST_OTHERS: Final = 15  # pages of a topic that competes
# What the lab switches off for its comparisons and a live crawl has.
_AS_LIVE: Final = (("crawl.archetypes", 10), ("distill.lift", 0.85))
_INSIDE: Final = 0.1  # how far the harvest told may be off
Key = tuple[str, str, int, int]  # web, topic, draw, how many topics compete


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """One crawl as a line of the file; `others` is how many topics competed."""

    web: str
    topic: str
    draw: int
    others: int
    precision: float
    recall: float
    told: float
    true: float
    pages: int

    @property
    def key(self) -> Key:
        return self.web, self.topic, self.draw, self.others


class Draws:
    """The tasks of one web: the draws of `bench.one_topic`, and topics that compete."""

    def __init__(self, name: str, world: World) -> None:
        self.world = world
        self._genres = name == "webkb"
        self._labels = LiveLabels(table_of(WEBS[name]))

    def topics(self) -> list[str]:
        """Return the topics with enough pages, and those above them."""
        found = self._labels.topics(least=FEWEST)
        return [
            path for path in found if path not in NO_TOPICS and self._fits(path) and len(self.about(path)) >= FEWEST
        ]

    def about(self, topic: str) -> list[str]:
        return [url for url in self._labels.about(topic) if url in self.world.number]

    def task(self, topic: str, draw: int, others: int) -> Task:
        relevant = self.about(topic)
        examples = tuple(random.Random(SEED + draw).sample(relevant, EXAMPLES))
        number = self.world.number
        return Task(
            world=self.world.name,
            topic=WANTED,
            draw=draw,
            role=Role.TEST,
            examples=_asked(examples),
            others=(),
            start=_asked(examples),
            wanted=frozenset(number[url] for url in relevant) - {number[url] for url in examples},
            other_topics=self._competing(topic, frozenset(relevant), draw) if others else (),
        )

    def _fits(self, topic: str) -> bool:
        """Tell whether a topic may be asked for, or compete: below the genres of WebKB are universities."""
        return not self._genres or "/" not in topic

    def _competing(self, topic: str, relevant: frozenset[str], draw: int) -> tuple[OtherTopic, ...]:
        """Draw topics neither above nor below the wanted one, and pages of each that are not about that."""
        chance = random.Random(f"{topic} {draw}")
        names = [name for name in self._labels.topics(least=FEWEST_OTHERS) if self._leaf(name, topic)]
        found, used = list[OtherTopic](), set(relevant)
        for place, name in enumerate(chance.sample(names, len(names))):
            pool = [url for url in self.about(name) if url not in used]
            if len(pool) >= EXAMPLES:
                drawn = chance.sample(pool, EXAMPLES)
                used.update(drawn)
                found.append(OtherTopic(path=f"Other{place}", examples=_asked(drawn)))
            if len(found) == OTHERS:
                break
        return tuple(found)

    def _leaf(self, name: str, topic: str) -> bool:
        apart = not is_at_or_below(name, topic) and not is_at_or_below(topic, name)
        return apart and name not in NO_TOPICS and self._fits(name)


def crawled(world: World, task: Task) -> dict[str, float]:
    """Crawl in the lab, and return the relevance of all pages but the examples, by address."""
    own = {*task.examples, *task.unwanted}
    found = dict[str, float]()

    def look(store: Store) -> None:
        held = [page for page in store.to_judge(critic=-1, limit=10**6) if page.url not in own and not page.redirect]
        found.update({page.url: page.relevance for page in held if page.relevance is not None})

    choice = StrategyChoice(name="apprentice", kind="apprentice", parameters={}, settings={}, tune={})
    wanted = (("crawl.focus", "soft"), ("crawl.pages", PAGES), *_AS_LIVE)
    conditions = Conditions(fetches=REQUESTS, seed=1, settings=wanted)
    with tempfile.TemporaryDirectory() as folder, threadpool_limits(limits=1):
        critics = Critics(world, Path(folder), remember=False)
        crawl(world, task, choice, kind_of(choice), conditions, critics, watch=look)
    return found


def crawled_live(task: Task, *, proxy: str) -> dict[str, float]:
    """Make the same crawl over HTTP."""
    own = [f"fetch.proxy={proxy}", "fetch.delay=0", "crawl.seed=1", f"crawl.pages={PAGES}"]
    settings = override(Settings(), own)
    wanted = Topic(path=WANTED, good=True, examples=task.examples)
    others = [Topic(path=one.path, examples=one.examples) for one in task.other_topics]
    with tempfile.TemporaryDirectory() as folder:
        topics = Topics(topics=(wanted, *others))
        directory = CrawlDirectory.create(Path(folder) / "crawl", topics=topics, settings=settings)
        run_crawl(directory, settings, listener=ignore, stop=StopSwitch())
        return judged(directory, without=[*task.examples, *task.unwanted])


def row_of(key: Key, said: Mapping[str, float], relevant: Iterable[str]) -> Row:
    """Compare what is said of pages with the labels."""
    web, topic, draw, others = key
    found = scores(said, relevant, list(said))
    return Row(
        web=web,
        topic=topic,
        draw=draw,
        others=others,
        precision=found.precision,
        recall=found.recall,
        told=found.told,
        true=found.true,
        pages=len(said),
    )


def wanted_of(name: str, draws: Draws, *, number: int) -> list[Key]:
    """Return the crawls of one web: first draws first, so that a part covers all topics."""
    topics = draws.topics()
    random.Random(SEED).shuffle(topics)  # the first of a part are not those of one branch
    return [(name, topic, draw, others) for draw in range(number) for topic in topics for others in (0, OTHERS)]


def in_turns(by_web: Sequence[Sequence[Key]]) -> list[Key]:
    """Mix the crawls of all webs, so that a run that is cut short has the same share of each.

    >>> in_turns([[("a", "x", 0, 0), ("a", "y", 0, 0), ("a", "z", 0, 0), ("a", "x", 1, 0)], [("b", "x", 0, 0)]])
    [('a', 'x', 0, 0), ('b', 'x', 0, 0), ('a', 'y', 0, 0), ('a', 'z', 0, 0), ('a', 'x', 1, 0)]
    """
    placed = [(place / len(keys), key) for keys in by_web for place, key in enumerate(keys)]
    return [key for _, key in sorted(placed, key=lambda pair: pair[0])]


def measure(into: Path, *, webs: Sequence[str], draws: int, others: Sequence[int], until: float) -> Iterator[Row]:
    """Make the crawls that a file does not have yet, and add them to it."""
    done = {row.key for row in kept(into)}
    with ExitStack() as stack:
        drawn = {name: Draws(name, stack.enter_context(open_web(WEBS[name]))) for name in webs}
        wanted = in_turns([wanted_of(name, drawn[name], number=draws) for name in webs])
        for key in wanted:
            if key in done or key[3] not in others:
                continue
            if monotonic() > until:
                return
            name, topic, draw, compete = key
            own = drawn[name]
            row = row_of(key, crawled(own.world, own.task(topic, draw, compete)), own.about(topic))
            with into.open("ab") as file:
                file.write(msgspec.json.encode(row) + b"\n")
            yield row


def kept(file: Path) -> list[Row]:
    """Return the crawls that a file has; a line that was cut short is left out."""
    if not file.exists():
        return []
    lines = [line for line in file.read_bytes().split(b"\n") if line.endswith(b"}")]
    return [msgspec.json.decode(line, type=Row) for line in lines]


def compare(webs: Sequence[str], *, every: int, others: Sequence[int]) -> None:
    """Make some crawls in the lab and over HTTP, and print both."""
    for name in webs:
        archive = webs_file(f"{name}.warc.gz")
        assert archive is not None
        with open_web(WEBS[name]) as world, ServerProcess(archive) as server:
            drawn = Draws(name, world)
            for key in [key for key in wanted_of(name, drawn, number=1) if key[3] in others][::every]:
                task, relevant = drawn.task(key[1], key[2], key[3]), drawn.about(key[1])
                lab, live = crawled(world, task), crawled_live(task, proxy=server.proxy)
                both = sorted(lab.keys() & live.keys())
                apart = mean(abs(lab[url] - live[url]) for url in both) if both else float("nan")
                same = mean((lab[url] >= ON_TOPIC) == (live[url] >= ON_TOPIC) for url in both) if both else float("nan")
                print(f"{said(row_of(key, lab, relevant))}\n  over HTTP: {said(row_of(key, live, relevant))}")
                print(
                    f"  {len(both)} pages in both: relevance {apart:.3f} apart, {same:.2f} on the same side", flush=True
                )


def said(row: Row) -> str:
    return (
        f"{row.web} {row.topic} {row.draw} with {row.others} others: precision {row.precision:.2f}, recall "
        f"{row.recall:.2f}, harvest told {row.told:.2f}, true {row.true:.2f} of {row.pages}"
    )


_SHOWN: Final[Mapping[str, Callable[[Row], float]]] = {
    "precision": lambda row: row.precision,
    "recall": lambda row: row.recall,
    "told less true": lambda row: row.told - row.true,
    "told within .1": lambda row: float(abs(row.told - row.true) <= _INSIDE),
}
_GOALS: Final[Mapping[str, Mapping[int, float]]] = {
    "precision": {0: 0.85, OTHERS: 0.9},
    "recall": {0: 0.8, OTHERS: 0.85},
    "told within .1": {0: 0.9, OTHERS: 0.9},
}


def report(rows: Sequence[Row]) -> Report:
    """Return means over topics, each the mean of its draws."""
    figures, table = list[Figure](), list[list[str]]()
    for web in dict.fromkeys(row.web for row in rows):
        for others in sorted({row.others for row in rows if row.web == web}):
            own = [row for row in rows if (row.web, row.others) == (web, others)]
            line = [web, str(others), str(len({row.topic for row in own})), str(len(own))]
            for name, value in _SHOWN.items():
                by_topic: defaultdict[str, list[float]] = defaultdict(list)
                for row in own:
                    by_topic[row.topic].append(value(row))
                found = Bootstrap(seed=1).interval({topic: mean(values) for topic, values in by_topic.items()})
                line.append(f"{found.mean:.2f} ({found.low:.2f} to {found.high:.2f})")
                goal = at_least(_GOALS[name][others]) if name in _GOALS else None
                figures.append(Figure(name=f"{web}, {others} others: {name}", value=found.mean, goal=goal))
            table.append(line)
    headings = ["web", "other topics", "topics", "crawls", *_SHOWN]
    return Report(figures=tuple(figures), text=(markdown_table(headings, table, right=range(1, len(headings))),))


def _asked(urls: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(found for url in urls if (found := canonical(url)) is not None))


def main(arguments: Sequence[str] | None = None) -> int:
    """Make what is asked for and print the table of all that the file has."""
    parser = argparse.ArgumentParser(prog="python -m bench.one_topic_lab", description=str(__doc__).splitlines()[0])
    parser.add_argument("--into", type=Path, default=Path("one_topic.jsonl"), help="file of the crawls")
    parser.add_argument("--webs", default=",".join(NAMES))
    parser.add_argument("--draws", type=int, default=DRAWS)
    parser.add_argument("--others", default=f"0,{OTHERS}", help="0, 6 or both")
    parser.add_argument("--minutes", type=float, default=0.0, help="begin no more crawls after so many")
    parser.add_argument("--live", type=int, default=0, metavar="N", help="make every Nth crawl over HTTP too")
    asked = parser.parse_args(arguments)
    webs = [name for name in asked.webs.split(",") if webs_file(f"{name}.warc.gz") and webs_file(f"{name}.labels.tsv")]
    if not webs:
        print(missing(f"{asked.webs}, with labels,"))
        return 2
    others = [int(number) for number in asked.others.split(",")]
    if asked.live:
        compare(webs, every=asked.live, others=others)
        return 0
    until = monotonic() + 60 * asked.minutes if asked.minutes else float("inf")
    for row in measure(asked.into, webs=webs, draws=asked.draws, others=others, until=until):
        print(said(row), flush=True)
    if rows := kept(asked.into):
        found: Any = report(rows)
        print(*found.text, sep="\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
