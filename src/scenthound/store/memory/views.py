"""A crawl in memory, as people see it."""

from collections import Counter
from collections.abc import Iterator, Sequence

from scenthound.parse.urls import origin_of
from scenthound.store.memory.rows import Url, recent_of, row_of
from scenthound.store.memory.state import State
from scenthound.store.rules import CITATIONS_SHOWN, HostState, UrlState
from scenthound.types import Census, Citation, Ending, LostLink, PageRow, RecentPage, Story


class MemoryViews(State):
    """Verbs that only read."""

    def census(self, *, now: float) -> Census:
        tally = self._tally()
        urls = self._urls.values()
        hosts = Counter(self._host_state(host, tally, now) for host in self._hosts.values())
        states = Counter(url.state for url in urls)
        pages = [url.page for url in urls if url.page and url.page.ending is Ending.PAGE]
        judged = [page.relevance for page in pages if page.counts and page.relevance is not None]
        return Census(
            pages=sum(url.counted for url in urls),
            waiting=states[UrlState.WAITING],
            claimed=states[UrlState.CLAIMED],
            redirects=states[UrlState.REDIRECT],
            failed=states[UrlState.FAILED],
            known=len(urls),
            duplicates=sum(page.duplicate_of is not None for page in pages),
            near_duplicates=sum(page.near_duplicate_of is not None for page in pages),
            relevance_sum=sum(judged),
            judged=len(judged),
            hosts=len(self._hosts),
            hosts_ready=hosts[HostState.READY],
            hosts_resting=hosts[HostState.RESTING],
            hosts_busy=hosts[HostState.BUSY],
            hosts_parked=hosts[HostState.PARKED],
            hosts_bad=hosts[HostState.BAD],
            hosts_capped=hosts[HostState.CAPPED],
            waiting_on_bad=sum(url.state is UrlState.WAITING and url.host.bad for url in urls),
            next_due=self._due_next(now),
            reasons=dict(Counter(url.reason.value for url in urls if url.reason)),
        )

    def story(self, url: str, *, now: float) -> Story | None:
        known = self._urls.get(url)
        if known is None:
            return None
        citing = self._citations(known)
        return Story(
            url=url,
            state=known.state,
            host=self._view(known.host, self._tally(), now),
            priority=known.priority,
            demoted=known.demoted,
            depth=known.depth,
            hops=known.hops,
            tries=known.tries,
            found_at=known.found_at,
            found_by=known.found_by,
            reason=known.reason,
            detail=known.detail,
            citations=tuple(
                Citation(url=source.url, kind=link.kind, text=link.text, nofollow=link.nofollow)
                for source, link in citing[:CITATIONS_SHOWN]
            ),
            citing_count=len({source.url for source, _ in citing}),
            attempts=known.attempts,
            robots=self._robots.get(origin_of(url)),
            page=row_of(known, known.page) if known.page else None,
            visits=known.visits,
            lost=tuple(LostLink(url=source.url, at=at) for source, at in _latest(known.lost)),
            cites=tuple(good.url for good in known.cites[:CITATIONS_SHOWN]),
        )

    def pages(
        self, *, after: int = 0, everything: bool = False, min_relevance: float | None = None
    ) -> Iterator[PageRow]:
        for url, page in self._fetched(*Ending):
            row = row_of(url, page)
            wanted = page.counts or (page.standing is not None and page.standing.promise is not None)
            ended = wanted and (row.ending is Ending.PAGE or (row.ending is Ending.FAILED and row.status > 0))
            relevant = min_relevance is None or (row.relevance is not None and row.relevance >= min_relevance)
            if row.n > after and (everything or ended) and relevant:
                yield row

    def recent(self, *, limit: int) -> list[RecentPage]:
        counting = [(url, page) for url, page in self._fetched(Ending.PAGE) if page.counts]
        return [recent_of(url, page) for url, page in counting[max(0, len(counting) - limit) :]]


def _latest(lost: Sequence[tuple[Url, float]]) -> list[tuple[Url, float]]:
    """Return the losses to be shown, the latest last."""
    return sorted(lost, key=lambda loss: (loss[1], loss[0].id))[-CITATIONS_SHOWN:]
