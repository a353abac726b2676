"""An apprentice that is asked and not followed: its expectations are one column of an order among others."""

from collections.abc import Iterator, Mapping, Sequence

from scenthound.apprentice.crawl_guide import ApprenticeGuide
from scenthound.store.base import Store
from scenthound.types import Distillation, Guidance, Outcome


class AskedApprentice:
    """Let an apprentice learn, drop its priorities, and remember the URLs that it has changed its mind about."""

    def __init__(self, guide: ApprenticeGuide) -> None:
        self._guide = guide
        self._news: dict[str, None] = {}

    def advise(self, outcomes: Sequence[Outcome]) -> list[Guidance]:
        given = self._guide.advise(outcomes)
        for one in given:
            self._news |= dict.fromkeys(one.moves)
        return [Guidance(lesson=one.lesson, links=one.links) if one.moves else one for one in given]

    def hear(self, found: Distillation) -> Mapping[str, float]:
        self._news |= dict.fromkeys(self._guide.hear(found))
        return {}

    def revise(self, store: Store) -> Iterator[Mapping[str, float]]:
        """Let it think everything over, and yield nothing. It counts from there all the same, as its note says."""
        for _ in self._guide.revise(store):
            pass
        return iter(())

    def expected(self, url: str) -> float:
        """Return the relevance that it expects of a URL."""
        return self._guide.expected(url)

    def take_news(self, limit: int) -> list[str]:
        """Return some URLs that it has changed its mind about since the last call, the most promising ones first.

        The order matters only where there are more than `limit`.
        """
        urls = sorted(self._news, key=self.expected, reverse=True) if len(self._news) > limit else list(self._news)
        for url in urls[:limit]:
            del self._news[url]
        return urls[:limit]
