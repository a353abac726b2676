"""Which strategies beat the baseline: paired over topics, with wins, ties and losses, and corrected p values."""

from collections.abc import Iterable, Mapping, Sequence

from scenthound.counted import count
from scenthound.lab.experiment.values import Duel
from scenthound.lab.metrics.metric_table import Better, Metric
from scenthound.lab.metrics.signed_rank import FEWEST
from scenthound.lab.report.contests import MAIN, Contest
from scenthound.lab.report.html_tables import Heading, cell, row, strategy_name, table
from scenthound.lab.report.markup import Markup, join, tag
from scenthound.lab.report.numbers import SURE, chance, places, signed, span
from scenthound.lab.report.palette import Look
from scenthound.lab.report.standings import of_links

LEVEL = 0.05

_HEADINGS = (
    Heading(title="strategy", number=False),
    Heading(title="difference", help=f"Mean over topics of its value less the other's, with the {SURE} interval."),
    Heading(title="wins", help="Topics on which it is better."),
    Heading(title="ties", help="Topics on which both are the same."),
    Heading(title="losses", help="Topics on which it is worse."),
    Heading(title="p", help="Wilcoxon's signed-rank test over topics, two-sided."),
    Heading(title="p (Holm)", help="p corrected for the number of strategies tested."),
    Heading(title="verdict", help="Better or worse where the corrected p is below .05.", number=False),
)


def duels(contest: Contest, looks: Mapping[str, Look], metrics: Mapping[str, Metric]) -> Markup:
    """Return the duels at every budget: those by harvest are visible, other metrics and other pairs fold out."""
    return join([_at_budget(contest, budget, looks, metrics) for budget in contest.budgets])


def too_few(duel: Duel) -> bool:
    return duel.difference.topics < FEWEST


def surely(duel: Duel) -> bool:
    """Tell whether two strategies differ by more than chance."""
    return not too_few(duel) and duel.p_holm < LEVEL


def verdict(duel: Duel, better: Better = Better.HIGHER) -> str:
    """Say what a duel shows about the first of the two."""
    if too_few(duel):
        return "too few topics"
    if not surely(duel):
        return "no clear difference"
    return "better" if (duel.difference.mean > 0) == (better is Better.HIGHER) else "worse"


def _at_budget(contest: Contest, budget: str, looks: Mapping[str, Look], metrics: Mapping[str, Metric]) -> Markup:
    here = [duel for duel in contest.duels if duel.budget == budget]
    against = [duel for duel in here if duel.other == contest.baseline]
    among = [duel for duel in here if duel.other != contest.baseline and duel.metric == MAIN]
    by_metric = {
        name: _against(contest, [duel for duel in against if duel.metric == name], metric, budget, looks)
        for name, metric in metrics.items()
        if not of_links(name)
    }
    return join(
        by_metric.pop(MAIN),
        _details(f"The same by other metrics, budget {budget}", by_metric.values()),
        _details(
            f"The others among themselves, budget {budget}", [_among(contest, among, metrics[MAIN], budget, looks)]
        ),
    )


def _against(
    contest: Contest, fought: Sequence[Duel], metric: Metric, budget: str, looks: Mapping[str, Look]
) -> Markup | None:
    if not fought:
        return None
    caption = f"{contest.heading}, budget {budget}: {metric.title}, compared with {contest.baseline}, topic by topic"
    ordered = _sorted(fought, metric)
    decimals = places(duel.difference.mean for duel in ordered)
    rows = [row(strategy_name(duel.one, looks[duel.one]), _cells(duel, metric.better, decimals)) for duel in ordered]
    return table(caption, _HEADINGS, rows, class_="duels")


def _among(
    contest: Contest, fought: Sequence[Duel], metric: Metric, budget: str, looks: Mapping[str, Look]
) -> Markup | None:
    if not fought:
        return None
    caption = f"{contest.heading}, budget {budget}: {metric.title} of two strategies compared, topic by topic"
    rows = [
        row(
            strategy_name(duel.one, looks[duel.one]),
            [cell(strategy_name(duel.other, looks[duel.other])), *_cells(duel, metric.better, 3)],
        )
        for duel in fought
    ]
    return table(caption, [_HEADINGS[0], Heading(title="against", number=False), *_HEADINGS[1:]], rows, class_="duels")


def _cells(duel: Duel, better: Better, decimals: int) -> list[Markup]:
    difference = [
        tag("span", signed(duel.difference.mean, decimals), class_="mean"),
        tag("small", span(duel.difference, decimals)),
    ]
    said = verdict(duel, better)
    return [
        cell(difference, value=duel.difference.mean, class_="number"),
        *(cell(str(number), class_="number") for number in (duel.wins, duel.ties, duel.losses)),
        *(_p(duel, p) for p in (duel.p, duel.p_holm)),
        cell(f"{said} ({count(duel.difference.topics, 'topic')})" if too_few(duel) else said, class_=said.split()[0]),
    ]


def _p(duel: Duel, p: float) -> Markup:
    text = "–" if too_few(duel) else chance(p).removeprefix("= ")
    return cell(text, value=p, class_="number")


def _sorted(fought: Sequence[Duel], metric: Metric) -> list[Duel]:
    sign = -1 if metric.better is Better.HIGHER else 1
    return sorted(fought, key=lambda duel: sign * duel.difference.mean)


def _details(title: str, tables: Iterable[Markup | None]) -> Markup | None:
    there = [table for table in tables if table]
    return tag("details", tag("summary", title), there) if there else None
