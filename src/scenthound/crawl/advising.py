"""Having a running crawl looked at now and then: what is found is told once, kept where others can read it, and dropped when it passes.

A look takes the latest pages from the store, so that after new judgements it sees them as they are judged now, and so that it
goes on after a restart where it was.
"""

import re
from collections import deque
from dataclasses import dataclass
from typing import Final, Protocol

import msgspec

from scenthound.clock import Clock
from scenthound.config import Settings
from scenthound.crawl.diagnosis import SEEN, Sight, diagnose
from scenthound.events import Finding, Listener
from scenthound.store.base import Store
from scenthound.taxonomy import Topics

FINDINGS: Final = "findings"  # a note: what held at the last look
EVERY_PAGES: Final = 50
EVERY_SECONDS: Final = 10.0
PAUSE: Final = (
    30.0  # seconds without a look, after which speed is measured anew: the crawl was paused, or the machine asleep
)
AGAIN: Final = 2000  # pages after which what has passed and come back is told again
TICKS: Final = 1000  # looks remembered


class Wants(Protocol):
    """Whoever knows which topics are good now."""

    @property
    def ready(self) -> bool: ...

    @property
    def topics(self) -> Topics: ...


@dataclass(frozen=True, slots=True)
class _Tick:
    at: float
    pages: int
    reasons: dict[str, int]


class Advising:
    """Use it from the lane's thread: `look` after every turn; most looks are over at once."""

    def __init__(
        self, *, path: str, settings: Settings, store: Store, clock: Clock, listener: Listener, judging: Wants | None
    ) -> None:
        self._path = path
        self._settings = settings
        self._store = store
        self._clock = clock
        self._listener = listener
        self._judging = judging
        self._ticks: deque[_Tick] = deque(maxlen=TICKS)
        self._pages = 0  # fetched in this run
        self._told: dict[tuple[str, str], int] = {}
        self.findings: tuple[Finding, ...] = ()

    def begin(self) -> None:
        """Take over what held when the crawl stopped, which has been told."""
        self.findings = findings_in(self._store.note(FINDINGS))
        self._told = dict.fromkeys(map(_key, self.findings), 0)

    def look(self, pages: int, *, offline: bool = False) -> None:
        """Look at the crawl if it is time to, after so many more pages."""
        self._pages += pages
        now, last = self._clock.now(), self._ticks[-1] if self._ticks else None
        if last is not None and self._pages - last.pages < EVERY_PAGES and now - last.at < EVERY_SECONDS:
            return
        if self._judging is not None and not self._judging.ready:
            return
        if last is not None and now - last.at > PAUSE:
            self._ticks.clear()
        self._take(diagnose(self._sight(now, offline=offline)))

    def _sight(self, now: float, *, offline: bool) -> Sight:
        census = self._store.census(now=now)
        self._ticks.append(_Tick(now, self._pages, dict(census.reasons)))
        crawl = self._settings.crawl
        judges = self._judging is not None and crawl.focus != "none"
        return Sight(
            path=self._path,
            pages=self._store.recent(limit=SEEN),
            census=census,
            now=now,
            topics=self._judging.topics if self._judging is not None else Topics(topics=()),
            accept=crawl.accept if judges else None,
            hosts=self._store.hosts(now=now),
            ticks=[(tick.at, tick.pages) for tick in self._ticks],
            earlier=next((tick.reasons for tick in self._ticks if tick.at >= now - 60.0), {}),
            left=max(0, crawl.pages - census.pages) if crawl.pages else None,
            offline=offline,
        )

    def _take(self, found: list[Finding]) -> None:
        before = set(map(_key, self.findings))
        for one in found:
            key = _key(one)
            if key not in before and self._pages >= self._told.get(key, -AGAIN) + AGAIN:
                self._told[key] = self._pages
                self._listener(one)
        if tuple(found) != self.findings:
            self.findings = tuple(found)
            self._store.note(FINDINGS, msgspec.json.encode(found).decode())


def findings_in(noted: str | None) -> tuple[Finding, ...]:
    """Return what a note says; nothing if it is of another version."""
    try:
        return tuple(msgspec.json.decode(noted, type=list[Finding])) if noted else ()
    except msgspec.ValidationError:
        return ()


def _key(one: Finding) -> tuple[str, str]:
    """Return by what two findings are the same news: numbers change from look to look."""
    return one.kind, re.sub(r"\d+", "0", one.sentence)
