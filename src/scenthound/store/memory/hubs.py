"""Hubs and authorities in memory."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import fsum

from scenthound.store.memory.rows import Url
from scenthound.store.memory.state import State
from scenthound.store.rules import UrlState, endorses
from scenthound.types import Distillation, Ending, LinkYield, PageScore, Unvisited


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """A page or redirect as the distiller sees it; `same` is where it leads or what it repeats."""

    id: int
    url: str
    host: str
    domain: str
    is_page: bool
    relevance: float | None
    same: int | None
    cites: tuple[int, ...]


class MemoryHubs(State):
    """Verbs about hubs and authorities."""

    def distilled(
        self, found: Distillation, scores: Sequence[PageScore], *, moves: Mapping[str, float], now: float
    ) -> int:
        version = len(self._distillations) + 1
        hubs = tuple(PageScore(url=hub.url, hub=hub.hub) for hub in found.hubs if hub.url in self._urls)
        self._distillations.append(replace(found, version=version, hubs=hubs))
        self._scores = {score.url: score for score in scores if score.url in self._urls}
        self._move(moves)
        return version

    def distillations(self, *, after: int = 0) -> list[Distillation]:
        return self._distillations[after:]

    def last_distillation(self) -> Distillation | None:
        return self._distillations[-1] if self._distillations else None

    def page_scores(self, urls: Sequence[str]) -> dict[str, PageScore]:
        return {url: self._scores[url] for url in urls if url in self._scores}

    def hubs(self, *, limit: int) -> list[PageScore]:
        return self._best(lambda score: score.hub, limit)

    def authorities(self, *, limit: int) -> list[PageScore]:
        return self._best(lambda score: score.authority, limit)

    def unvisited(self, urls: Sequence[str]) -> list[Unvisited]:
        cited: dict[Url, dict[str, None]] = {}
        for page in dict.fromkeys(urls):
            for target, link in self._links_of(self._urls[page]) if page in self._urls else ():
                if endorses(link) and _is_new(target):
                    cited.setdefault(target, {})[page] = None
        return [
            Unvisited(url=url.url, priority=url.priority, cited_by=tuple(cited[url]))
            for url in sorted(cited, key=lambda url: url.id)
        ]

    def link_yields(self, urls: Sequence[str]) -> dict[str, LinkYield]:
        found = {url: self._link_yield(self._urls[url]) for url in urls if url in self._urls}
        return {url: one for url, one in found.items() if one.pages}

    def link_count(self) -> int:
        return sum(len(links.links) for links in self._links.values())

    def linked(self) -> Iterator[Member]:
        """Yield all pages and redirects in fetch order, for a distillation; a database has queries for this."""
        for url, page in self._fetched(Ending.PAGE, Ending.REDIRECT):
            same = page.target if page.ending is Ending.REDIRECT else page.duplicate_of or page.near_duplicate_of
            yield Member(
                id=url.id,
                url=url.url,
                host=url.host.name,
                domain=url.host.domain,
                is_page=page.ending is Ending.PAGE,
                relevance=page.relevance,
                same=same.id if same else None,
                cites=tuple(target.id for target, link in self._links_of(url) if endorses(link)),
            )

    def _best(self, worth: Callable[[PageScore], float], limit: int) -> list[PageScore]:
        some = [score for score in self._scores.values() if worth(score) > 0]
        return sorted(some, key=lambda score: (-worth(score), self._urls[score.url].id))[:limit]

    def _link_yield(self, url: Url) -> LinkYield:
        targets = {target.id: target.page for target, link in self._links_of(url) if endorses(link)}
        pages = [page for page in targets.values() if page and page.ending is Ending.PAGE]
        came = [page.relevance for page in pages if page.relevance is not None]
        return LinkYield(pages=len(came), relevance=fsum(came))


def _is_new(url: Url) -> bool:
    return url.state is UrlState.WAITING and not url.fetched_before and not url.example
