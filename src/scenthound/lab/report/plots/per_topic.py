"""Every topic as a line between two dots: the baseline and the best, with all others as marks behind them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from scenthound.lab.report.contests import MAIN, Contest
from scenthound.lab.report.numbers import figure as written
from scenthound.lab.report.palette import GREY, INK, Look
from scenthound.lab.report.plot import Plot, Shows
from scenthound.lab.report.plots.canvas import LETTER, dot_style, finish, heading, sheet, style
from scenthound.lab.report.plots.name_labels import label_width, short_names

LINE = 13.5  # from one topic to the next
TOP, BOTTOM = 52.0, 36.0
LONGEST = 30

Values = Mapping[str, Mapping[str, float]]  # by strategy, then by topic


def per_topic(contest: Contest, looks: Mapping[str, Look]) -> Iterator[Plot]:
    """Draw the harvest on every topic at the first budget."""
    budget = contest.budgets[0]
    pair = _pair(contest, budget)
    values = {name: contest.by_topic(name, budget) for name in contest.ranked(budget)}
    topics = [topic for topic in contest.topics if all(topic in values[name] for name in pair)]
    if pair and topics:
        yield _plot(contest, budget, pair, _sorted(topics, values, pair), values, looks)


def _pair(contest: Contest, budget: str) -> list[str]:
    """Return the pair to compare: the best and the baseline or, if that is the best, the next; or one alone."""
    best = contest.best(budget)
    second = contest.baseline if contest.baseline in contest.ranked(budget) and contest.baseline != best[0] else None
    return [best[0], second] if second else list(best[:2])


def _sorted(topics: Sequence[str], values: Values, pair: Sequence[str]) -> list[str]:
    """Return topics by how much the first of the pair is ahead, the greatest lead first."""
    first, last = pair[0], pair[-1]
    if first == last:
        return sorted(topics, key=lambda topic: -values[first][topic])
    return sorted(topics, key=lambda topic: (values[last][topic] - values[first][topic], -values[first][topic]))


def _plot(
    contest: Contest,
    budget: str,
    pair: Sequence[str],
    topics: Sequence[str],
    values: Values,
    looks: Mapping[str, Look],
) -> Plot:
    labels = short_names(topics, LONGEST)
    with style():
        left = label_width(topics, most=LONGEST, size=LETTER - 1) + 14
        figure, axes = sheet(TOP + BOTTOM + LINE * len(topics), left=left, right=14, top=TOP, bottom=BOTTOM)
        for name in (name for name in values if name not in pair and name in contest.contenders):
            _others(axes, topics, values[name])
        _dumbbells(axes, topics, values, pair, looks)
        axes.set_yticks(range(len(topics)), [labels[topic] for topic in topics], fontsize=LETTER - 1)
        axes.tick_params(axis="y", labelcolor=INK.light)
        axes.set_ylim(len(topics) - 0.5, -0.5)
        axes.set_xlim(left=0)
        axes.xaxis.set_major_formatter(lambda value, _: "0" if value == 0 else written(value, 2))
        axes.set_xlabel(f"{MAIN} (relevant pages per fetch)")
        heading(figure, f"{contest.heading}: every topic, budget {budget}")
        _legend(axes, pair, looks, others=len(contest.contenders) > len(pair))
        return finish(
            figure,
            shows=Shows.TOPICS,
            name=f"{contest.name}-topics",
            caption=_caption(contest, budget, pair),
            alt=_alt(contest, pair, topics, values),
        )


def _others(axes: Axes, topics: Sequence[str], values: Mapping[str, float]) -> None:
    there = [(values[topic], place) for place, topic in enumerate(topics) if topic in values]
    axes.plot(*zip(*there, strict=True), **_mark())


def _mark() -> dict[str, Any]:
    return {"marker": "|", "markersize": 6, "color": GREY.light, "alpha": 0.6, "linestyle": "none", "zorder": 1.5}


def _dumbbells(
    axes: Axes, topics: Sequence[str], values: Values, pair: Sequence[str], looks: Mapping[str, Look]
) -> None:
    ends = [[values[name][topic] for topic in topics] for name in pair]
    places = range(len(topics))
    if len(pair) == 2:
        axes.hlines(places, ends[0], ends[1], color=looks[pair[0]].colour.light, alpha=0.45, linewidth=2, zorder=2)
    for name, end in zip(reversed(pair), reversed(ends), strict=True):
        axes.plot(end, places, zorder=3, **dot_style(looks[name], size=5.5, filled=name == pair[0]))


def _legend(axes: Axes, pair: Sequence[str], looks: Mapping[str, Look], *, others: bool) -> None:
    labels = short_names(pair, 18)
    entries = [Line2D([], [], label=labels[name], **dot_style(looks[name], filled=name == pair[0])) for name in pair]
    if others:
        entries.append(Line2D([], [], label="other strategies", **_mark()))
    axes.legend(
        handles=entries,
        loc="lower right",
        bbox_to_anchor=(1.0, 1.0),
        ncols=3,
        frameon=False,
        borderaxespad=0.2,
        handletextpad=0.2,
        columnspacing=1.2,
        fontsize=LETTER - 0.5,
    )


def _caption(contest: Contest, budget: str, pair: Sequence[str]) -> str:
    if len(pair) == 1:
        return f"Harvest of {pair[0]} on every topic at budget {budget}, mean of its draws."
    return (
        f"Harvest on every topic at budget {budget}, mean of its draws: {pair[0]} against {pair[1]}, sorted by the "
        "difference. References are left out."
    )


def _alt(contest: Contest, pair: Sequence[str], topics: Sequence[str], values: Values) -> str:
    if len(pair) == 1:
        return f"Harvest of {pair[0]} on {contest.topics_said} of {contest.world}, from the highest to the lowest."
    ahead = sum(values[pair[0]][topic] > values[pair[1]][topic] for topic in topics)
    lead = f"{pair[0]} is ahead on {ahead} of {len(topics)}"
    return f"Harvest of {pair[0]} and {pair[1]} on every topic of {contest.world}; {lead}."
