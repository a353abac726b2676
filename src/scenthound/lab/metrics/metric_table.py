"""Every metric of the lab: its name in results.json, its title, its formula, and how to read it.

The report's column titles and the reference page come from this table. `crawl_metrics`, `link_scores` and `relatives`
compute exactly these metrics; a test checks it.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Better(StrEnum):
    """The better direction of a metric. A metric that only describes a crawl has none, and no strategy wins by it."""

    HIGHER = "higher"
    LOWER = "lower"
    NEITHER = "neither"


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """A metric: `help` is one line for the reader of a report, `formula` uses the letters of the reference page."""

    name: str
    title: str
    unit: str
    better: Better
    formula: str
    help: str


OF_CRAWLS: Final = (
    Metric(
        name="harvest",
        title="harvest",
        unit="share",
        better=Better.HIGHER,
        formula="F / b",
        help="Wanted pages for each fetch of the budget, by truth.",
    ),
    Metric(
        name="judged",
        title="harvest by critic",
        unit="share",
        better=Better.HIGHER,
        formula="ΣR / b",
        help="Mean relevance of what was fetched, in the eyes of the crawl's own critic; what gave no page counts as "
        "0.",
    ),
    Metric(
        name="loss",
        title="loss",
        unit="share",
        better=Better.LOWER,
        formula="1 - harvest",
        help="Fetches of the budget that brought no wanted page.",
    ),
    Metric(
        name="unique",
        title="unique harvest",
        unit="share",
        better=Better.HIGHER,
        formula="(F - repeats among them) / b",
        help="Harvest without pages that are the same, or nearly, as one fetched before.",
    ),
    Metric(
        name="recall",
        title="recall",
        unit="share",
        better=Better.HIGHER,
        formula="F' / W'",
        help="Of the wanted pages to which a way leads from the start, those that were fetched.",
    ),
    Metric(
        name="recall_all",
        title="recall of all",
        unit="share",
        better=Better.HIGHER,
        formula="F / W",
        help="Of all wanted pages of the world, those that were fetched.",
    ),
    Metric(
        name="fetches_to_25",
        title="fetches to 25 %",
        unit="fetches",
        better=Better.LOWER,
        formula="least t ≤ m with F'(t) ≥ .25 W'",
        help="Fetches until a quarter of the reachable wanted pages was there; none if the budget ended before.",
    ),
    Metric(
        name="fetches_to_50",
        title="fetches to 50 %",
        unit="fetches",
        better=Better.LOWER,
        formula="least t ≤ m with F'(t) ≥ .5 W'",
        help="Fetches until half of the reachable wanted pages were there; none if the budget ended before.",
    ),
    Metric(
        name="fetches_to_75",
        title="fetches to 75 %",
        unit="fetches",
        better=Better.LOWER,
        formula="least t ≤ m with F'(t) ≥ .75 W'",
        help="Fetches until three quarters of the reachable wanted pages were there; none if the budget ended before.",
    ),
    Metric(
        name="auc",
        title="area under harvest",
        unit="share",
        better=Better.HIGHER,
        formula="(1/b) Σ F(t) / t, t = 1 … b",
        help="Mean of the harvest after each fetch: of two crawls that end alike, that which found its pages sooner "
        "has more.",
    ),
    Metric(
        name="bound",
        title="bound",
        unit="share",
        better=Better.NEITHER,
        formula="min(b, W') / b",
        help="The harvest that no crawl along links can exceed. It knows nothing of caps on pages a host.",
    ),
    Metric(
        name="of_bound",
        title="share of the bound",
        unit="share",
        better=Better.HIGHER,
        formula="harvest / bound",
        help="Harvest as a share of the bound; none where no wanted page can be reached.",
    ),
    Metric(
        name="relevant_hosts",
        title="relevant hosts",
        unit="hosts",
        better=Better.HIGHER,
        formula="hosts of F",
        help="Hosts from which at least one wanted page was fetched.",
    ),
    Metric(
        name="hosts",
        title="hosts",
        unit="hosts",
        better=Better.NEITHER,
        formula="hosts of all pages fetched",
        help="Hosts from which any page was fetched.",
    ),
    Metric(
        name="hops",
        title="hops",
        unit="links",
        better=Better.NEITHER,
        formula="mean shortest way from the start, over F'",
        help="Links between the start pages and the wanted pages fetched, by the shortest way that the world has.",
    ),
    Metric(
        name="far",
        title="far",
        unit="share",
        better=Better.NEITHER,
        formula="F' at 3 hops or more / F'",
        help="Of the wanted pages fetched, those that lie three links or more from the start.",
    ),
    Metric(
        name="wasted",
        title="wasted",
        unit="share",
        better=Better.LOWER,
        formula="fetches without a page / m",
        help="Of the fetches made, those that gave no page: errors, and addresses outside the world.",
    ),
)

OF_LINKS: Final = (
    Metric(
        name="link_auc",
        title="link AUC",
        unit="share",
        better=Better.HIGHER,
        formula="Pr(p⁺ > p⁻) + ½ Pr(p⁺ = p⁻)",
        help="How often a wanted page had a greater priority than one not wanted; .5 is chance.",
    ),
    Metric(
        name="link_log_loss",
        title="link log-loss",
        unit="nats",
        better=Better.LOWER,
        formula="mean of -(y ln p + (1 - y) ln(1 - p)), p kept within [1e-6, 1 - 1e-6]",
        help="How surprising the truth was to somebody who believed the priorities; priorities that are sure and "
        "wrong cost most.",
    ),
    Metric(
        name="link_ece",
        title="link calibration error",
        unit="share",
        better=Better.LOWER,
        formula="Σ share of the bin · |mean p - mean y|, 10 bins of equally many fetches",
        help="How far priorities lie from the share of wanted pages among links of about that priority.",
    ),
    Metric(
        name="link_brier",
        title="link Brier score",
        unit="share",
        better=Better.LOWER,
        formula="mean of (p - y)²",
        help="Mean squared distance of priority and truth.",
    ),
    Metric(
        name="link_auc_judged",
        title="link AUC by critic",
        unit="share",
        better=Better.HIGHER,
        formula="as link_auc, a page being relevant where R ≥ .5",
        help="Link AUC with the critic's judgement of the page for the truth.",
    ),
    Metric(
        name="link_log_loss_judged",
        title="link log-loss by critic",
        unit="nats",
        better=Better.LOWER,
        formula="as link_log_loss, y = R",
        help="Link log-loss with the critic's relevance of the page for the truth.",
    ),
    Metric(
        name="link_ece_judged",
        title="link calibration error by critic",
        unit="share",
        better=Better.LOWER,
        formula="as link_ece, y = R",
        help="Link calibration error with the critic's relevance of the page for the truth.",
    ),
    Metric(
        name="link_brier_judged",
        title="link Brier score by critic",
        unit="share",
        better=Better.LOWER,
        formula="as link_brier, y = R",
        help="Link Brier score with the critic's relevance of the page for the truth.",
    ),
)

OF_RIVALS: Final = (
    Metric(
        name="of_oracle",
        title="share of the oracle",
        unit="share",
        better=Better.HIGHER,
        formula="harvest / oracle's harvest",
        help="Harvest as a share of what the one-step oracle has on the same task.",
    ),
    Metric(
        name="gain",
        title="gain over random",
        unit="share",
        better=Better.HIGHER,
        formula="(harvest - random's) / (oracle's - random's)",
        help="0 is as good as random, 1 as good as the oracle; none where the oracle is not better than random.",
    ),
)

METRICS: Final = OF_CRAWLS + OF_LINKS + OF_RIVALS


def by_name() -> dict[str, Metric]:
    """Return the metrics by their names in results.json, in the order of the table."""
    return {metric.name: metric for metric in METRICS}
