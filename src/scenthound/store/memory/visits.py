"""Visits to pages in memory: which pages to visit again, and who cites the good ones."""

from collections.abc import Mapping, Sequence
from itertools import islice

from scenthound.store.memory.state import State
from scenthound.store.rules import Hope, UrlState, again_rank, rank_after, waits_again
from scenthound.types import Discovery, Ending, GoodPage, Visited


class MemoryVisits(State):
    """Verbs about visits to pages."""

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

    def revisit(self, turns: Mapping[str, int], *, now: float) -> int:
        known = [(self._urls[url], turn) for url, turn in turns.items() if url in self._urls]
        pages = [(url, turn) for url, turn in known if url.state is UrlState.PAGE and url.page]
        for url, turn in pages:
            url.demoted = url.demoted if url.example else again_rank(turn)
            self._visit_again(url)
        return len(pages)

    def revisit_pages(self, urls: Sequence[str], *, priority: float, now: float) -> int:
        known = [self._urls[url] for url in dict.fromkeys(urls) if url in self._urls]
        pages = [url for url in known if url.state is UrlState.PAGE and url.page]
        for url in pages:
            url.hope = Hope(priority)
            self._visit_again(url)
        return len(pages)

    def leave_alone(self, *, now: float) -> int:
        waiting = [
            url
            for url in self._in_state(UrlState.WAITING)
            if waits_again(url.demoted, fetched_before=url.fetched_before, example=url.example)
        ]
        for url in waiting:
            url.state = UrlState.PAGE
            url.demoted = rank_after(url.demoted, url.state)
        return len(waiting)

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
