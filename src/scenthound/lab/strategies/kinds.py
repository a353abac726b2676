"""Every strategy by name: the orders of the crawl, the classes of `lab.strategies`, and the user's own.

`catalogue` describes all of them, for `scenthound lab list` and the reference; `kind_of` finds the one that an
experiment has chosen and checks its parameters.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any, Final

from scenthound.errors import LabError
from scenthound.frontier.orders import APPRENTICE
from scenthound.lab.experiment.values import StrategyChoice
from scenthound.lab.runs.offline_apprentice import OFFLINE, WITHOUT
from scenthound.lab.strategies.ache import Ache
from scenthound.lab.strategies.best_n_first import BestNFirst
from scenthound.lab.strategies.classes import class_kind
from scenthound.lab.strategies.context_graph import ContextGraph
from scenthound.lab.strategies.in_degree import InDegree
from scenthound.lab.strategies.kind import Kind, Make, Parameter, nearest
from scenthound.lab.strategies.oracle import GreedyOracle, Oracle
from scenthound.lab.strategies.own import own_kind
from scenthound.lab.strategies.pagerank import PageRank
from scenthound.lab.strategies.shark import Shark
from scenthound.lab.strategies.strategy import Briefing, Strategy
from scenthound.settings.schema import ApprenticeSettings, CrawlSettings

__all__ = ["Kind", "Parameter", "catalogue", "kind_of"]

RECALL: Final = "recall"
CHO: Final = "Cho, Garcia-Molina and Page: Efficient crawling through URL ordering, WWW7, 1998"
FOCUS: Final = "Chakrabarti, van den Berg and Dom: Focused crawling, WWW8, 1999"


def kind_of(choice: StrategyChoice) -> Kind:
    """Return the kind that a choice names; raise an error for unknown names and parameters."""
    kind = _name_kind(choice)
    kind.parameters_for(choice)
    return kind


@cache
def catalogue() -> tuple[Kind, ...]:
    """Return all kinds that come with scenthound: simple orders first, references last."""
    return (*_orders(), *_classes(), *_references())


def _name_kind(choice: StrategyChoice) -> Kind:
    if ".py:" in choice.kind:
        return own_kind(choice.kind, choice.source)
    if choice.source:
        return own_kind(f"{choice.source}:{choice.kind}")
    known = {kind.name: kind for kind in catalogue()}
    if choice.kind not in known:
        raise LabError(
            f'strategy "{choice.name}": there is no kind "{choice.kind}"; did you mean '
            f'"{nearest(choice.kind, known)}"? '
            "`scenthound lab list` shows all; one of your own is given as FILE.py:CLASS"
        )
    return _confine_kind(known[RECALL], choice) if choice.kind == RECALL else known[choice.kind]


def _confine_kind(recall: Kind, choice: StrategyChoice) -> Kind:
    """Return the recall crawler of a choice: with the parameters and settings of the kind that crawls."""
    own = {parameter.name: parameter for parameter in recall.parameters}
    rest = {name: value for name, value in choice.parameters.items() if name not in own}
    by = str(choice.parameters.get("by", own["by"].default))
    if by == RECALL:
        raise LabError(f'strategy "{choice.name}": by = "{RECALL}" cannot be; name the kind that is to crawl')
    crawler = _name_kind(replace(choice, kind=by, parameters=rest))
    return replace(
        recall,
        parameters=recall.parameters + crawler.parameters,
        settings=crawler.settings,
        make=_without(crawler.make, own) if crawler.make else None,
        made_by=crawler.made_by,
        wants_text=crawler.wants_text,
        knows_truth=crawler.knows_truth,
    )


def _without(make: Make, names: Mapping[str, Parameter]) -> Make:
    def made(briefing: Briefing, values: Mapping[str, Any]) -> Strategy:
        return make(briefing, {name: value for name, value in values.items() if name not in names})

    return made


def _orders() -> tuple[Kind, ...]:
    """Return the orders of the crawl: nothing but settings."""
    shipped = CrawlSettings()
    focus = (
        Parameter(
            name="focus",
            default=shipped.focus,
            choices=("soft", "hard", "none"),
            setting="crawl.focus",
            help="What a page's relevance does to its links: order them, let only those of pages on topic be "
            "followed, or nothing.",
        ),
        Parameter(
            name="tunnel",
            default=shipped.tunnel,
            least=0,
            setting="crawl.tunnel",
            help="Pages off topic in a row through which links are still followed with hope; 0 is no tunnelling.",
        ),
        Parameter(
            name="tunnel_decay",
            default=shipped.tunnel_decay,
            least=0,
            most=1,
            setting="crawl.tunnel_decay",
            help="What is left of that hope after each such page.",
        ),
    )
    return (
        *_apprentices(),
        _order("breadth", "Fewest steps from the seeds first, and among these the one found first.", CHO),
        _order("depth", "Most steps from the seeds first, and among these the one found first."),
        _order("random", "A number drawn for each URL from the crawl's seed."),
        _order(
            "best-first",
            "The relevance of the pages that cite a URL, half by the best and half by their mean: what ships.",
            f"{FOCUS} (§3); the mean is our own",
            *focus,
        ),
        _order(
            "best-first-max",
            "The relevance of the best page that cites a URL, as in the papers.",
            f"{FOCUS} (§3)",
            *focus,
        ),
    )


def _apprentices() -> tuple[Kind, ...]:
    """Return the strategies that learn during the crawl which links pay."""
    shipped = ApprenticeSettings()
    sample = Parameter(
        name="sample",
        default=shipped.sample,
        least=0,
        most=0.5,
        setting="apprentice.sample",
        help="Part of the fetches drawn by chance from all that waits.",
    )
    settings = {"crawl.order": APPRENTICE, "crawl.focus": "soft"}
    bayes = (
        Parameter(
            name="start",
            default=shipped.start,
            least=1,
            setting="apprentice.start",
            help="Pages after which it takes over from best-first.",
        ),
        Parameter(
            name="d_max",
            default=shipped.d_max,
            least=0,
            setting="apprentice.d_max",
            help="Leaves around a link that are read; 0 finds out by cross-validation.",
        ),
        Parameter(
            name="topics",
            default=shipped.topics,
            setting="apprentice.topics",
            help="Whether the topics of the page that a link stands on are learnt from.",
        ),
        Parameter(
            name="cocitation",
            default=shipped.cocitation,
            setting="apprentice.cocitation",
            help="Whether it is learnt from what the links next to a link led to.",
        ),
        Parameter(
            name=OFFLINE,
            default=False,
            help="Whether it is trained beforehand, on a crawl with best-first from the same examples, and then "
            "learns no more.",
        ),
    )
    return (
        Kind(
            name="apprentice",
            summary="Expected relevance by what can be smelt of a link, with weights learnt during the crawl: what "
            "ships.",
            parameters=(
                sample,
                Parameter(
                    name=WITHOUT,
                    default="",
                    help="What it has to do without, to find out what that is worth: names of scents, learning, "
                    "returns, with commas.",
                ),
            ),
            settings={**settings, "apprentice.kind": "scent"},
        ),
        Kind(
            name="apprentice-bayes",
            summary="Naive Bayes on words by their distance from the link, as in the paper.",
            reference="Chakrabarti, Punera and Subramanyam: Accelerated focused crawling, WWW, 2002",
            parameters=(sample, *bayes),
            settings={**settings, "apprentice.kind": "bayes"},
        ),
    )


def _order(name: str, summary: str, reference: str = "", *parameters: Parameter) -> Kind:
    unfocused = {} if parameters else {"crawl.focus": "none"}
    return Kind(
        name=name,
        summary=summary,
        reference=reference,
        parameters=parameters,
        settings={"crawl.order": name, **unfocused},
    )


def _classes() -> tuple[Kind, ...]:
    accept = _describe_parameter("accept", "Relevance from which on a page counts as relevant.", 0, 1)
    words = (
        _describe_parameter("reach", "Leaves of the page's tree on each side of a link whose words are around it.", 0),
        _describe_parameter("most", "Words around a link on each side, the nearest.", 0),
    )
    return (
        _class("in-degree", InDegree, CHO),
        _class(
            "pagerank",
            PageRank,
            CHO,
            _describe_parameter("damping", "The part of its rank that a page passes on.", 0, 0.99),
            _describe_parameter("every", "Pages after which all ranks are computed again.", 1),
        ),
        _class(
            "best-n-first",
            BestNFirst,
            "Pant, Srinivasan and Menczer: Exploration versus exploitation in topic driven crawlers, WWW Dynamics, "
            "2002",
            _describe_parameter("n", "How many URLs are chosen at a time.", 1),
        ),
        _class(
            "shark",
            Shark,
            "Hersovici, Jacovi, Maarek, Pelleg, Shtalhim and Ur: The shark-search algorithm, WWW7, 1998",
            _describe_parameter("gamma", "The weight of what a link inherits against that of its own words.", 0, 1),
            _describe_parameter("delta", "What is left of a relevance when it is handed down.", 0, 1),
            _describe_parameter("beta", "The weight of the anchor's words against that of those around it.", 0, 1),
            _describe_parameter("threshold", "Relevance above which a page or an anchor counts as relevant.", 0, 1),
            *words,
        ),
        _class(
            "context-graph",
            ContextGraph,
            "Diligenti, Coetzee, Lawrence, Giles and Gori: Focused crawling using context graphs, VLDB, 2000",
            _describe_parameter("layers", "Greatest distance from a relevant page that is a layer of its own.", 1),
            _describe_parameter(
                "confidence", "Probability above which a page belongs to the layer that is likeliest.", 0, 1
            ),
            _describe_parameter("terms", "Terms of a page by which it is judged, the strongest by tf·idf.", 1),
            _describe_parameter("every", "Pages after which the layers are learnt again.", 1),
            _describe_parameter("least", "Pages that a layer must have to be learnt.", 1),
            accept,
        ),
        _class(
            "ache",
            Ache,
            "Barbosa and Freire: An adaptive crawler for locating hidden-Web entry points, WWW, 2007",
            _describe_parameter("every", "Pages after which the machines are trained again.", 1),
            _describe_parameter("sample", "Most links of a level that are trained on, drawn by chance.", 10),
            *words,
            accept,
        ),
    )


def _references() -> tuple[Kind, ...]:
    """Return the references for other strategies, and the crawler that is confined to another's pages."""
    recall = Kind(
        name=RECALL,
        summary="Another kind, confined to the pages that a strategy of the experiment has fetched: how early does it "
        "find them?",
        reference="Chakrabarti, Punera and Subramanyam: Accelerated focused crawling, WWW, 2002 (§3.6)",
        parameters=(
            Parameter(
                name="of",
                default="",
                help="The strategy of the experiment, by its name, whose pages confine the crawl.",
            ),
            Parameter(name="by", default="best-first", help="The kind that crawls; its parameters may be given too."),
        ),
        settings={"crawl.order": "best-first"},
    )
    return (
        recall,
        _class("oracle", Oracle, ""),
        _class(
            "greedy-oracle",
            GreedyOracle,
            "Greedy search by what a page yields; computed after Minoux: Accelerated greedy algorithms, 1978",
            _describe_parameter(
                "gamma", "The weight of what lies one link ahead; two links ahead it is squared.", 0, 1
            ),
        ),
    )


def _class(name: str, made_by: type, reference: str, *told: Parameter) -> Kind:
    return class_kind(name, made_by, reference=reference, told={parameter.name: parameter for parameter in told})


def _describe_parameter(name: str, help: str, least: float | None = None, most: float | None = None) -> Parameter:
    return Parameter(name=name, help=help, least=least, most=most)
