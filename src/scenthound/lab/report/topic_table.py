"""Every topic, never only the mean: a table of topics and strategies in which the eye finds the high and the low."""

from collections.abc import Mapping
from statistics import fmean

from scenthound.lab.report.contests import Contest
from scenthound.lab.report.html_tables import Heading, cell, row, swatch, table
from scenthound.lab.report.markup import Markup, breakable, join, tag
from scenthound.lab.report.numbers import figure
from scenthound.lab.report.palette import Look

DEEPEST = 55  # per cent of colour behind the highest value: text on it still has a contrast of 5.5 or more


def topics(contest: Contest, looks: Mapping[str, Look]) -> Markup:
    """Return the harvest of every strategy on every topic; at the first budget in sight, at others to be opened."""
    first, *others = contest.budgets
    more = [
        tag("details", tag("summary", f"Every topic at budget {budget}"), _heat(contest, budget, looks))
        for budget in others
    ]
    return join(_heat(contest, first, looks), more)


def wanted(contest: Contest) -> dict[str, float]:
    """Return how many pages there are to be found for each topic, on average over draws."""
    numbers: dict[str, set[tuple[int, int]]] = {}
    for run in contest.runs:
        numbers.setdefault(run.topic, set()).add((run.draw, run.wanted))
    return {topic: fmean(number for _, number in draws) for topic, draws in sorted(numbers.items())}


def _heat(contest: Contest, budget: str, looks: Mapping[str, Look]) -> Markup:
    order = contest.ranked(budget)
    values = {strategy: contest.by_topic(strategy, budget) for strategy in order}
    greatest = max((value for by_topic in values.values() for value in by_topic.values()), default=0.0)
    sizes = wanted(contest)
    headings = [
        Heading(title="topic", number=False),
        Heading(title="n", help="Relevant pages to be found, on average over draws."),
        *(Heading(title=[swatch(looks[name]), breakable(name)], help=name) for name in order),
    ]
    rows = [_row(contest, topic, values, sizes.get(topic), greatest) for topic in contest.topics]
    caption = (
        f"{contest.heading}, budget {budget}: harvest on every topic, mean of its draws. "
        "The more colour, the higher; bold is the best of a topic, references left aside."
    )
    return table(caption, headings, rows, class_="heat")


def _row(
    contest: Contest, topic: str, values: Mapping[str, Mapping[str, float]], size: float | None, greatest: float
) -> Markup:
    there = [by_topic[topic] for name, by_topic in values.items() if topic in by_topic and name in contest.contenders]
    best = max(there) if len(there) > 1 else None
    numbers = [by_topic.get(topic) for by_topic in values.values()]
    marked = [name in contest.contenders for name in values]
    return row(
        breakable(topic),
        [
            cell(figure(size, 0), value=size, class_="number"),
            *(
                _heat_cell(value, greatest, best=mark and value is not None and value == best)
                for value, mark in zip(numbers, marked, strict=True)
            ),
        ],
    )


def _heat_cell(value: float | None, greatest: float, *, best: bool) -> Markup:
    if value is None:
        return cell(figure(None), class_="number none")
    depth = DEEPEST * value / greatest if greatest > 0 else 0.0
    text = tag("b", figure(value)) if best else figure(value)
    return tag("td", text, class_="number", data_value=f"{value:.9g}", style=f"--depth:{depth:.1f}%")
