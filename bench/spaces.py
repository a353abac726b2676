"""The price of feature spaces: how many pages a second each critic judges, by processor time of one core.

Pages are those of the schools web, with their texts. For the words of links each page has its own title three times,
and for neighbours the eight pages after it; finding these in the store is not counted. The default critic must judge at
least 2,000 pages a second.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from time import process_time
from typing import Final

from bench.figures import Figure, Report, at_least, markdown_table
from bench.reading import fetches, read
from bench.serving import missing, webs_file
from scenthound.crawl.readers.stored_pages import page_of_reading
from scenthound.judge.critic import Context, Critic, Example, Lessons, Page
from scenthound.judge.critic_kinds import learner_of
from scenthound.judge.spaces.decisions import Decision
from scenthound.judge.spaces.meta import SPACES, MetaCritic, MetaLearner
from scenthound.settings.schema import CriticSettings
from scenthound.taxonomy import Topic, Topics

PAGES: Final = 300
TAUGHT: Final = 160
OWN: Final = 10  # examples; the rest of the taught pages are others
NEIGHBOURS: Final = 8
ROUNDS: Final = 2
BATCH: Final = 20  # pages judged at a time, as in a crawl at full speed
GOAL: Final = 2_000


def run(*, quick: bool = False) -> Report:
    """Train every critic on the same pages, and let it judge the others."""
    archive = webs_file("schools.warc.gz")
    if archive is None:
        return Report(skipped=missing("schools.warc.gz"))
    readings = ((fetch.url, read(fetch)) for fetch in fetches(archive))
    good = (
        page_of_reading(url, reading) for url, reading in readings if reading.reason is None and reading.words > 100
    )
    pages = _in_context(list(islice(good, TAUGHT + (100 if quick else PAGES))))
    taught, tried = pages[:TAUGHT], pages[TAUGHT:]
    lessons = Lessons(
        topics=Topics(topics=(Topic(path="Wanted", good=True),)),
        examples=tuple(Example(topic="Wanted", name=page.url, page=page) for page in taught[:OWN]),
        others=tuple(taught[OWN:]),
    )
    return report(speeds(lessons, tried))


def _in_context(pages: Sequence[Page]) -> list[Page]:
    return [
        replace(
            page,
            context=Context(
                anchors=(page.title,) * 3,
                neighbours=tuple(one.terms for one in pages[number + 1 : number + 1 + NEIGHBOURS]),
            ),
        )
        for number, page in enumerate(pages)
    ]


def speeds(lessons: Lessons, tried: Sequence[Page]) -> dict[str, float]:
    """Return how many pages a second each critic judges."""
    plain = CriticSettings(adapt=False)
    default = learner_of(plain).fit(lessons, seed=1)
    meta = MetaLearner(text=plain.text).fit(lessons, seed=1)
    found = {"default": _speed(default, tried)}
    for space in SPACES:
        alone = MetaCritic(
            classes=meta.classes,
            critics={space: meta.critics[space]},
            text=meta.text,
            decision=Decision.MAJORITY,
        )
        found[space] = _speed(alone, tried)
    found["meta, all spaces"] = _speed(meta, tried)
    found[f"meta, best space ({meta.best})"] = _speed(meta.decided_by(Decision.BEST), tried)
    return found


def _speed(critic: Critic, pages: Sequence[Page]) -> float:
    batches = [pages[begin : begin + BATCH] for begin in range(0, len(pages), BATCH)]
    times = []
    for _ in range(ROUNDS):
        begun = process_time()
        for batch in batches:
            critic.judge(batch)
        times.append(process_time() - begun)
    return len(pages) / min(times)


def report(found: dict[str, float]) -> Report:
    """Hold the default to its goal, and say the price of the others."""
    default = found["default"]
    figures = [Figure(name="judging, default critic", value=default, unit="pages/s", goal=at_least(GOAL))]
    figures += [
        Figure(name=f"judging, {name}", value=speed, unit="pages/s")
        for name, speed in found.items()
        if name != "default"
    ]
    rows = [[name, f"{speed:,.0f}", f"{1000 / speed:.2f}", f"{default / speed:.1f}"] for name, speed in found.items()]
    headings = ["critic", "pages a second", "ms a page", "times the default's"]
    return Report(figures=tuple(figures), text=(markdown_table(headings, rows, right=range(1, 4)),))
