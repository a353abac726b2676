"""How many links lie between a fetched page and the nearest relevant one, as far as the crawl has seen.

Diligenti et al. (VLDB 2000) ask a search engine for the pages that link to a page; here this is known for fetched
pages. The context graph and the levels of ACHE are both such distances.
"""

from collections.abc import Iterable, Iterator


class Trails:
    """The links on the fetched pages, followed backwards.

    >>> trails = Trails()
    >>> trails.add("hub", ["list", "news"], relevant=False)
    >>> trails.add("list", ["wren"], relevant=False)
    >>> trails.add("wren", [], relevant=True)
    >>> trails.add("news", [], relevant=False)
    >>> trails.steps(most=2)
    {'wren': 0, 'list': 1, 'hub': 2}
    """

    def __init__(self) -> None:
        self._citing: dict[str, list[str]] = {}
        self._relevant: list[str] = []

    def add(self, url: str, cited: Iterable[str], *, relevant: bool) -> None:
        """Add a fetched page and the URLs that it links to."""
        for target in cited:
            self._citing.setdefault(target, []).append(url)
        if relevant:
            self._relevant.append(url)

    def steps(self, most: int) -> dict[str, int]:
        """Return how far each page is from a relevant one, for those at most so many links away; nearest first."""
        found = dict.fromkeys(self._relevant, 0)
        ring = self._relevant
        for distance in range(1, most + 1):
            ring = [url for url in dict.fromkeys(self._cited_by(ring)) if url not in found]
            found |= dict.fromkeys(ring, distance)
        return found

    def _cited_by(self, urls: Iterable[str]) -> Iterator[str]:
        for url in urls:
            yield from self._citing.get(url, ())
