"""Where URLs lie among others, in the in-memory store: all that an order of columns may compare."""

from collections.abc import Sequence
from itertools import islice

from scenthound.store.memory_judging import hope_of_citing, promising
from scenthound.store.memory_prestige import MemoryPrestige
from scenthound.store.memory_values import Tally, Url
from scenthound.store.rules import HOPE_BACKWARDS, VISITED, UrlState
from scenthound.types import Bearings, LinkKind, PageScore


class MemoryBearings(MemoryPrestige):
    """Verbs about the columns of the frontier."""

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


def _hope_backwards(url: Url) -> float | None:
    """Return what is hoped of a URL because it is said to cite good pages."""
    cited = [page.page.relevance for page in url.cites if page.page and page.page.relevance is not None]
    return HOPE_BACKWARDS * max(cited) if cited else None
