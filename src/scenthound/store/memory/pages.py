"""Pages in memory, as the engine and the critic need them."""

from collections.abc import Sequence

from scenthound.store.memory.rows import Page, Url, chain_end, held_of
from scenthound.store.memory.state import State
from scenthound.store.rules import UrlState, evenly
from scenthound.types import Ending, HeldPage, Original, ShapeYield


class MemoryPages(State):
    """Verbs about fetched pages."""

    def originals(self, digests: Sequence[str]) -> dict[str, Original]:
        latest_first = reversed(self._fetched(Ending.PAGE))
        return {page.digest: page.original(url.url) for url, page in latest_first if page.digest in digests}

    def shape_yields(self, keys: Sequence[tuple[str, str]]) -> dict[tuple[str, str], ShapeYield]:
        return {key: self._shapes.get(key, ShapeYield()) for key in keys}

    def archived(self) -> dict[str, int]:
        return dict(self._archived)

    def held(self, urls: Sequence[str]) -> dict[str, HeldPage]:
        ends = {url: chain_end(self._urls[url]) for url in urls if url in self._urls}
        return {url: held_of(end, end.page) for url, end in ends.items() if end.page and end.page.ending is Ending.PAGE}

    def neighbours(self, urls: Sequence[str], *, limit: int) -> list[HeldPage]:
        centre = set(self._ends(urls))
        linked = {target for end in centre for target in self._links_of(end).targets}
        found = [
            (url, page)
            for url, page in self._fetched(Ending.PAGE)
            if not url.example
            and url not in centre
            and (url in linked or not centre.isdisjoint(self._links_of(url).targets))
        ]
        return [held_of(url, page) for url, page in found[:limit]]

    def cited(self, urls: Sequence[str], *, limit: int) -> list[str]:
        targets = [target for end in self._ends(urls) for target in self._links_of(end).targets]
        unasked = [url.url for url in targets if url.state in (UrlState.WAITING, UrlState.REFUSED) and not url.page]
        return list(dict.fromkeys(unasked))[:limit]

    def drawn(self, *, limit: int, first: int) -> list[HeldPage]:
        return evenly([held_of(url, page) for url, page in self._distinct()[:first]], limit)

    def distinct_pages(self) -> int:
        return len(self._distinct())

    def _ends(self, urls: Sequence[str]) -> list[Url]:
        return list(dict.fromkeys(chain_end(self._urls[url]) for url in urls if url in self._urls))

    def _distinct(self) -> list[tuple[Url, Page]]:
        fetched = self._fetched(Ending.PAGE)
        return [
            (url, page) for url, page in fetched if page.terms and not (page.duplicate_of or page.near_duplicate_of)
        ]
