"""How right the critic is from eight examples of one topic and nothing else, and what corrections do to it.

For each topic of three labelled webs a crawl of 250 pages runs over HTTP, dead links included. Then the program is
asked again: training with nothing changed, twenty corrections of pages that it judges wrongly (drawn by chance, five at
a time), and undoing all of them. Precision and recall are those of a relevance of .5 or more, by the labels, over
crawled pages that are no examples; during the corrections, over those that are never corrected. Labels are missing on
purpose for some topics, so that planets count as wrong for astronomy: what is shown is a lower bound. All of it takes
hours; `python -m bench.one_topic WEB --first 1 --every 8` runs the first draw of some topics.
"""

import random
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import Final

from bench.figures import Figure, Report, at_least, at_most, markdown_table
from bench.labelled import LabelledWeb, labelled_web
from bench.part_run import run_part
from bench.serving import ServerProcess, missing, webs_file
from scenthound import StopSwitch, ignore, run_crawl
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.crawl.engine.assemble import retrain
from scenthound.parse.urls import canonical
from scenthound.services.crawls.reader_store import reading
from scenthound.services.topics.page_feedback import Saying, say, take_back
from scenthound.settings.file import override
from scenthound.settings.schema import Settings
from scenthound.taxonomy import Topic, Topics, ancestors

WEBS: Final = ("schools", "modern", "webkb")
NO_TOPICS: Final = ("other",)  # what is left over in WebKB is no topic
EXAMPLES, PAGES, FEWEST = 8, 250, 40
CORRECTIONS, AT_A_TIME = 20, 5
DRAWS: Final = 3
ON_TOPIC: Final = 0.5
WANTED: Final = "Wanted"
SEED: Final = 5  # of the first draw, as ../shared/tools/one_topic.py has it


@dataclass(frozen=True, slots=True, kw_only=True)
class Scores:
    """What the critic says of pages against the truth; `told` and `true` are shares of relevant pages."""

    precision: float
    recall: float
    told: float
    true: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """A crawl and its corrections: the scores before and after each batch, and whether judgements stayed the same."""

    web: str
    topic: str
    first: Scores
    curve: tuple[Scores, ...]
    kept: bool  # by training with nothing changed
    restored: bool  # by undoing all corrections


def run(*, quick: bool = False) -> Report:
    """Crawl for each topic, and correct what was judged wrongly."""
    webs = {name: labelled_web(name) for name in WEBS}
    if not any(webs.values()):
        return Report(skipped=missing("schools.warc.gz, modern.warc.gz or webkb.warc.gz, with its labels,"))
    found = [(name, web, sizeable(web)[: 1 if quick else None]) for name, web in webs.items() if web is not None]
    draws = 1 if quick else DRAWS
    return report([one for name, web, topics in found for one in _trials(name, web, topics, draws=draws, quick=quick)])


def _trials(name: str, web: LabelledWeb, topics: Sequence[str], *, draws: int, quick: bool = False) -> Iterable[Trial]:
    archive = webs_file(f"{name}.warc.gz")
    assert archive is not None
    with ServerProcess(archive) as server:
        for topic in topics:
            for draw in range(draws):
                with tempfile.TemporaryDirectory() as folder:
                    trial = tried(name, web, topic, Path(folder) / "crawl", proxy=server.proxy, draw=draw, quick=quick)
                print(f"  {said(trial)}", flush=True)
                yield trial


def sizeable(web: LabelledWeb) -> list[str]:
    """Return the topics, and those above them, that have enough pages."""
    paths = {path for label in web.holders for path in (*ancestors(label), label)}
    return [path for path in sorted(paths) if path not in NO_TOPICS and len(web.about(path)) >= FEWEST]


def tried(name: str, web: LabelledWeb, topic: str, path: Path, *, proxy: str, draw: int, quick: bool) -> Trial:
    """Crawl for one topic, train again, correct, and undo."""
    relevant = {web.pages[number].url for number in web.about(topic)}
    chance = random.Random(SEED + draw)
    examples = tuple(chance.sample(sorted(relevant), EXAMPLES))
    own = [f"fetch.proxy={proxy}", "fetch.delay=0", "crawl.seed=1", f"crawl.pages={80 if quick else PAGES}"]
    settings = override(Settings(), own)
    wanted = Topics(topics=(Topic(path=WANTED, good=True, examples=examples),))
    directory = CrawlDirectory.create(path, topics=wanted, settings=settings)
    run_crawl(directory, settings, listener=ignore, stop=StopSwitch())
    first = judged(directory, without=examples)
    again = retrain(directory, settings, listener=ignore)
    kept = again is None and judged(directory, without=examples) == first
    wrong = sorted(url for url, value in first.items() if (value >= ON_TOPIC) != (url in relevant))
    corrected = chance.sample(wrong, min(AT_A_TIME if quick else CORRECTIONS, len(wrong)))
    rest = [url for url in first if url not in corrected]
    curve = [scores(first, relevant, rest)]
    for start in range(0, len(corrected), AT_A_TIME):
        for url in corrected[start : start + AT_A_TIME]:
            say(directory, url, Saying.GOOD if url in relevant else Saying.NOT_GOOD)
        retrain(directory, settings, listener=ignore)
        curve.append(scores(judged(directory, without=examples), relevant, rest))
    for url in reversed(corrected):
        take_back(directory, url)
    retrain(directory, settings, listener=ignore)
    return Trial(
        web=name,
        topic=topic,
        first=scores(first, relevant, list(first)),
        curve=tuple(curve),
        kept=kept,
        restored=judged(directory, without=examples) == first,
    )


