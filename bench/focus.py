"""What focus brings: a best-first soft-focused crawl against a breadth-first one, on the schools web, topic by topic.

For every topic with at least 40 pages, on any level of the tree: ten of its pages are the examples and seeds, 150 pages
of other topics stand against them; the index pages, true hubs that would make the task trivial, are locked. Each crawl
fetches as many pages as the topic has left, so that a perfect one would reach 1. What counts is the truth of the
labels, never the critic's opinion. How best-first blends the pages that cite a URL was chosen on these topics too: its
lead is not that on unseen ones.
"""

import random
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, median

from bench.figures import Figure, Report, at_least, markdown_table
from bench.serving import SCHOOLS, ServerProcess, missing, webs_file
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.crawl.engine.assemble import StopSwitch, open_store, run_crawl
from scenthound.events import ignore
from scenthound.taxonomy import Topic, Topics, ancestors

LABELS = "schools.labels.tsv"
LOCKED = 'fetch.locked=["*/images/*", "https://*", "*/wp/index/*"]'
LEAST_PAGES = 40
POSITIVE, NEGATIVE = 10, 150
SEED = 7
# One request at a time: a crawl of one polite host, and the order is that of the frontier.
ONE_BY_ONE = ("fetch.delay=0", "fetch.delay_factor=0", "fetch.concurrency=1", "fetch.per_ip=0")
CONTENDERS: Mapping[str, Sequence[str]] = {
    "best-first": ("crawl.order=best-first", "crawl.focus=soft"),
    "without tunnel": ("crawl.order=best-first", "crawl.focus=soft", "crawl.tunnel=0"),
    "hard focus": ("crawl.order=best-first", "crawl.focus=hard"),
    "best page only": ("crawl.order=best-first-max", "crawl.focus=soft"),
    "breadth": ("crawl.order=breadth", "crawl.focus=none"),
}
OURS, BASE = "best-first", "breadth"


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One topic to be crawled for."""

    topic: str
    examples: tuple[str, ...]
    others: tuple[str, ...]
    wanted: frozenset[str]


def run(*, quick: bool = False) -> Report:
    """Crawl for each topic in turn, with all contenders."""
    warc, labels = webs_file(SCHOOLS), webs_file(LABELS)
    if warc is None or labels is None:
        return Report(skipped=missing(SCHOOLS if warc is None else LABELS))
    chosen = tasks(labels)[:: 6 if quick else 1]
    harvests: dict[str, list[float]] = {name: [] for name in CONTENDERS}
    with ServerProcess(warc) as server, tempfile.TemporaryDirectory() as folder:
        ours = [*ONE_BY_ONE, LOCKED, f"fetch.proxy={server.proxy}"]
        for number, task in enumerate(chosen):
            source = taught(Path(folder) / f"{number}", task, ours)
            for name, settings in CONTENDERS.items():
                harvests[name].append(harvest(source, Path(folder) / f"{number}-{name}", task, [*ours, *settings]))
            told = "  ".join(f"{name} {found[-1]:.2f}" for name, found in harvests.items())
            print(f"  {task.topic:<60} {len(task.wanted):>4} pages  {told}", flush=True)
    return report([task.topic for task in chosen], harvests)


def tasks(labels: Path) -> list[Task]:
    """Draw the examples of every topic that is large enough, with one seed for all."""
    pages: dict[str, set[str]] = {}
    for line in labels.read_text(encoding="utf-8").splitlines()[1:]:
        url, topic = line.split("\t")
        for node in (*ancestors(topic), topic):
            pages.setdefault(node, set()).add(url)
    drawn = random.Random(SEED)
    large = sorted(topic for topic, urls in pages.items() if len(urls) >= LEAST_PAGES)
    return [_task(topic, pages, drawn) for topic in large]


def _task(topic: str, pages: Mapping[str, AbstractSet[str]], drawn: random.Random) -> Task:
    own = pages[topic]
    examples = drawn.sample(sorted(own), POSITIVE)
    strangers = sorted({url for urls in pages.values() for url in urls} - own)
    return Task(
        topic=topic,
        examples=tuple(examples),
        others=tuple(drawn.sample(strangers, NEGATIVE)),
        wanted=frozenset(own - set(examples)),
    )


def taught(path: Path, task: Task, settings: Sequence[str]) -> CrawlDirectory:
    """Make a crawl whose critic has learnt; every contender begins with a copy of it."""
    topics = Topics(
        topics=(Topic(path="Wanted", good=True, examples=task.examples), Topic(path="Rest", examples=task.others))
    )
    directory = CrawlDirectory.create(path, topics=topics)
    run_crawl(directory, directory.settings(settings), listener=ignore, stop=StopSwitch(), examples_only=True)
    return directory


def harvest(source: CrawlDirectory, path: Path, task: Task, settings: Sequence[str]) -> float:
    """Return the share of wanted pages among the first that are fetched, examples left out."""
    shutil.copytree(source.path, path)
    directory, budget = CrawlDirectory.open(path), len(task.wanted)
    chosen = directory.settings([*settings, f"crawl.pages={budget}"])
    run_crawl(directory, chosen, listener=ignore, stop=StopSwitch())
    with open_store(directory, read_only=True) as store:
        known = {*task.examples, *task.others}
        fetched = [row.url for row in store.pages() if row.status == 200 and row.url not in known]
    shutil.rmtree(path)
    return sum(url in task.wanted for url in fetched[:budget]) / budget


def report(topics: Sequence[str], harvests: Mapping[str, Sequence[float]]) -> Report:
    """Show every topic, never only the mean."""
    ours, base = harvests[OURS], harvests[BASE]
    ahead = sum(a > b for a, b in zip(ours, base, strict=True))
    rows = [[topic, *(f"{found[i]:.2f}" for found in harvests.values())] for i, topic in enumerate(topics)]
    means = [f"**{mean(found):.3f}**" for found in harvests.values()]
    return Report(
        figures=(
            *(Figure(name=f"harvest, {name}", value=mean(found)) for name, found in harvests.items()),
            Figure(
                name="best-first over breadth, mean harvest",
                value=mean(ours) / mean(base),
                unit="×",
                goal=at_least(1.5),
            ),
            Figure(name="topics on which best-first is ahead", value=ahead / len(topics), goal=at_least(0.8)),
            Figure(name="median gain of best-first", value=median(a - b for a, b in zip(ours, base, strict=True))),
        ),
        text=(markdown_table(["topic", *harvests], [*rows, ["**mean**", *means]]),),
    )
