"""How the strategies stand: a table for each budget, the best first, every mean with its interval over topics."""

from collections import Counter
from collections.abc import Mapping, Sequence

from scenthound.counted import count
from scenthound.lab.experiment.values import Interval
from scenthound.lab.metrics.metric_table import Better, Metric
from scenthound.lab.report.contests import MAIN, Contest
from scenthound.lab.report.curves import dry
from scenthound.lab.report.html_tables import Heading, cell, metric_heading, row, strategy_name, table
from scenthound.lab.report.markup import Markup, join, tag
from scenthound.lab.report.numbers import SURE, figure, places, span
from scenthound.lab.report.palette import Look

COLUMNS = (
    "harvest",
    "unique",
    "relevant_hosts",
    "judged",
    "recall",
    "of_oracle",
    "gain",
    "auc",
    "fetches_to_50",
)


def standings(contest: Contest, looks: Mapping[str, Look], metrics: Mapping[str, Metric]) -> Markup:
    """Return the standings at every budget; metrics that are looked at less often stand in a table to be opened."""
    there = contest.metrics()
    first = [metrics[name] for name in COLUMNS if name in there and name in metrics]
    rest = [metric for name, metric in metrics.items() if name in there and name not in COLUMNS and not of_links(name)]
    return join([_at_budget(contest, budget, first, rest, looks) for budget in contest.budgets])


def of_links(metric: str) -> bool:
    """Tell whether a metric is about the scores of links, which have a part of the report to themselves."""
    return metric.startswith("link_")


def standings_table(
    contest: Contest,
    budget: str,
    columns: Sequence[Metric],
    looks: Mapping[str, Look],
    caption: str,
    *,
    by: str = MAIN,
) -> Markup:
    """Return one table of means by strategy, the highest by one metric first."""
    headings = [Heading(title="strategy", number=False), *map(metric_heading, columns)]
    cells = {metric.name: _Column.of(contest, budget, metric) for metric in columns}
    rows = [
        row(strategy_name(name, looks[name], contest=contest), [cells[metric.name].cell(name) for metric in columns])
        for name in contest.ranked(budget, by)
    ]
    return table(caption, headings, rows, class_="standings")


def _at_budget(
    contest: Contest, budget: str, first: Sequence[Metric], rest: Sequence[Metric], looks: Mapping[str, Look]
) -> Markup:
    sure = f", with {SURE} intervals" if len(contest.topics) > 1 else ""
    caption = f"{contest.heading}, budget {budget}: means over {contest.topics_said}{sure}"
    more = standings_table(contest, budget, rest, looks, f"{contest.heading}, budget {budget}: other metrics")
    return join(
        standings_table(contest, budget, first, looks, caption),
        _dry(contest, budget),
        tag("details", tag("summary", f"Other metrics at budget {budget}"), more) if rest else None,
    )


class _Column:
    """One metric of all strategies: what is best, and how wide the bars are."""

    def __init__(self, means: Mapping[str, Interval], best: frozenset[str], topics: int) -> None:
        self._means = means
        self._best = best
        self._topics = topics
        self._places = places(interval.mean for interval in means.values())
        self._end = max((interval.high for interval in means.values()), default=0.0)

    @classmethod
    def of(cls, contest: Contest, budget: str, metric: Metric) -> "_Column":
        means = {
            strategy: interval
            for strategy in contest.strategies
            if (interval := contest.mean(strategy, budget, metric.name))
        }
        return cls(means, _best(contest, metric, means), len(contest.topics))

    def cell(self, strategy: str) -> Markup:
        interval = self._means.get(strategy)
        if interval is None:
            return cell(figure(None), class_="number none")
        text = tag("b" if strategy in self._best else "span", figure(interval.mean, self._places), class_="mean")
        few = tag("small", f"{interval.topics} of {self._topics} topics") if interval.topics < self._topics else None
        spread = tag("small", span(interval, self._places)) if interval.topics > 1 else None
        return cell([text, spread, few, self._bar(interval)], value=interval.mean, class_="number")

    def _bar(self, interval: Interval) -> Markup | None:
        """Return a bar as long as the mean, and over it a line as long as the interval."""
        if self._end <= 0:
            return None
        low, mean, high = (max(0.0, 100 * end / self._end) for end in (interval.low, interval.mean, interval.high))
        bar = tag("i", style=f"width:{mean:.1f}%")
        line = tag("s", style=f"left:{low:.1f}%;width:{high - low:.1f}%")
        return tag("span", bar, line, class_="bar", aria_hidden="true")


def _best(contest: Contest, metric: Metric, means: Mapping[str, Interval]) -> frozenset[str]:
    """Return the best contenders by a metric; none where all are equal, or where it is not better one way."""
    # A mean over some of the topics only cannot be the best: it may be the easy ones that are left.
    whole = {
        name: mean.mean
        for name, mean in means.items()
        if name in contest.contenders and mean.topics == len(contest.topics)
    }
    choose = {Better.HIGHER: max, Better.LOWER: min}.get(metric.better)
    if choose is None or len(set(whole.values())) < 2:
        return frozenset()
    top = choose(whole.values())
    return frozenset(name for name, mean in whole.items() if mean == top)


def _dry(contest: Contest, budget: str) -> Markup | None:
    """Say how many crawls had nothing left to fetch before the budget was used up, and whose they were."""
    ended = Counter(run.strategy for run in contest.runs if dry(run, budget))
    if not ended:
        return None
    made = Counter(run.strategy for run in contest.runs)
    said = (
        f"In {ended.total():,} of {count(len(contest.runs), 'crawl')} nothing was left to fetch before the budget was "
        "used "
        "up. Fetches that were not made count as having found nothing."
    )
    whose = [tag("li", f"{name}: {ended[name]} of {made[name]}") for name in contest.strategies if ended[name]]
    return tag("details", tag("summary", said), tag("ul", whose))
