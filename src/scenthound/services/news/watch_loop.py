"""The loop of `watch`: wait until a round is due and no other process crawls here, do the round, note it, repeat.

Time and work are passed in, so that a test lives through a week in a moment.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.services.news.timetable import Noted, due_after, first_due, note, noted_of
from scenthound.settings.time_span import in_words

LOOK: Final = 60.0  # seconds between looks at the clock: a laptop that slept wakes with another time
_POLL: Final = 2.0  # seconds between looks at a crawl that runs here


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchLoop:
    """A watch over one crawl.

    `do_round` returns whether the round was finished: one that was interrupted stays due. `send` sends news that could
    not be sent before. `wait` waits for some seconds and returns whether the watch must end.
    """

    directory: CrawlDirectory
    every: float
    now: Callable[[], float]
    wait: Callable[[float], bool]
    do_round: Callable[[], bool]
    send: Callable[[], object]
    tell: Callable[[str], object]
    needs_engine: bool = True

    def run(self) -> bool:
        """Watch until the end is asked for; return whether all was finished by then."""
        due = self._begin()
        span = in_words(self.every)
        while True:
            when = "now" if due <= self.now() else f"at {moment(due)}"
            self.tell(f"watching {self.directory.path} every {span}; the next round is due {when}")
            if not self._wait_until(due):
                return True
            if not self._wait_until_free():
                return True
            if not self.do_round():
                return False
            due = self._finish(due)

    def run_once(self, *, only_if_due: bool) -> bool:
        """Do one round; with `only_if_due`, only if the schedule says so. Return whether it was finished."""
        due = self._begin()
        if only_if_due and due > self.now():
            self.tell(f"nothing is due in {self.directory.path} before {moment(due)}")
            return True
        if not (self._wait_until_free() and self.do_round()):
            return False
        self._finish(due)
        return True

    def _begin(self) -> float:
        noted = noted_of(self.directory)
        due = first_due(noted, self.every, self.now())
        note(self.directory, Noted(every=self.every, due=due, done=noted.done if noted else 0.0))
        return due

    def _finish(self, due: float) -> float:
        now = self.now()
        following = due_after(due, self.every, now)
        note(self.directory, Noted(every=self.every, due=following, done=now))
        return following

    def _wait_until(self, due: float) -> bool:
        while (left := due - self.now()) > 0:
            if self.wait(min(LOOK, left)):
                return False
            self.send()
            due = min(due, self.now() + self.every)  # the clock was set back
        return True

    def _wait_until_free(self) -> bool:
        """Wait until no other process crawls here; return False if the watch must end first."""
        told = False
        while self.needs_engine and self.directory.is_running():
            if not told:
                found = self.directory.at_work()
                process = f"process {found.process}" if found and found.process else "another process"
                self.tell(f"{process} crawls in {self.directory.path}; the round waits until it has ended")
                told = True
            if self.wait(_POLL):
                return False
        return True


def moment(at: float) -> str:
    """Write a time as people read it."""
    return datetime.fromtimestamp(at).strftime("%Y-%m-%d %H:%M:%S")
