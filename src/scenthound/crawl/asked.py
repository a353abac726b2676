"""An apprentice that is asked and not followed: what it expects of URLs is one column of an order among others."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from scenthound.apprentice.guide import ApprenticeGuide
from scenthound.store.base import Store
from scenthound.types import Distillation, Outcome


class AskedApprentice:
    """Let an apprentice learn, keep what it would tell the store, and say of which URLs it thinks otherwise."""

    def __init__(self, guide: ApprenticeGuide) -> None:
        self._guide = guide
        self._news: dict[str, None] = {}

    def score(self, outcomes: Sequence[Outcome]) -> list[Outcome]:
        scored = self._guide.score(outcomes)
        for one in scored:
            self._news |= dict.fromkeys(one.moves)
        return [replace(one, moves={}) if one.moves else one for one in scored]

    def hear(self, found: Distillation) -> Mapping[str, float]:
        self._news |= dict.fromkeys(self._guide.hear(found))
        return {}

    def revise(self, store: Store, *, now: float) -> None:
        self._guide.revise(_Aside(store), now=now)

    def expected(self, url: str) -> float:
        """Return what it expects of a URL."""
        return self._guide.expected(url)

    def news(self, limit: int) -> list[str]:
        """Return some URLs of which it thinks otherwise since it was last asked; those of which it expects most, if there are more."""
        urls = sorted(self._news, key=self.expected, reverse=True) if len(self._news) > limit else list(self._news)
        for url in urls[:limit]:
            del self._news[url]
        return urls[:limit]


class _Aside:
    """Takes what the store shall not be told. That everything was told is noted all the same: an apprentice counts from there."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def move(self, priorities: Mapping[str, float], *, now: float) -> int:
        return 0

    def note(self, key: str, value: str | None = None) -> str | None:
        return self._store.note(key, value)
