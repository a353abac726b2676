"""The in-memory store's visits to pages: what each found, what is due to be asked about, and what was found backwards."""

from collections.abc import Iterable, Sequence
from itertools import islice

from scenthound.store.memory_bearings import MemoryBearings
from scenthound.store.memory_values import Links, Url
from scenthound.store.rules import UrlState, change_of, nearly_same
from scenthound.types import Change, Discovery, Ending, GoodPage, Outcome, Visit, Visited


class MemoryVisits(MemoryBearings):
    """Verbs about pages that were visited, and about who cites them."""

    def __init__(self) -> None:
        super().__init__()
        self._asked_backwards: set[Url] = set()

    def visited(self, *, after: int = 0, limit: int, again: bool = False) -> list[Visited]:
        later = islice(self._urls.values(), after, None)  # ids count from 1, in this order
        there = (url for url in later if url.state is UrlState.PAGE and not url.host.bad)
        found = (url for url in there if len(url.visits) > again)
        return [
            Visited(
                id=url.id,
                url=url.url,
                host=url.host.name,
                relevance=url.page.relevance if url.page else None,
                visits=url.visits,
            )
            for url in islice(found, limit)
        ]

    def good_pages(self, *, after: int = 0, least: float, limit: int) -> list[GoodPage]:
        found = [
            GoodPage(n=page.n, url=url.url, relevance=page.relevance, depth=url.depth)
            for url, page in self._fetched(Ending.PAGE)
            if page.n > after
            and page.relevance is not None
            and page.relevance >= least
            and page.standing is not None
            and page.standing.promise is not None
            and not (page.duplicate_of or page.near_duplicate_of or url in self._asked_backwards)
        ]
        return found[:limit]

    def found_backwards(
        self, cited: str, discoveries: Sequence[Discovery], *, now: float, citing: Sequence[str] | None = None
    ) -> int:
        good, known = self._urls.get(cited), len(self._urls)
        if good is None:
            return 0
        if citing is None:
            self._asked_backwards.add(good)
        found = self._absorb([find for find in discoveries if not find.refusal], None, now).values()
        waiting = [url for url in found if url.state is UrlState.WAITING]
        named = waiting if citing is None else [self._urls[url] for url in citing if url in self._urls]
        for url in named:
            if good not in url.cites:
                url.cites += (good,)
        return len(self._urls) - known

    # -- what a visit found

    def _note_visit(self, url: Url, outcome: Outcome, before: Links, news: int) -> Change | None:
        """Remember what a visit found, `news` being the addresses on the page that nobody had known; the page is still the old one."""
        change = change_of(
            outcome.ending,
            outcome.fetch.status if outcome.fetch else 0,
            url.visits,
            same=not news and _same_text(url, outcome),
        )
        if change is None:
            return None
        gained, lost = set[Url](), set[Url]()
        if outcome.ending is Ending.PAGE and url.visits:
            now, then = {self._urls[find.link.url] for find in outcome.discoveries}, set(before.targets)
            gained, lost = now - then, then - now
        _lose(lost, url, outcome.finished)
        visit = Visit(at=outcome.finished, change=change, gained=len(gained), lost=len(lost))
        url.visits += (visit,)
        return change


def _same_text(url: Url, outcome: Outcome) -> bool:
    page, read = url.page, outcome.reading
    if page is None or read is None:
        return False
    return nearly_same(read.digest, read.fingerprint, page.digest, page.fingerprint)


def _lose(targets: Iterable[Url], source: Url, at: float) -> None:
    for target in targets:
        if (source, at) not in target.lost:
            target.lost += ((source, at),)
