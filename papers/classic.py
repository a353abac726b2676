"""The classic strategies side by side: what an ordinary experiment found (classic.toml), as parts of the page.

Development and test topics are separate throughout, and every topic is listed.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import unescape

from papers.markdown import details, table
from papers.sketch import Dot, Panel, Sketch
from papers.words import with_span
from scenthound.counted import count
from scenthound.lab.experiment.values import Duel, Results
from scenthound.lab.report.contests import MAIN, Contest, contests, references
from scenthound.lab.report.duels import too_few, verdict
from scenthound.lab.report.numbers import chance, figure
from scenthound.lab.report.summary import said
from scenthound.lab.report.topic_table import wanted

NAME = "classic"
TITLE = "The classic strategies"
ASKS = "Which of the strategies of the literature finds most, and how sure is that?"
COLUMNS = ("recall", "of_oracle", "gain")
HEADINGS = ("strategy", "harvest", "recall", "of the oracle's", "gain", "wins : losses", "p", "verdict")
BELOW = (
    "Harvest is the share of fetches that brought a wanted page, by truth, with the 95 % interval over topics; recall "
    "the share "
    "found of the wanted pages that can be reached; gain where harvest lies between random order (0) and the oracle "
    "(1). Wins, "
    "losses and p (Wilcoxon, after Holm) are against {baseline}, topic by topic."
)
_TAG = re.compile("</?strong>")  # the only mark in what the report says


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One contest on the page: a heading, a paragraph (with marks, and plain), tables, and a sketch."""

    heading: str
    text: str
    plain: str
    tables: str
    sketch: Sketch


def parts(results: Results) -> tuple[Part, ...]:
    """Return what the page tells of each contest, those with test topics first."""
    aside = references(results)
    return tuple(
        Part(
            heading=contest.heading,
            text=_TAG.sub("**", str(said(contest))).strip(),
            plain=unescape(_TAG.sub("", str(said(contest)))).strip(),
            tables="\n".join(_tables(contest)),
            sketch=_sketch(contest, aside),
        )
        for contest in contests(results)
    )


def _tables(contest: Contest) -> Iterator[str]:
    for budget in contest.budgets:
        yield f"Budget {budget}, {contest.topics_said}:\n"
        yield table(HEADINGS, [_row(contest, name, budget) for name in contest.ranked(budget)], numbers=range(1, 7))
    yield BELOW.format(baseline=contest.baseline) + "\n"
    for budget in contest.budgets:
        title = f"Every topic of {contest.heading} at budget {budget}: harvest, mean of its draws"
        yield details(title, _every_topic(contest, budget))


def _row(contest: Contest, name: str, budget: str) -> list[str]:
    harvest = contest.mean(name, budget)
    means = [contest.mean(name, budget, metric) for metric in COLUMNS]
    duel = contest.duel(name, contest.baseline, budget) if name != contest.baseline else None
    return [
        f"**{name}**" if name == contest.best(budget)[0] else name,
        with_span(harvest) if harvest else "",
        *(figure(one.mean, 2) if one else "" for one in means),
        *_fought(duel),
    ]


def _fought(duel: Duel | None) -> list[str]:
    if duel is None:
        return ["", "", ""]
    score = f"{duel.wins} : {duel.losses}"
    return (
        [score, "", "too few topics"]
        if too_few(duel)
        else [score, chance(duel.p_holm).removeprefix("= "), verdict(duel)]
    )


def _every_topic(contest: Contest, budget: str) -> str:
    names = contest.ranked(budget)
    values = {name: contest.by_topic(name, budget) for name in names}
    sizes = wanted(contest)
    rows = [
        [topic, f"{sizes[topic]:.0f}", *(figure(values[name].get(topic), 2) for name in names)]
        for topic in contest.topics
    ]
    return table(["topic", "n", *names], rows, numbers=range(1, len(names) + 2))


def _sketch(contest: Contest, aside: frozenset[str]) -> Sketch:
    panels = tuple(_panel(contest, budget, aside) for budget in contest.budgets)
    best = contest.best(contest.budgets[0])[0]
    return Sketch(
        name=f"classic-{contest.name}",
        caption=f"{contest.heading}: {MAIN} by truth, mean over {contest.topics_said} with 95 % intervals; grey are "
        "the references.",
        alt=f"{MAIN.capitalize()} of {count(len(contest.strategies), 'strategy').replace('strategys', 'strategies')} "
        "on "
        f"{contest.heading}; of those that do not know the truth, {best} is first.",
        panels=panels,
    )


def _panel(contest: Contest, budget: str, aside: frozenset[str]) -> Panel:
    return Panel(
        title=f"{contest.heading}, budget {budget}",
        across=MAIN,
        up="",
        dots=tuple(_dots(contest, contest.ranked(budget), budget, aside)),
    )


def _dots(contest: Contest, names: Sequence[str], budget: str, aside: frozenset[str]) -> Iterator[Dot]:
    for name in names:
        mean = contest.mean(name, budget)
        if mean is not None:
            yield Dot(name=name, mean=mean.mean, low=mean.low, high=mean.high, reference=name in aside)
