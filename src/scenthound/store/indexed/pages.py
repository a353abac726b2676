"""Which pages to compare a new one with, and which links lead to a URL: looked up instead of searched for.

Near-duplicates are found by bands of their fingerprints (Manku, Jain and Das Sarma, WWW 2007): where two of 64 bits
differ in at most three, they agree in one of four bands of 16. These indexes only narrow; what is the same is decided
by the specification.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from scenthound.store.memory.rows import Links, Page, Url
from scenthound.store.rules import bands
from scenthound.types import Ending, Link


class Likenesses:
    """Pages by digest, by declared canonical URL, and by band."""

    def __init__(self) -> None:
        self._digests: defaultdict[str, list[Page]] = defaultdict(list)
        self._canonicals: defaultdict[Url, list[Page]] = defaultdict(list)
        self._bands: defaultdict[int, list[Page]] = defaultdict(list)

    def add(self, page: Page) -> None:
        """Take in a page that was recorded."""
        self._digests[page.digest].append(page)
        if page.canonical is not None:
            self._canonicals[page.canonical].append(page)
        if page.fingerprint is not None and not (page.duplicate_of or page.near_duplicate_of):
            for band in bands(page.fingerprint):
                self._bands[band].append(page)

    def of(self, page: Page) -> list[Page]:
        """Return all pages that a new one may repeat, in fetch order."""
        found = [*self._digests.get(page.digest, ())] if page.digest else []
        if page.canonical is not None:
            found += self._canonicals.get(page.canonical, ())
            if page.canonical.page is not None and page.canonical.page.ending is Ending.PAGE:
                found.append(page.canonical.page)
        if page.fingerprint is not None:
            for band in bands(page.fingerprint):
                found += self._bands.get(band, ())
        return sorted(filter(_is_current, found), key=lambda old: old.n)

    def first(self, digest: str) -> Page | None:
        """Return the earliest page with a digest."""
        return next(filter(_is_current, self._digests.get(digest, ())), None)


def _is_current(page: Page) -> bool:
    """Tell whether a page is still what its URL gave the last time."""
    return page.url.page is page


class Citations:
    """Links by the URL that they lead to. They are sorted in when somebody asks, which in most crawls is once."""

    def __init__(self, links: Mapping[int, Links]) -> None:
        self._links = links
        self._to: defaultdict[Url, list[tuple[Url, Link]]] = defaultdict(list)
        self._new: list[Url] = []
        self._valid = True

    def add(self, source: Url) -> None:
        """Take in the links of a page."""
        self._new.append(source)

    def forget(self) -> None:
        """Start again at the next question, because a page has other links than before."""
        self._valid = False

    def of(self, url: Url, known: Iterable[Url]) -> list[tuple[Url, Link]]:
        """Return the links to a URL, by the age of the URLs on whose pages they stand."""
        if not self._valid:
            self._to.clear()
            self._new = [source for source in known if source.id in self._links]
            self._valid = True
        for source in self._new:
            for target, link in self._links[source.id]:
                self._to[target].append((source, link))
        self._new.clear()
        return sorted(self._to.get(url, ()), key=lambda citation: citation[0].id)
