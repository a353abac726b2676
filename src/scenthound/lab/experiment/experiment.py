"""The declaration of an experiment: worlds × topics × strategies × draws of examples × budgets × host caps.

Every key has its name, default and one line of help here and nowhere else. `experiment_file` reads a TOML file into
these values, `runner` runs them, and the reference in the docs comes from them.
"""

import math
import re
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, field
from msgspec.structs import replace

from scenthound.errors import LabError
from scenthound.lab.experiment.values import OUTSIDE, Outside, StrategyChoice

Budget = str | int
LEAST_PAGES = 40
QUICK_TOPICS = 4  # topics of each world in a quick run

_BUDGET = re.compile(r"(?P<times>\d*(?:\.\d+)?)n|(?P<fetches>\d+)")


def key(takes: str, text: str, *, ge: int | None = None) -> Meta:
    """Declare which values a key takes and what it does."""
    return Meta(description=text, extra={"takes": takes}, ge=ge)


class WorldChoice(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A web to crawl, where it comes from and what is looked for in it. Give one of `warc`, `crawl` and `demo`."""

    name: Annotated[str, key("a text", "What tables call it.")]
    warc: Annotated[
        tuple[str, ...], key("a list of files", "WARC files, with the labels of their pages in `labels`.")
    ] = ()
    crawl: Annotated[
        str,
        key(
            "a folder",
            "An earlier crawl directory. Without `labels`, its good topics are looked for, and a critic of another "
            "kind than "
            "the crawl's, taught with examples that the crawl's does not get, says what is relevant.",
        ),
    ] = ""
    demo: Annotated[
        int | None, key("a whole number", "The demo web that grows from this seed; it brings its labels.")
    ] = None
    labels: Annotated[str, key("a file", "A table with a line `url <TAB> topic path` for each label of a page.")] = ""
    locked: Annotated[
        tuple[str, ...],
        key("a list of patterns", "Pages that are never fetched, nor examples, nor wanted; as `fetch.locked`."),
    ] = ()
    start: Annotated[
        tuple[str, ...],
        key("a list of patterns", "Pages from which all crawls start besides their examples; each is a fetch."),
    ] = ()
    topics: Annotated[
        tuple[str, ...],
        key("a list of patterns", "Topics to look for; `*` stands for anything. Left out: all of `least_pages`."),
    ] = ()
    least_pages: Annotated[
        int,
        key(
            "a whole number, 0 or more",
            f"Only topics with this many pages; 0 chooses {LEAST_PAGES} or, where `topics` names them, enough to "
            "leave one to "
            "be found.",
            ge=0,
        ),
    ] = 0
    levels: Annotated[
        Literal["leaves", "all"],
        key('"leaves" or "all"', 'Topics on any level of the tree, or only those with none below ("leaves").'),
    ] = "all"
    development: Annotated[
        tuple[str, ...],
        key(
            "a list of patterns",
            "Topics that strategies may be tuned on. With `test` left out, all others are test topics; with both left "
            "out, "
            "all are test topics and nothing may be tuned.",
        ),
    ] = ()
    test: Annotated[
        tuple[str, ...],
        key("a list of patterns", "Topics to report on. With `development` left out, all others are for development."),
    ] = ()
    examples_from: Annotated[
        str,
        key(
            "a topic pattern",
            'Labels of the pages that examples are drawn from, `{topic}` standing for the topic: "{topic}/cornell" '
            "takes the "
            "examples of course from course/cornell. Left out: all pages about the topic.",
        ),
    ] = ""
    most_fetches: Annotated[
        int,
        key(
            "a whole number, 0 or more",
            "Most fetches of any budget in this world, for topics so large that n would take too long; 0 is no limit.",
            ge=0,
        ),
    ] = 0


class Experiment(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is compared with what, on which topics, and with how many fetches."""

    title: Annotated[str, key("a text", "The heading of the report.")] = ""
    about: Annotated[str, key("a text", "What the experiment is for, in a few sentences.")] = ""
    seed: Annotated[int, key("a whole number", "Seed of all draws: the same seed gives the same results.")] = 7
    draws: Annotated[
        int,
        key("a whole number, 1 or more", "How often the examples of each topic are drawn, and all is crawled.", ge=1),
    ] = 3
    budgets: Annotated[
        tuple[Budget, ...],
        key(
            "a list of budgets",
            'Fetches after which strategies are compared: numbers, or "n", "2n", "0.5n" for multiples of the number '
            "of pages "
            "that there are to be found. Tuning looks at the first.",
        ),
    ] = ("n",)
    examples: Annotated[
        int, key("a whole number, 1 or more", "Pages about the topic that the critic learns from.", ge=1)
    ] = 10
    negatives: Annotated[
        int, key("a whole number, 0 or more", "Labelled pages about other topics that it learns from.", ge=0)
    ] = 150
    other_topics: Annotated[
        int,
        key(
            "a whole number, 0 or more",
            "What is not wanted, as so many topics of a tree: the most frequent labels of 15 pages or more that stand "
            "neither "
            "above nor below the topic, each with as many pages as `examples` says, instead of `negatives`. 0: all "
            "negatives "
            "are one topic.",
            ge=0,
        ),
    ] = 0
    outside: Annotated[
        Outside,
        key(
            '"wasted" or "invisible"',
            'Links that lead out of the world: each a fetch that fails, as it would live ("wasted"), or as if they '
            "were not "
            'there ("invisible").',
        ),
    ] = OUTSIDE
    host_caps: Annotated[
        tuple[Annotated[int, Meta(ge=0)], ...],
        key("a list of whole numbers", "Most pages of one host; 0 is no limit. Each is an experiment of its own."),
    ] = (0,)
    baseline: Annotated[
        str,
        key(
            "a name",
            'The strategy that all others are compared with; left out: "best-first", or the first if that takes no '
            "part.",
        ),
    ] = ""
    topics: Annotated[
        Literal["test", "development", "all"],
        key(
            '"test", "development" or "all"',
            "The topics that are crawled for; tuning always takes those for development.",
        ),
    ] = "test"
    most_topics: Annotated[
        int,
        key(
            "a whole number, 0 or more",
            "At most this many topics of a role in each world, spread evenly; 0 is all.",
            ge=0,
        ),
    ] = 0
    settings: Annotated[
        Mapping[str, Any],
        key("a table of settings", 'Settings of the crawl for all strategies, as { "critic.kind" = "bayes" }.'),
    ] = field(default_factory=dict)
    base: Annotated[
        str, key("a folder", "Where relative paths start from; left out: the folder of the experiment file.")
    ] = ""
    worlds: Annotated[tuple[WorldChoice, ...], key("[[world]]", "The webs.")] = field(default=(), name="world")
    strategies: Annotated[tuple[StrategyChoice, ...], key("[[strategy]]", "The strategies.")] = field(
        default=(), name="strategy"
    )

    def place(self, path: str) -> Path:
        """Return the location of a path of this experiment."""
        return Path(self.base).expanduser() / Path(path).expanduser()


class StrategyKeys(Struct, frozen=True, kw_only=True):
    """A strategy to be compared. All other keys are parameters of its kind or, with a dot, settings of the crawl."""

    name: Annotated[str, key("a text", "What tables call it.")]
    kind: Annotated[
        str,
        key("a kind, or FILE.py:CLASS", "Which strategy it is (`scenthound lab list` shows all); left out: its name."),
    ] = ""
    tune: Annotated[
        Mapping[str, tuple[Any, ...]],
        key(
            "a table of lists",
            "Values to be tried on the development topics, as { gamma = [0.1, 0.5] }; those with the best mean "
            "harvest at the "
            "first budget are kept.",
        ),
    ] = field(default_factory=dict)


def quick(experiment: Experiment) -> Experiment:
    """Return a small version of the experiment: one draw, a few topics of each world, the first budget and host cap."""
    most = min(experiment.most_topics or QUICK_TOPICS, QUICK_TOPICS)
    caps, budgets = experiment.host_caps[:1], experiment.budgets[:1]
    return replace(experiment, draws=1, most_topics=most, budgets=budgets, host_caps=caps)


def budget_size(budget: Budget, wanted: int, *, most: int = 0) -> int:
    """Return a budget in fetches, for `wanted` pages to find; no budget exceeds `most` (0: no limit).

    >>> [budget_size(budget, 30) for budget in ("n", "2n", "0.25n", "500", 500)]
    [30, 60, 8, 500, 500]
    >>> budget_size("2n", 1000, most=400)
    400
    """
    found = _BUDGET.fullmatch(str(budget).strip())
    if found is None:
        raise LabError(
            f'budgets: "{budget}" is neither a number of fetches nor a multiple of n such as "n", "2n" or "0.5n"'
        )
    size = int(found["fetches"]) if found["fetches"] else math.ceil(Fraction(found["times"] or "1") * wanted)
    if wanted > 0 and size < 1:
        raise LabError(f'budgets: "{budget}" would fetch nothing; give at least 1')
    return min(size, most) if most else size
