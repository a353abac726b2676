"""What distillation and the links of pages say of their worth: hubs, authorities, yields."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class PageScore:
    """How good a page is as a hub and as an authority: its share of the prestige of all hubs and authorities."""

    url: str
    hub: float = 0.0
    authority: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Distillation:
    """What a distillation beside the crawl found, and when it came to count.

    `at` is the moment of its snapshot, which held `links` links and pages with `relevance` in all, judged by `critic`;
    `pages` of them were looked at. `lesson` is the last one of the log before it counted. `hubs` are those that count,
    best first.
    """

    version: int = 0
    at: float
    critic: int = 0
    lesson: int = 0
    pages: int = 0
    links: int = 0
    relevance: float = 0.0
    site: str = ""
    hubs: tuple[PageScore, ...] = ()

    def strengths(self) -> dict[str, float]:
        """Return the scores of the hubs by URL, each as a part of that of the best.

        >>> hubs = (PageScore(url="http://a.test/", hub=0.2), PageScore(url="http://b.test/", hub=0.05))
        >>> Distillation(at=0.0, hubs=hubs).strengths()
        {'http://a.test/': 1.0, 'http://b.test/': 0.25}
        """
        best = max((hub.hub for hub in self.hubs), default=0.0)
        return {hub.url: hub.hub / best for hub in self.hubs if hub.hub > 0}


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkYield:
    """What the links of a page have led to: how many judged pages, and their relevance added up."""

    pages: int = 0
    relevance: float = 0.0
