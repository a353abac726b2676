"""What focus brings: a best-first soft-focused crawl against a breadth-first one, on the schools web, topic by topic.

For every topic with at least 40 pages: ten of its pages are the examples and seeds, 150 pages of other topics stand against
them; the index pages, true hubs that would make the task trivial, are locked. Each crawl fetches as many pages as the topic
has left, so that a perfect one would reach 1. What counts is the truth of the labels, never the critic's opinion.
"""

import json
import random
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, median

from bench.crawling import FULL_SPEED, crawl, exported
from bench.figures import Figure, Report, at_least, markdown_table
from bench.running import measured, scenthound
from bench.serving import SCHOOLS, ServerProcess, missing, webs_file

LABELS = "schools.labels.tsv"
LOCKED = 'fetch.locked=["*/images/*", "https://*", "*/wp/index/*"]'
LEAST_PAGES = 40
POSITIVE, NEGATIVE = 10, 150
LIMIT = 300.0
SEED = 7
CONTENDERS: Mapping[str, Sequence[str]] = {
    "best-first, soft": ("crawl.order=best-first", "crawl.focus=soft"),
    "best-first, no tunnel": ("crawl.order=best-first", "crawl.focus=soft", "crawl.tunnel=0"),
    "best-first, hard": ("crawl.order=best-first", "crawl.focus=hard"),
    "breadth": ("crawl.order=breadth", "crawl.focus=none", "critic.kind=none"),
}
OURS, BASE = "best-first, soft", "breadth"


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
    chosen = tasks(labels)
    harvests: dict[str, list[float]] = {name: [] for name in CONTENDERS}
    with ServerProcess(warc) as server, tempfile.TemporaryDirectory() as folder:
        for number, task in enumerate(chosen[::6] if quick else chosen):
            for name, settings in CONTENDERS.items():
                path = Path(folder) / f"{number}-{name.replace(' ', '')}"
                harvests[name].append(harvest(path, task, [*settings, f"fetch.proxy={server.proxy}"]))
            told = "  ".join(f"{name} {found[-1]:.2f}" for name, found in harvests.items())
            print(f"  {task.topic:<60} {len(task.wanted):>4} pages  {told}", flush=True)
    return report([task.topic for task in (chosen[::6] if quick else chosen)], harvests)


def tasks(labels: Path) -> list[Task]:
    """Draw the examples of every topic that is large enough, with one seed for all."""
    pages: dict[str, list[str]] = {}
    for line in labels.read_text(encoding="utf-8").splitlines()[1:]:
        url, topic = line.split("\t")
        pages.setdefault(topic, []).append(url)
    drawn = random.Random(SEED)
    large = sorted(topic for topic, urls in pages.items() if len(urls) >= LEAST_PAGES)
    return [_task(topic, pages, drawn) for topic in large]


def _task(topic: str, pages: Mapping[str, Sequence[str]], drawn: random.Random) -> Task:
    own = set(pages[topic])
    examples = drawn.sample(sorted(own), POSITIVE)
    strangers = sorted({url for urls in pages.values() for url in urls} - own)
    return Task(
        topic=topic,
        examples=tuple(examples),
        others=tuple(drawn.sample(strangers, NEGATIVE)),
        wanted=frozenset(own - set(examples)),
    )


def harvest(path: Path, task: Task, settings: Sequence[str]) -> float:
    """Return the share of wanted pages among the first that are fetched, examples left out."""
    topics = path.with_suffix(".toml")
    topics.write_text(_topics_file(task), encoding="utf-8")
    measured(scenthound("new", str(path), "--topics", str(topics)), limit=60)
    budget = len(task.wanted)
    spare = POSITIVE if "critic.kind=none" in settings else 0  # without a critic, seeds are pages like others
    crawl(path, [*FULL_SPEED, LOCKED, *settings], pages=budget + spare, limit=LIMIT)
    known = {*task.examples, *task.others}
    fetched = [str(row["url"]) for row in exported(path) if row["status"] == 200 and row["url"] not in known]
    return sum(url in task.wanted for url in fetched[:budget]) / budget


def _topics_file(task: Task) -> str:
    return "".join(
        f"[[topic]]\npath = {json.dumps(path)}\ngood = {good}\nexamples = {json.dumps(urls)}\n"
        for path, good, urls in (("Wanted", "true", task.examples), ("Rest", "false", task.others))
    )


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