def judged(directory: CrawlDirectory, *, without: Sequence[str]) -> dict[str, float]:
    """Return the relevance of all crawled pages by address."""
    own = {canonical(url) for url in without}
    with reading(directory) as store:
        held = [page for page in store.to_judge(critic=-1, limit=10**6) if page.url not in own]
    return {page.url: page.relevance for page in held if not page.redirect and page.relevance is not None}


def scores(found: Mapping[str, float], relevant: Iterable[str], pages: Sequence[str]) -> Scores:
    """Compare what is said of pages with the truth."""
    true = set(relevant).intersection(pages)
    called = {url for url in pages if found[url] >= ON_TOPIC}
    return Scores(
        precision=len(called & true) / max(1, len(called)),
        recall=len(called & true) / max(1, len(true)),
        told=sum(found[url] for url in pages) / max(1, len(pages)),
        true=len(true) / max(1, len(pages)),
    )


def said(trial: Trial) -> str:
    first, last = trial.first, trial.curve[-1]
    return (
        f"{trial.web} {trial.topic}: precision {first.precision:.2f}, recall {first.recall:.2f}, harvest told "
        f"{first.told:.2f},"
        f" true {first.true:.2f}; of the rest {trial.curve[0].precision:.2f} and {trial.curve[0].recall:.2f} before "
        "corrections,"
        f" {last.precision:.2f} and {last.recall:.2f} after; {'kept' if trial.kept else 'CHANGED by training again'},"
        f" {'restored' if trial.restored else 'NOT RESTORED by undo'}"
    )


def report(trials: Sequence[Trial]) -> Report:
    figures: list[Figure] = []
    for web in dict.fromkeys(trial.web for trial in trials):
        own = [trial for trial in trials if trial.web == web]
        figures += [
            Figure(name=f"{web}: precision", value=mean(one.first.precision for one in own), goal=at_least(0.85)),
            Figure(name=f"{web}: recall", value=mean(one.first.recall for one in own), goal=at_least(0.8)),
            Figure(
                name=f"{web}: crawls whose harvest is told within .1",
                value=mean(abs(one.first.told - one.first.true) <= 0.1 for one in own),
                goal=at_least(0.9),
            ),
            Figure(
                name=f"{web}: precision gained by corrections",
                value=_gain(own, lambda one: one.precision),
                goal=at_least(0),
            ),
            Figure(
                name=f"{web}: recall gained by corrections", value=_gain(own, lambda one: one.recall), goal=at_least(0)
            ),
        ]
    changed = sum(not one.kept for one in trials) + sum(not one.restored for one in trials)
    figures.append(Figure(name="judgements changed by training again or undo", value=changed, goal=at_most(0)))
    return Report(figures=tuple(figures), text=(_curves(trials), _table(trials)))


def _gain(trials: Sequence[Trial], what: Callable[[Scores], float]) -> float:
    return mean(what(one.curve[-1]) - what(one.curve[0]) for one in trials)


def _curves(trials: Sequence[Trial]) -> str:
    steps = max(len(trial.curve) for trial in trials)
    rows = []
    for web in dict.fromkeys(trial.web for trial in trials):
        curves = [[*one.curve, *[one.curve[-1]] * (steps - len(one.curve))] for one in trials if one.web == web]
        means = [
            f"{mean(curve[step].precision for curve in curves):.2f} / "
            f"{mean(curve[step].recall for curve in curves):.2f}"
            for step in range(steps)
        ]
        rows.append([web, *means])
    headings = ["precision / recall after", *(f"{step * AT_A_TIME} corrections" for step in range(steps))]
    return markdown_table(headings, rows, right=range(1, steps + 1))


def _table(trials: Sequence[Trial]) -> str:
    """Write the crawls down, the worst first."""
    worst = sorted(trials, key=lambda one: min(one.first.precision, one.first.recall))
    rows = [
        [
            one.web,
            one.topic,
            *(f"{value:.2f}" for value in _of(one.first)),
            *(f"{value:.2f}" for value in _of(one.curve[-1])),
        ]
        for one in worst
    ]
    headings = ["web", "topic", "precision", "recall", "told", "true", "corrected: precision", "recall", "told", "true"]
    return markdown_table(headings, rows, right=range(2, 10))


def _of(found: Scores) -> tuple[float, float, float, float]:
    return found.precision, found.recall, found.told, found.true


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the first draw of some topics of one web."""
    return run_part(
        "one_topic",
        str(__doc__),
        webs=WEBS,
        topics=lambda _, web: sizeable(web),
        measure=lambda name, web, topics: report(list(_trials(name, web, topics, draws=1))),
        arguments=arguments,
    )


if __name__ == "__main__":
    raise SystemExit(main())
