"""Which topics cite which (FOCUS §1 and 4.6, RELATIONAL §1): links between sites, by the topics of both pages.

What a site says of itself is navigation; only links from one registered domain to another count, and each pair of pages
once. If all pages are of one site, each page counts as a site.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.errors import UsageError
from scenthound.services.company.chance import Odds, false_discovery_rate, odds, ratio_of
from scenthound.services.sql.read_connection import asking
from scenthound.services.sql.recipes import recipes
from scenthound.store.sqlite.queries.topic_links import TopicPage, page_links, topic_pages
from scenthound.taxonomy import is_at_or_below
from scenthound.topics.topic_names import find_topic

MOST_TOPICS: Final = 40  # with most links; the rest is one
OTHER_TOPICS: Final = "(other topics)"
NO_TOPIC: Final = "(no topic)"
_PARTS: Final = 4  # of a crawl
_FALSE_RATE: Final = 0.05  # of the pairs that are called more or fewer than by chance
_FEWEST_SITES: Final = 3  # that must have such links before they are called more or fewer than by chance

Longs = NDArray[np.int64]


class Over(StrEnum):
    """What the time is: how far the crawl was, or the month in which the citing page was last changed."""

    PROGRESS = "progress"
    MONTH = "month"


def over_of(typed: str) -> Over:
    """Read how time is counted."""
    try:
        return Over(typed)
    except ValueError:
        raise UsageError(f'over: "{typed}" is not a way to count time; there are {", ".join(Over)}') from None


@dataclass(frozen=True, slots=True, kw_only=True)
class CompanyWish:
    """What to look at: all topics, or one and those below it; and how time is counted."""

    topic: str = ""
    over: Over = Over.PROGRESS


@dataclass(frozen=True, slots=True, kw_only=True)
class Period:
    """A stretch of time: links in it, and how many times as many as by chance within it."""

    name: str
    links: int
    ratio: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """A topic that cites another, or itself. `ratio` is links over `expected`, with a 95 % interval over sites.

    `verdict` is "more" or "fewer" where that is hardly by chance, else empty. `false_rate` is the share of false ones
    among all pairs that are at least as far from chance; pairs up to .05 have a verdict, if several sites make them.
    """

    citing: str
    cited: str
    links: int
    expected: float
    ratio: float
    low: float
    high: float
    sites: int
    false_rate: float
    verdict: str
    periods: tuple[Period, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Company:
    """Pairs of topics, the farthest above chance first; the topics by their links, and what was counted."""

    topics: tuple[str, ...]
    pairs: tuple[Pair, ...]
    periods: tuple[str, ...]
    topic: str
    pages: int
    links: int
    sites: int
    by_page: bool


def company_of(directory: CrawlDirectory, wish: CompanyWish = CompanyWish()) -> Company:
    """Count the links between topics of a crawl and compare them with chance."""
    topic = find_topic(directory.topics(), wish.topic) if wish.topic else ""
    with asking(directory) as con:
        pages = topic_pages(con)
        links = _links(pages, (np.array(rows, dtype=np.int64) for rows in page_links(con)))
    if not pages:
        raise UsageError(
            f"no page of {directory.path} is judged yet; topics are compared once some are: "
            f"scenthound crawl {directory.path}"
        )
    return _Count(pages, links, wish.over).company(topic)


def links_question(pair: Pair, *, by_page: bool) -> str:
    """Return the question in SQL for the links of a pair, the recipe "Typed links" of the docs."""
    recipe = next(one.sql for one in recipes() if one.title == "Typed links")
    sql = recipe.partition("AND b.relevance")[0]
    for name, topic in (("Home/Baking", pair.citing), ("Recreation/Cycling", pair.cited)):
        path = "" if topic == NO_TOPIC else topic.replace("'", "''")
        sql = sql.replace(f"'{name}'", f"'{path}'", 1)
    if by_page:
        sql = sql.replace("AND l.sid_src <> l.sid_dst", "")
    return f"{sql}LIMIT 100"


def _links(pages: Sequence[TopicPage], batches: Iterable[Longs]) -> Longs:
    """Return the links between judged pages, as places of source and target among them, each pair once."""
    if not pages:
        return np.zeros((0, 2), dtype=np.int64)
    ids = np.array([page.id for page in pages], dtype=np.int64)
    order = np.argsort(ids)
    ranked = ids[order]
    found = []
    for rows in batches:
        at = np.minimum(np.searchsorted(ranked, rows), len(ranked) - 1)
        known = (ranked[at] == rows).all(axis=1) & (rows[:, 0] != rows[:, 1])
        places = order[at[known]]
        found.append(places[:, 0] * len(pages) + places[:, 1])
    keys = np.unique(np.concatenate(found)) if found else np.zeros(0, dtype=np.int64)
    return np.stack([keys // len(pages), keys % len(pages)], axis=1)


class _Count:
    """The links of a crawl, each with the site that makes it, the topics of both ends, and its period."""

    def __init__(self, pages: Sequence[TopicPage], links: Longs, over: Over) -> None:
        domains = _codes([page.site for page in pages])[0]
        self._by_page = domains.max(initial=0) == 0
        unit = np.arange(len(pages)) if self._by_page else domains
        self._pages = len(pages)
        self._links = links[unit[links[:, 0]] != unit[links[:, 1]]]
        source, target = self._links[:, 0], self._links[:, 1]
        self._site = np.unique(unit[source], return_inverse=True)[1]
        self._topic, self.topics = _by_frequency([page.topic or NO_TOPIC for page in pages], self._links)
        self._cell = self._topic[source] * len(self.topics) + self._topic[target]
        self._period, self._periods = _periods(pages, source, over)

    def company(self, topic: str) -> Company:
        """Return the pairs that concern a topic, or all."""
        sites = int(self._site.max(initial=-1)) + 1
        pairs = self._pairs(sites) if sites else []
        chosen = [pair for pair in pairs if not topic or _concerns(pair, topic)]
        return Company(
            topics=self.topics,
            pairs=tuple(sorted(chosen, key=lambda pair: (-pair.low, -pair.ratio, pair.citing, pair.cited))),
            periods=self._periods,
            topic=topic,
            pages=self._pages,
            links=len(self._links),
            sites=sites,
            by_page=bool(self._by_page),
        )

    def _pairs(self, sites: int) -> list[Pair]:
        count = len(self.topics)
        by_site = csr_array(
            (np.ones(len(self._cell)), (self._site, self._cell)), shape=(sites, count * count)
        )  # the same place twice is added up
        by_site.sum_duplicates()
        found = odds(by_site, count)
        self._having = np.bincount(by_site.indices, minlength=count * count)
        self._counts = np.bincount(self._cell, minlength=count * count)
        self._over = self._over_time(count)
        cells = [cell for cell in range(count * count) if self._counts[cell] or found.expected.flat[cell] >= 5]
        rates = false_discovery_rate([float(found.p.flat[cell]) for cell in cells])
        return [self._pair(cell, found, rate) for cell, rate in zip(cells, rates, strict=True)]

    def _pair(self, cell: int, found: Odds, false_rate: float) -> Pair:
        citing, cited = divmod(cell, len(self.topics))
        links, sites = int(self._counts[cell]), int(self._having[cell])
        expected, ratio = float(found.expected.flat[cell]), float(found.ratio.flat[cell])
        more = ratio > 1 and sites >= _FEWEST_SITES
        verdict = "more" if more else "fewer" if ratio < 1 else ""
        return Pair(
            citing=self.topics[citing],
            cited=self.topics[cited],
            links=links,
            expected=round(expected, 2),
            ratio=round(ratio, 3) if np.isfinite(ratio) else 0.0,
            low=round(float(found.low.flat[cell]), 3),
            high=round(float(found.high.flat[cell]), 3),
            sites=sites,
            false_rate=round(false_rate, 4),
            verdict=verdict if false_rate <= _FALSE_RATE else "",
            periods=tuple(
                Period(name=name, links=int(links), ratio=round(float(ratio), 3) if np.isfinite(ratio) else None)
                for name, (links, ratio) in zip(self._periods, self._over[cell], strict=True)
            ),
        )

    def _over_time(self, count: int) -> NDArray[np.float64]:
        """Return links and ratio of each pair in each period."""
        periods, known = len(self._periods), self._period >= 0
        keys = self._period[known] * count * count + self._cell[known]
        links = np.bincount(keys, minlength=periods * count * count).astype(np.float64)
        tables = links.reshape(periods, count, count)
        pairs = [table.reshape(periods, count * count).T for table in (tables, ratio_of(tables))]
        return np.stack(pairs, axis=2)


def _concerns(pair: Pair, topic: str) -> bool:
    return is_at_or_below(pair.citing, topic) or is_at_or_below(pair.cited, topic)


def _codes(names: Sequence[str]) -> tuple[Longs, tuple[str, ...]]:
    """Return a number for each name, and the names by their numbers.

    >>> codes, names = _codes(["b", "a", "b"])
    >>> codes.tolist(), names
    ([0, 1, 0], ('b', 'a'))
    """
    numbers = {name: number for number, name in enumerate(dict.fromkeys(names))}
    return np.array([numbers[name] for name in names], dtype=np.int64), tuple(numbers)


def _by_frequency(topics: Sequence[str], links: Longs) -> tuple[Longs, tuple[str, ...]]:
    """Return the topic of each page and the topics that are told apart, those with most links first."""
    counted = Counter(topics[place] for place in links.ravel().tolist())
    names = [name for name, _ in counted.most_common()]
    if len(names) > MOST_TOPICS:
        names = [*names[: MOST_TOPICS - 1], OTHER_TOPICS]
    numbers = {name: number for number, name in enumerate(names)}
    other = numbers.get(OTHER_TOPICS, 0)
    return np.array([numbers.get(name, other) for name in topics], dtype=np.int64), tuple(names)


def _periods(pages: Sequence[TopicPage], source: Longs, over: Over) -> tuple[Longs, tuple[str, ...]]:
    """Return the period of each link, -1 for none, and their names."""
    if over is Over.PROGRESS:
        parts = min(_PARTS, len(pages))
        ends = [round(len(pages) * part / parts) for part in range(parts + 1)]
        names = tuple(f"pages {start + 1:,} to {end:,}" for start, end in pairwise(ends))
        return np.searchsorted(np.array(ends[1:]), source, side="right"), names
    months = sorted({pages[place].month for place in source.tolist()} - {""})
    numbers = {month: number for number, month in enumerate(months)}
    return np.array([numbers.get(pages[place].month, -1) for place in source.tolist()], dtype=np.int64), tuple(months)
