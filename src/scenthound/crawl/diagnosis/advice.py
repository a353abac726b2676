"""Regular looks at a running crawl. Each finding is reported once, kept where others can read it, and dropped when it
passes.

A look takes the latest pages from the store, so it sees them as they are judged now, and goes on after a restart where
it was.
"""

import re
from collections import deque
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

import msgspec

from scenthound.clock import Clock
from scenthound.crawl.diagnosis.diagnose import SEEN, Sight, diagnose
from scenthound.crawl.diagnosis.reader_answers import latest_answers
from scenthound.crawl.engine.awaited_host import awaiting
from scenthound.crawl.engine.hooks import Batch, Hook
from scenthound.crawl.order.forecasts import LATEST, MIXED, Forecast, chosen, kind_of, lead_in
from scenthound.crawl.order.note import order_of
from scenthound.events import Finding, Listener
from scenthound.settings.schema import Settings
from scenthound.store.base import Store
from scenthound.taxonomy import Topics

FINDINGS: Final = "findings"  # a note: what held at the last look
FORECASTS: Final = "forecasts since"  # a note: the version of the critic, and the last lesson before it was at work
LESSONS: Final = 2 * LATEST  # looked at after a start: redirects, and links drawn by chance, are among them
HOSTS: Final = 100  # looked at, those with most waiting: a domain that takes everything may have many
EVERY_PAGES: Final = 50
EVERY_SECONDS: Final = 10.0
PAUSE: Final = (
    30.0  # seconds without a look, after which speed is measured afresh: the crawl was paused, or the machine asleep
)
AGAIN: Final = 2000  # pages before a finding that has passed and come back is reported again
TICKS: Final = 1000  # looks remembered


class Wants(Protocol):
    """The critic, as far as a look needs it."""

    @property
    def ready(self) -> bool: ...

    @property
    def topics(self) -> Topics: ...

    @property
    def version(self) -> int:
        """Which critic judges: another one, or other marks, and what was expected before does not count any more."""
        ...


@dataclass(frozen=True, slots=True)
class _Tick:
    at: float
    pages: int
    reasons: dict[str, int]


class Advising(Hook):
    """Look at the crawl after every turn. Most looks are over at once."""

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
        self._lesson = 0  # the last that was looked at
        self._forecasts: deque[Forecast] = deque(maxlen=LATEST)
        self._reasons = b""  # of the last lesson that has a score
        self.findings: tuple[Finding, ...] = ()

    def begin(self) -> None:
        """Take over what held when the crawl stopped, which has been told."""
        self.findings = findings_in(self._store.note(FINDINGS))
        self._told = dict.fromkeys(map(sameness_of, self.findings), 0)

    def after_turn(self, batch: Batch) -> None:
        self.look(batch.pages + batch.pages_again, offline=batch.offline)

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
        kind = kind_of(order_of(self._store))
        if kind:
            self._read_lessons()
        return Sight(
            path=self._path,
            pages=self._store.recent(limit=SEEN),
            census=census,
            now=now,
            topics=self._judging.topics if self._judging is not None else Topics(topics=()),
            accept=crawl.accept if judges else None,
            hosts=self._store.hosts(now=now, limit=HOSTS),
            ticks=[(tick.at, tick.pages) for tick in self._ticks],
            earlier=next((tick.reasons for tick in self._ticks if tick.at >= now - 60.0), {}),
            left=max(0, crawl.pages - census.pages) if crawl.pages else None,
            offline=offline,
            order=crawl.order,
            forecasts=tuple(self._forecasts) if kind else (),
            lead=lead_in(self._reasons) if kind == MIXED and self._reasons else None,
            share=self._settings.apprentice.domain_share,
            locked=self._settings.fetch.locked,
            awaited=awaiting(self._store, now=now),
            answers=latest_answers(Path(self._path)),
        )

    def _read_lessons(self) -> None:
        """Take in the lessons since the last look. Forecasts made under another critic do not count any more."""
        last, version = self._store.last_lesson(), str(self._judging.version if self._judging is not None else 0)
        noted, _, since = (self._store.note(FORECASTS) or "").partition(" ")
        if noted != version:
            since = str(last)
            self._store.note(FORECASTS, f"{version} {since}")
            self._forecasts.clear()
        # Each lesson is read once: it comes with all links and words of its page, which are not needed here.
        new = self._store.lessons(after=max(int(since), last - LESSONS, self._lesson), limit=LESSONS)
        self._forecasts.extend(chosen(new))
        self._reasons = next((one.reasons for one in reversed(new) if one.score is not None), self._reasons)
        self._lesson = last

    def _take(self, found: list[Finding]) -> None:
        before = set(map(sameness_of, self.findings))
        for one in found:
            key = sameness_of(one)
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


def sameness_of(one: Finding) -> tuple[str, str]:
    """Return by what two findings are the same news: numbers change from look to look."""
    return one.kind, re.sub(r"\d+", "0", one.sentence)
