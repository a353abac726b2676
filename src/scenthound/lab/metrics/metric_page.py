"""The reference page about the metrics of the lab, made from their table."""

from collections.abc import Iterator
from typing import Final

from scenthound.lab.metrics.metric_table import OF_CRAWLS, OF_LINKS, OF_RIVALS


def metrics_page() -> Iterator[str]:
    """Write the page of the reference, line by line."""
    yield from ("# Metrics of the lab", "<!-- Made by `make docs` from the code; change it there. -->", "")
    yield from _LETTERS
    for title, said, metrics in _PARTS:
        yield from ("", f"## {title}", "", said, "", "| name | title | formula | better | how to read it |")
        yield "|---|---|---|---|---|"
        for metric in metrics:
            yield f"| `{metric.name}` | {metric.title} | {_cell(metric.formula)} | {metric.better} | {metric.help} |"
    yield from ("", *_MEANS)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


_LETTERS: Final = (
    "Every metric is taken at a budget, and only the fetches within it count. The letters of the formulas:",
    "",
    "| | |",
    "|---|---|",
    "| b | the budget in fetches |",
    "| m | the fetches made: b, or fewer if the crawl ran dry before |",
    "| W | the wanted pages of the world: truly about the topic, and no examples |",
    "| W' | those of them to which a way leads from the start pages, through no locked page |",
    "| F, F(t) | the wanted pages fetched within the budget, or within the first t fetches; each counts once |",
    "| F' | those of them that are in W' |",
    "| R | the critic's relevance of a fetched page; 0 where there was nothing to judge |",
    "| p, y | the priority with which a URL was claimed, and what it turned out to be: 1 if wanted, 0 if not |",
    "",
    "A crawl that ran dry before the budget has found nothing with the fetches that it did not make: what is divided "
    "by b",
    "(`harvest`, `judged`, `loss`, `unique`, `auc`) counts them as fruitless. `wasted` and the metrics of links are "
    "means",
    "over the m fetches made.",
    "",
    "A page counts as wanted by the truth of the task; the critic that leads the crawl has no say in it, but in "
    "`judged` and",
    "the metrics that end in `_judged`. A crawl that also goes where no link leads (`crawl.truncate`) may find wanted "
    "pages",
    "outside W': they count in F and not in F', so that `of_bound` may then exceed 1.",
)

_PARTS: Final = (
    (
        "Of a crawl",
        "`hops`, `far` and the recalls are null where there is nothing to divide by.",
        OF_CRAWLS,
    ),
    (
        "Of the priorities of links",
        "Each priority is that with which the URL was claimed, before anybody had seen the page: prediction first, "
        "then the "
        "outcome. They tell about links that were followed, not about those left in the frontier. A fetch that gave "
        "no page "
        "counts as not wanted. Where a priority lies outside [0, 1] it is no probability, and only the AUCs are given; "
        "where all pages or none are wanted there is no AUC.",
        OF_LINKS,
    ),
    (
        "Against other strategies on the same task",
        "`of_oracle` is null in experiments without the oracle, `gain` also in those without random order.",
        OF_RIVALS,
    ),
)

_MEANS: Final = (
    "## Means, intervals, tests",
    "",
    "The unit is the topic: a topic's value is the mean over its draws, and a strategy's the mean over topics. A "
    "topic where",
    "one of the draws has no value (null) has none either, and `topics` of an interval says how many topics had one: "
    "means",
    "over different numbers of topics cannot be compared. That matters most for `fetches_to_…`, where the topics that "
    "are",
    "missing are the hard ones. Topics for development and for test are never put together.",
    "",
    "Intervals are 95 % percentile intervals of the mean from 10,000 bootstrap resamples of the topics; with one "
    "topic there",
    "is none (low and high are the mean). Two strategies are compared on the topics for which both have a value: "
    "topics",
    "won, tied and lost, and the exact two-sided p of Wilcoxon's signed ranks, equal topics kept in the ranking "
    "(Pratt).",
    "With fewer than 6 topics no p can fall below .05, and p is 1. `p_holm` is corrected after Holm for all "
    "comparisons of",
    "the same world, role, host cap, budget and metric. Metrics that are neither better higher nor lower are not "
    "tested.",
    "",
    "Figures are rounded to 12 significant digits.",
)
