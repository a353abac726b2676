"""Findings about the relevance of the pages that a crawl fetches, and about the topics that they belong to instead.

The census is that of RELATIONAL §3.7. FOCUS §2.1 names the parents and siblings of a topic as the natural ones to mark
good too.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import erfc, sqrt
from statistics import fmean

from scenthound.crawl.diagnosis.cures import finding, topics_command
from scenthound.events import Finding, FindingKind
from scenthound.taxonomy import OTHERS, Topics, ancestors, is_at_or_below
from scenthound.types import RecentPage

WINDOW = 100  # pages that show indecision, and least URLs that must wait where a crawl stagnates
DROUGHT = 200  # pages that show stagnation
HARDLY = 2  # of them on topic, at most: of a crawl in which one page in twenty is, one look in 400 would see so few
POOR = 0.1  # mean relevance of a stagnating window: where many pages are nearly on topic, something else is wrong
MOST = 0.5  # of the pages about a topic: then most are
ALONE = 0.8  # of the pages around a topic that are about one of its neighbours: then that one is meant, and not all
SPAN = 200  # pages compared with as many before
BLOCK = 20  # pages whose mean counts as one observation: neighbours in fetch order are alike, and no two witnesses
CHANCE = 0.001  # below which a fall is taken for real; a crawl of 10,000 pages is asked 200 times
FALL = 2 / 3  # of what came before: a smaller fall is no news
NEAR = 0.15  # from the threshold: a critic that cannot tell


@dataclass(frozen=True, slots=True, kw_only=True)
class Tale:
    """The latest pages of a crawl with a critic, oldest first, and how many URLs wait."""

    path: str
    pages: Sequence[RecentPage]
    topics: Topics
    accept: float
    waiting: int

    def judged(self, last: int) -> list[RecentPage]:
        return [page for page in self.pages if page.relevance is not None][-last:]


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbour:
    """A topic into which most pages around a good one fall; with `above`, it stands above that one."""

    topic: str
    around: str
    pages: int
    above: bool = False


def stagnation(tale: Tale) -> Finding | None:
    """Say that hardly a page is on topic any more, though much waits."""
    window = tale.judged(DROUGHT)
    on_topic = sum((page.relevance or 0.0) >= tale.accept for page in window)
    mean = _mean(window)
    if len(window) < DROUGHT or tale.waiting < WINDOW or on_topic > HARDLY or mean > POOR:
        return None
    evidence = (
        f"{on_topic} of the last {len(window)} pages have a relevance of {tale.accept:g} or more, "
        f"{mean:.3f} on average",
        f"{tale.waiting:,} URLs wait",
    )
    return _with_cause(tale, window, FindingKind.STAGNATION, "the crawl stagnates: hardly a page is on topic", evidence)


def falling_relevance(tale: Tale) -> Finding | None:
    """Say that pages are less relevant than those before, by more than chance explains."""
    pages = tale.judged(2 * SPAN)
    before, after = pages[:-SPAN], pages[-SPAN:]
    if len(before) < SPAN or _mean(after) > FALL * _mean(before):
        return None
    chance = less_by_chance(_block_means(before), _block_means(after))
    if chance >= CHANCE:
        return None
    evidence = (
        f"mean relevance {_mean(after):.3f} over the last {len(after)} pages, "
        f"{_mean(before):.3f} over the {len(before)} before",
        f"chance alone would do this {_odds(chance)}",
    )
    return _with_cause(tale, after, FindingKind.FALLING_RELEVANCE, "pages become less relevant", evidence)


def undecided(tale: Tale) -> Finding | None:
    """Say that the critic can hardly tell what is on topic."""
    window = tale.judged(WINDOW)
    near = [page for page in window if abs((page.relevance or 0.0) - tale.accept) <= NEAR]
    if len(window) < WINDOW or len(near) < MOST * len(window):
        return None
    doubtful = min(reversed(near), key=lambda page: abs((page.relevance or 0.0) - tale.accept))
    return finding(
        FindingKind.UNDECIDED,
        "the critic can hardly tell what is on topic; more examples help, best of the pages that it doubts",
        (
            f"the relevance of {len(near)} of the last {len(window)} pages "
            f"lies within {NEAR:g} of the threshold {tale.accept:g}",
            f"it doubts most of {doubtful.url} ({doubtful.relevance:.2f})",
        ),
        topics_command(tale.path, "example", "add", doubtful.topic or _good_name(tale.topics), doubtful.url),
        topics_command(tale.path, "undo"),
    )


def neighbour_of(topics: Topics, pages: Sequence[RecentPage]) -> Neighbour | None:
    """Find the topic that most pages are about instead: an ancestor of a good one, one beside it, or any other one.

    >>> from scenthound.taxonomy import Topic
    >>> paths = ("Money/Funds", "Money/Bonds", "Money/Banks")
    >>> topics = Topics(topics=tuple(Topic(path=path, good=path == paths[0]) for path in paths))
    >>> about = lambda name, n: RecentPage(n=n, url="", host="", fetched_at=0.0, relevance=0.0, topic=name)
    >>> neighbour_of(topics, [about("Money/Bonds", n) for n in range(3)] + [about("Money/Banks", n) for n in range(2)])
    Neighbour(topic='Money', around='Money/Funds', pages=5, above=True)
    """
    census = Counter(page.topic for page in pages if page.topic != OTHERS and not topics.is_good(page.topic))
    for good in topics.good:
        for above in reversed(ancestors(good.path)):
            inside = {topic: number for topic, number in census.items() if is_at_or_below(topic, above)}
            if sum(inside.values()) >= MOST * len(pages):
                return _one_or_all(topics, above, good.path, inside)
    topic, number = max(census.items(), key=lambda pair: pair[1], default=(OTHERS, 0))
    if number < MOST * len(pages) or not number:
        return None
    return Neighbour(topic=topic, around=_good_name(topics), pages=number, above=topics.is_path(topic))


def _one_or_all(topics: Topics, above: str, good: str, inside: dict[str, int]) -> Neighbour:
    """Name one topic below `above` if nearly all pages are about that one, or else `above` itself."""
    everything = sum(inside.values())
    topic, number = max(inside.items(), key=lambda pair: pair[1])
    if number >= ALONE * everything and not topics.is_path(topic):
        return Neighbour(topic=topic, around=good, pages=number)
    return Neighbour(topic=above, around=good, pages=everything, above=True)


def less_by_chance(before: Sequence[float], after: Sequence[float]) -> float:
    """Return the chance that `after` ranks as low as this if both are alike (Mann and Whitney 1947, normal, ties at
    half).

    >>> less_by_chance([5, 6, 7, 8, 9], [0, 1, 2, 3, 4]) < 0.01 < less_by_chance([1, 3, 5, 7], [0, 2, 4, 6])
    True
    """
    pairs = len(before) * len(after)
    above = sum((late > early) + 0.5 * (late == early) for late in after for early in before)
    spread = sqrt(pairs * (len(before) + len(after) + 1) / 12)
    return 0.5 * erfc((pairs / 2 - above - 0.5) / (spread * sqrt(2)))


def _with_cause(
    tale: Tale, window: Sequence[RecentPage], kind: FindingKind, what: str, evidence: tuple[str, ...]
) -> Finding:
    """Add into which topic most pages fall, and what may be done about it."""
    found = neighbour_of(tale.topics, window)
    if found is None:
        return _without_cause(tale, window, kind, what, evidence)
    share = f'{found.pages} of the last {len(window)} pages are about "{found.topic}"'
    that = "mark its parent good?" if found.above else "mark that good?"
    return finding(
        kind,
        f'{what}; most pages around "{found.around}" are about "{found.topic}": {that}',
        (*evidence, share + (" or what is below it" if found.above else "")),
        topics_command(tale.path, "mark", found.topic, *(["--widen"] if found.above else [])),
        topics_command(tale.path, "undo"),
    )


def _without_cause(
    tale: Tale, window: Sequence[RecentPage], kind: FindingKind, what: str, evidence: tuple[str, ...]
) -> Finding:
    census = Counter(page.topic for page in window).most_common(3)
    named = ", ".join(f"{number} {_topic(topic)}" for topic, number in census)
    return finding(
        kind,
        f"{what}, and no other topic stands out; "
        "perhaps there is no more around here: other examples may lead elsewhere",
        (*evidence, f"of the last {len(window)} pages there are {named}"),
        topics_command(tale.path, "example", "add", _good_name(tale.topics), "URL"),
    )


def _topic(topic: str) -> str:
    return f'about "{topic}"' if topic != OTHERS else "about no topic of the tree"


def _good_name(topics: Topics) -> str:
    return topics.good[0].path if topics.good else "TOPIC"


def _mean(pages: Sequence[RecentPage]) -> float:
    return fmean(page.relevance or 0.0 for page in pages) if pages else 0.0


def _block_means(pages: Sequence[RecentPage]) -> list[float]:
    return [_mean(pages[at : at + BLOCK]) for at in range(0, len(pages), BLOCK)]


def _odds(chance: float) -> str:
    return f"once in {min(1 / max(chance, 1e-9), 1e6):,.0f} times or less"
