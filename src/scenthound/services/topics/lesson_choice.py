"""The few crawled pages whose answers teach a critic most: ask the user little, and ask well (BINGO §2.6).

A part of them are archetypes, because a wrong one does harm. The rest are pages that the critic is unsure of. Of pages
that are alike, one is asked for: its answer goes for the others too.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from scenthound.crawl.critic.example_set import as_page
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.crawl.learning.archetype_choice import has_own_text
from scenthound.crawl.learning.learnt_note import learnt_of
from scenthound.errors import UsageError
from scenthound.judge.critic import Page
from scenthound.judge.distinct import jaccard, sayings
from scenthound.services.crawls.reader_store import reading
from scenthound.store.base import Store
from scenthound.taxonomy import Topics
from scenthound.topics.decided_pages import decided_pages
from scenthound.types import PageRow

ASKED: Final = 10
_ARCHETYPES: Final = 0.3  # the part of the pages that are archetypes, or likely to become some
_SEVERAL: Final = 8  # candidates for each page that is asked for
_ALIKE: Final = 3.0  # how much likeness to a page that is asked for already takes away


@dataclass(frozen=True, slots=True, kw_only=True)
class LessonPage:
    """A page to ask about. `why` says what the answer is good for."""

    url: str
    title: str
    topic: str
    relevance: float
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Candidate:
    row: PageRow
    page: Page
    worth: float
    why: str


def lesson_pages(directory: CrawlDirectory, *, count: int = ASKED) -> tuple[LessonPage, ...]:
    """Return the pages to ask about, best first: the same ones as long as nothing changes."""
    topics = directory.topics()
    with reading(directory) as store:
        sure, unsure = _candidates(store, topics, count)
    few = min(len(sure), max(1, round(_ARCHETYPES * count)))
    chosen = _diverse(sure, few, [])
    chosen = _diverse(unsure, count - len(chosen), chosen)
    if not chosen:
        raise UsageError(f"{directory.path} has no judged page to ask about; crawl a little first")
    return tuple(
        LessonPage(
            url=one.row.final_url,
            title=one.row.title,
            topic=one.row.topic,
            relevance=one.row.relevance or 0.0,
            why=one.why,
        )
        for one in chosen
    )


def _candidates(store: Store, topics: Topics, count: int) -> tuple[list[_Candidate], list[_Candidate]]:
    """Return archetypes and pages that are nearly some, and pages that the critic is unsure of."""
    decided = decided_pages(topics)
    learnt = {one.url: one.reason for one in learnt_of(store).in_force(topics)}
    rows = [row for row in store.pages() if row.relevance is not None and _is_new(row) and row.final_url not in decided]
    by_worth = sorted(rows, key=lambda row: (row.final_url not in learnt, -(row.relevance or 0.0), row.n))
    by_doubt = sorted(rows, key=lambda row: (_doubt(row), row.n))
    most = _SEVERAL * count
    held = store.held([row.final_url for row in (*by_worth[:most], *by_doubt[:most])])
    sure = (
        _Candidate(row=row, page=page, worth=row.relevance or 0.0, why=_why_sure(row, learnt.get(row.final_url)))
        for row in by_worth[:most]
        if topics.is_good(row.topic) and (page := as_page(held[row.final_url])) and has_own_text(page)
    )
    unsure = (
        _Candidate(row=row, page=page, worth=1 - 2 * _doubt(row), why="the critic is unsure of it")
        for row in by_doubt[:most]
        if (page := as_page(held[row.final_url])) and has_own_text(page)
    )
    return list(sure), list(unsure)


def _is_new(row: PageRow) -> bool:
    return not (row.duplicate_of or row.near_duplicate_of)


def _doubt(row: PageRow) -> float:
    """Return how far the critic is from saying neither yes nor no."""
    return abs((row.relevance or 0.0) - 0.5)


def _why_sure(row: PageRow, reason: str | None) -> str:
    return f"an archetype: {reason}" if reason else "the critic is surer of it than of most pages"


def _diverse(candidates: Sequence[_Candidate], count: int, chosen: list[_Candidate]) -> list[_Candidate]:
    """Add so many candidates to those that are chosen: each time the one of most worth that is unlike them."""
    return [*chosen, *_picked(candidates, count, chosen)]


def _picked(candidates: Sequence[_Candidate], count: int, chosen: Sequence[_Candidate]) -> Iterator[_Candidate]:
    taken = {one.row.final_url for one in chosen}
    left = [(one, sayings(one.page.terms)) for one in candidates if one.row.final_url not in taken]
    near = [max((jaccard(said, sayings(other.page.terms)) for other in chosen), default=0.0) for _, said in left]
    for _ in range(min(count, len(left))):
        place = max(range(len(left)), key=lambda at: (left[at][0].worth - _ALIKE * near[at], -at))
        (best, said), _ = left.pop(place), near.pop(place)
        near = [max(so_far, jaccard(said, other)) for so_far, (_, other) in zip(near, left, strict=True)]
        yield best
