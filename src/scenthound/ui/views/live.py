"""Keeping an open page up to date: one look for all its parts, and what they show sent to the browser together.

Whatever is sent, NiceGUI has the browser go through the whole page again: 19 ms of the Monitor's 50 in headless
Chromium, and as much for each part that comes by itself. So parts first fetch what they need and then all change at
once.
"""

from collections.abc import Awaitable, Callable
from typing import Final

from nicegui import ui

from scenthound.ui.watch import Look, Watch

EVERY: Final = 2.0  # seconds between two looks
# At this speed a crawl is held up by the processors, which the browser and it may have to share, and one more
# page is hardly seen among so many.
FAST: Final = 20.0  # pages a second
EVERY_FAST: Final = 5.0  # seconds

Show = Callable[[Look], None]
Prepare = Callable[[Look], Awaitable[Callable[[], None]]]


class Live:
    """The parts of one open page. `show` and `prepare` add parts while it is laid out."""

    def __init__(self, watch: Watch) -> None:
        self._watch = watch
        self._shows: list[Show] = []
        self._prepares: list[Prepare] = []
        self._seen: object = None
        self._behind: object = None
        self._timer: ui.timer | None = None

    def show(self, show: Show) -> None:
        """Call `show` now, if there was a look before, and after each change."""
        self._shows.append(show)
        if self._watch.last_look is not None:
            show(self._watch.last_look)
        if self._timer is None:
            self._timer = ui.timer(EVERY, self.look, immediate=True)

    def prepare(self, prepare: Prepare) -> None:
        """The same for parts that must be fetched first. `prepare` returns the function that shows them."""
        self._prepares.append(prepare)

    async def look(self) -> None:
        """Look, and show what has changed."""
        found = await self._watch.look()
        key = (found.engine, found.census, found.pulse, found.judged)
        if key == self._seen and not await self._news_behind():
            return
        if self._seen is None:  # the numbers of a page that was just opened wait for nothing
            self._show(found)
        self._seen = key
        self._behind = self._watch.last_background
        prepared = [await prepare(found) for prepare in self._prepares]
        self._show(found)
        for shown in prepared:
            shown()
        if self._timer is not None:
            self._timer.interval = _pause(found)

    async def _news_behind(self) -> bool:
        """Return whether the slow parts have changed. They are read less often than the quick ones."""
        if not self._prepares:
            return False
        if self._watch.background_is_behind:
            await self._watch.background()
        return self._watch.last_background != self._behind

    def _show(self, found: Look) -> None:
        for show in self._shows:
            show(found)


def _pause(found: Look) -> float:
    """Return the seconds until the next look."""
    fast = found.engine.running and found.pulse is not None and found.pulse.pages_per_second > FAST
    return EVERY_FAST if fast else EVERY
