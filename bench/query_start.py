"""What words are worth as a start: the name of a topic, against ten examples of the same topic.

Both crawls of a topic fetch 200 pages over HTTP, dead links included, and begin at the same ten pages. For one of them
these are places to begin and nothing else; for the other they are examples. Harvest is the share of labelled pages
among those crawled, average precision says how well the critic orders them. The topics of WebKB are its genres: below
them are universities. `python -m bench.query_start WEB --every 4 --first 1` takes every fourth topic from the second
on.
"""

import random
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import Final

import numpy as np

from bench.figures import Figure, Report, at_least, markdown_table
from bench.labelled import LabelledWeb, labelled_web
from bench.one_topic import WANTED, judged, sizeable
from bench.part_run import run_part
from bench.serving import ServerProcess, missing, webs_file
from scenthound import StopSwitch, ignore, run_crawl
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.judge.quality.hits import average_precision
from scenthound.settings.file import override
from scenthound.settings.schema import Settings
from scenthound.taxonomy import Topic, Topics

WEBS: Final = ("schools", "webkb")
EXAMPLES, PAGES, QUICK_PAGES = 10, 200, 40
GOAL: Final = 0.75  # of what ten examples reach


@dataclass(frozen=True, slots=True, kw_only=True)
class Crawled:
    """What came of one crawl."""

    harvest: float
    precision: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """The same topic by its name and by examples."""

    web: str
    topic: str
    words: Crawled
    examples: Crawled


def run(*, quick: bool = False) -> Report:
    """Crawl twice for each topic."""
    webs = {name: labelled_web(name) for name in WEBS}
    if not any(webs.values()):
        return Report(skipped=missing("schools.warc.gz or webkb.warc.gz, with its labels,"))
    size = 1 if quick else None
    pages = QUICK_PAGES if quick else PAGES
    found = [(name, web, topics_of(name, web)[:size]) for name, web in webs.items() if web is not None]
    return report([trial for name, web, topics in found for trial in _trials(name, web, topics, pages=pages)])


def topics_of(name: str, web: LabelledWeb) -> list[str]:
    """Return the topics whose names are words to start from."""
    return [topic for topic in sizeable(web) if name != "webkb" or "/" not in topic]


def words_of(topic: str) -> str:
    """Return the name of a topic as words.

    >>> words_of("Science/Biology/Health_and_medicine")
    'health and medicine'
    """
    return topic.rpartition("/")[2].replace("_", " ").lower()


def _trials(name: str, web: LabelledWeb, topics: Sequence[str], *, pages: int) -> Iterable[Trial]:
    archive = webs_file(f"{name}.warc.gz")
    assert archive is not None
    with ServerProcess(archive) as server:
        for topic in topics:
            relevant = {web.pages[number].url for number in web.about(topic)}
            drawn = random.Random(topic).sample(sorted(relevant), EXAMPLES)
            own = [
                f"fetch.proxy={server.proxy}",
                "fetch.delay=0",
                "crawl.seed=1",
                f"crawl.pages={pages}",
            ]
            by_words = Topic(path=WANTED, good=True, query=words_of(topic))
            by_examples = Topic(path=WANTED, good=True, examples=tuple(drawn))
            trial = Trial(
                web=name,
                topic=topic,
                words=_crawled(by_words, [*own, f"crawl.start={drawn}"], relevant, without=drawn),
                examples=_crawled(by_examples, own, relevant, without=drawn),
            )
            print(f"  {name} {topic}: {_said(trial.words)} by words, {_said(trial.examples)} by examples", flush=True)
            yield trial


def _crawled(topic: Topic, own: Sequence[str], relevant: set[str], *, without: Sequence[str]) -> Crawled:
    settings = override(Settings(), own)
    with tempfile.TemporaryDirectory() as folder:
        directory = CrawlDirectory.create(Path(folder) / "crawl", topics=Topics(topics=(topic,)), settings=settings)
        run_crawl(directory, settings, listener=ignore, stop=StopSwitch())
        found = judged(directory, without=without)
    true = np.array([url in relevant for url in found], dtype=np.bool_)
    likely = np.array(list(found.values()))
    return Crawled(
        harvest=float(true.mean()) if len(true) else 0.0,
        precision=average_precision(true, likely) if true.any() else 0.0,
    )


def _said(found: Crawled) -> str:
    return f"harvest {found.harvest:.2f}, average precision {found.precision:.2f}"


def report(trials: Sequence[Trial]) -> Report:
    figures: list[Figure] = []
    for web in dict.fromkeys(trial.web for trial in trials):
        own = [trial for trial in trials if trial.web == web]
        harvest = mean(one.words.harvest for one in own) / max(mean(one.examples.harvest for one in own), 1e-9)
        precision = mean(one.words.precision for one in own) / max(mean(one.examples.precision for one in own), 1e-9)
        figures += [
            Figure(name=f"{web}: harvest by words, of that by ten examples", value=harvest, goal=at_least(GOAL)),
            Figure(
                name=f"{web}: average precision by words, of that by ten examples", value=precision, goal=at_least(GOAL)
            ),
        ]
    rows = [
        [
            one.web,
            words_of(one.topic),
            *(f"{value:.2f}" for part in (one.words, one.examples) for value in (part.harvest, part.precision)),
        ]
        for one in sorted(trials, key=lambda one: one.words.harvest - one.examples.harvest)
    ]
    headings = ["web", "words", "harvest by words", "average precision", "harvest by examples", "average precision"]
    return Report(figures=tuple(figures), text=(markdown_table(headings, rows, right=range(2, 6)),))


def main(arguments: Sequence[str] | None = None) -> int:
    """Crawl for some topics of one web."""
    return run_part(
        "query_start",
        str(__doc__),
        webs=WEBS,
        topics=topics_of,
        measure=lambda name, web, topics: report(list(_trials(name, web, topics, pages=PAGES))),
        arguments=arguments,
    )


if __name__ == "__main__":
    raise SystemExit(main())
