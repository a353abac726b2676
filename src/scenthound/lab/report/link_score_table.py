"""How well strategies ranked links: what they said of a URL before it was fetched, against what it turned out to be."""

from collections.abc import Mapping

from scenthound.lab.metrics.metric_table import Metric
from scenthound.lab.report.contests import Contest
from scenthound.lab.report.markup import Markup, join, tag
from scenthound.lab.report.palette import Look
from scenthound.lab.report.standings import of_links, standings_table

_APART = (
    "Every strategy is measured on the links that it followed itself. Who follows few bad links has little to tell "
    "apart, so "
    "that a strategy may rank worse here and find more all the same."
)


def link_scores(contest: Contest, looks: Mapping[str, Look], metrics: Mapping[str, Metric]) -> Markup:
    """Return a table for each budget; calibration is there only for priorities that are chances, between 0 and 1."""
    there = contest.metrics()
    columns = [metric for name, metric in metrics.items() if of_links(name) and name in there]
    if not columns:
        return join()
    first, *others = (
        standings_table(contest, budget, columns, looks, _caption(contest, budget), by=columns[0].name)
        for budget in contest.budgets
    )
    return join(
        tag("p", _APART, class_="note"),
        first,
        [tag("details", tag("summary", "The same at other budgets"), others)] if others else None,
    )


def _caption(contest: Contest, budget: str) -> str:
    return f"{contest.heading}, budget {budget}: the priorities of links before the fetch, and the results"
