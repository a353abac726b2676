"""The order of the frontier in memory."""

from collections.abc import Mapping, Sequence
from itertools import islice

from scenthound.store.memory.rows import Page, Tally, Url, promising, waiting_of
from scenthound.store.memory.state import State
from scenthound.store.rules import GIVEN, HOPE_BACKWARDS, VISITED, Hope, UrlState, grained
from scenthound.types import Bearings, LinkKind, PageScore, Reason, Rescored, Waiting


class MemoryPriorities(State):
    """Verbs about the order of the frontier."""

    def move(self, priorities: Mapping[str, float], *, now: float) -> int:
        return self._move(priorities)

    def waiting(self, *, after: int = 0, limit: int) -> list[Waiting]:
        later = islice(self._urls.values(), after, None)  # ids count from 1, in this order
        found = (url for url in later if url.state is UrlState.WAITING and not url.example)
        return [waiting_of(url) for url in islice(found, limit)]

    def bearings(self, *, nofollow: bool, after: int = 0, limit: int, host: str = "") -> list[Bearings]:
        later = islice(self._urls.values(), after, None)  # ids count from 1, in this order
        found = (
            url for url in later if url.state is UrlState.WAITING and not url.example and host in ("", url.host.name)
        )
        tally = self._tally()
        return [self._bearings(url, tally, nofollow=nofollow) for url in islice(found, limit)]

    def bearings_of(self, urls: Sequence[str], *, nofollow: bool) -> list[Bearings]:
        tally = self._tally()
        known = (self._urls[url] for url in dict.fromkeys(urls) if url in self._urls)
        return [self._bearings(url, tally, nofollow=nofollow) for url in known if not url.example]

    def _bearings(self, url: Url, tally: Tally, *, nofollow: bool) -> Bearings:
        citing = promising(self._citing(url, nofollow=nofollow))
        again = url.page if url.fetched_before else None
        relevance = hope_of_citing(citing, blend=True).priority if citing else _hope_backwards(url)
        relevance = None if url.found_by is LinkKind.SEED else relevance
        pages = [again.url.url] if again else [page.url.url for page in citing]
        scores = [self._scores.get(page, PageScore(url=page)) for page in pages]
        return Bearings(
            id=url.id,
            url=url.url,
            host=url.host.name,
            tries=url.tries,
            depth=url.depth,
            relevance=again.relevance if again and again.relevance is not None else relevance,
            server_load=tally.pages[url.host.name],
            last_visited=again.fetched_at if again else 0.0,
            visits=sum(attempt.ending in VISITED for attempt in url.attempts) if again else 0,
            hub=max((score.hub for score in scores), default=0.0),
            authority=max((score.authority for score in scores), default=0.0),
        )

    def rescore(
        self, *, by_promise: bool, blend: bool, nofollow: bool, now: float, after: int = 0, limit: int
    ) -> Rescored:
        later = islice(self._urls.values(), after, None)  # ids count from 1, in this order
        piece = list(islice(filter(_is_movable, later), limit))
        citing = [promising(self._citing(url, nofollow=nofollow)) for url in piece]
        moved = [
            _move(url, pages, by_promise=by_promise, blend=blend) for url, pages in zip(piece, citing, strict=True)
        ]
        return Rescored(moved=sum(moved), after=piece[-1].id if len(piece) == limit else None)


def _is_movable(url: Url) -> bool:
    """Tell whether judgements can move a URL."""
    if url.example or url.found_by in GIVEN or url.fetched_before:
        return False
    return url.state is UrlState.WAITING or (url.state is UrlState.REFUSED and url.reason is Reason.OFF_TOPIC)


def _move(url: Url, citing: Sequence[Page], *, by_promise: bool, blend: bool) -> bool:
    before = (url.state, url.hope, url.via)
    if not citing:
        url.state, url.reason, url.detail = UrlState.REFUSED, Reason.OFF_TOPIC, ""
    else:
        url.state, url.reason, url.detail, url.via = UrlState.WAITING, None, "", citing[0].url
        if by_promise:
            url.hope = hope_of_citing(citing, blend=blend)
    return before != (url.state, url.hope, url.via)


def hope_of_citing(citing: Sequence[Page], *, blend: bool) -> Hope:
    promises = [page.standing.promise or 0.0 for page in citing if page.standing]
    if not blend:
        return Hope(promises[0])
    relevances = (
        promise if page.relevance is None else page.relevance for page, promise in zip(citing, promises, strict=True)
    )
    return Hope(promises[0], sum(map(grained, relevances)), len(citing))


def _hope_backwards(url: Url) -> float | None:
    """Return what is hoped of a URL because it is said to cite good pages."""
    cited = [page.page.relevance for page in url.cites if page.page and page.page.relevance is not None]
    return HOPE_BACKWARDS * max(cited) if cited else None
