"""The schedule of `watch`, lived through in virtual time: rounds, restarts, missed rounds, other crawls, other clocks."""

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.errors import DirectoryError, SettingError
from scenthound.services.news.watch_loop import WatchLoop
from scenthound.services.news.watch_process import watch_state, watching
from scenthound.settings.time_span import seconds_of
from tests.services.asked_crawl import asked_crawl

HOUR = 3600.0
START = 1_800_000_000.0


@dataclass(slots=True)
class Life:
    """A machine on which a watch runs until an hour; each round takes some time."""

    directory: CrawlDirectory
    now: float = START
    until: float = START
    takes: float = 0.0
    rounds: list[float] = field(default_factory=list)
    told: list[str] = field(default_factory=list)
    sent: int = 0
    finishes: bool = True
    on_wait: Callable[[], object] = lambda: None

    def watch(self, *, hours: float, every: str = "6h", once: bool = False) -> bool:
        self.until = self.now + hours * HOUR
        loop = WatchLoop(
            directory=self.directory,
            every=seconds_of(every, of="--every"),
            now=lambda: self.now,
            wait=self._wait,
            do_round=self._round,
            send=self._send,
            tell=self.told.append,
        )
        return loop.run_once(only_if_due=True) if once else loop.run()

    @property
    def hours(self) -> list[float]:
        return [(at - START) / HOUR for at in self.rounds]

    def _wait(self, seconds: float) -> bool:
        assert seconds > 0
        self.on_wait()
        self.now += seconds
        return self.now >= self.until

    def _round(self) -> bool:
        self.rounds.append(self.now)
        self.now += self.takes
        return self.finishes

    def _send(self) -> None:
        self.sent += 1


@pytest.fixture
def life(tmp_path: Path) -> Life:
    return Life(asked_crawl(tmp_path / "mine"))


def test_rounds_lie_on_a_grid_however_long_each_takes(life: Life) -> None:
    life.takes = 1.5 * HOUR
    assert life.watch(hours=25)
    assert life.hours == [0, 6, 12, 18, 24]
    assert life.sent > 100


def test_a_restart_goes_on_where_it_was(life: Life) -> None:
    life.watch(hours=8)
    life.watch(hours=8)
    assert life.hours == [0, 6, 12]
    assert watch_state(life.directory).due == START + 18 * HOUR


def test_of_rounds_that_were_missed_one_is_made_up_for(life: Life) -> None:
    life.watch(hours=1)
    life.now += 60 * HOUR
    life.watch(hours=12)
    assert life.hours == [0, 61, 66, 72]


def test_a_round_that_was_interrupted_stays_due(life: Life) -> None:
    life.finishes = False
    assert not life.watch(hours=1)
    life.finishes = True
    life.now += 60.0
    life.watch(hours=1)
    assert life.hours == [0, 60 / HOUR]


def test_another_span_counts_from_the_last_round(life: Life) -> None:
    life.watch(hours=2)
    life.watch(hours=3, every="3h")
    assert life.hours == [0, 3]


def test_a_clock_that_was_ahead_puts_nothing_off(life: Life) -> None:
    life.now += 1000 * HOUR
    life.watch(hours=1)
    life.now = START
    life.watch(hours=7)
    assert life.hours == [1000, 6]


def test_once_does_nothing_before_it_is_due(life: Life) -> None:
    assert life.watch(hours=0, once=True)
    life.now += HOUR
    assert life.watch(hours=0, once=True)
    assert life.told[-1].startswith(f"nothing is due in {life.directory.path} before ")
    life.now += 5 * HOUR
    assert life.watch(hours=0, once=True)
    assert life.hours == [0, 6]


def test_a_round_waits_for_a_crawl_that_runs_here(life: Life) -> None:
    with ExitStack() as crawl:
        crawl.enter_context(life.directory.lock())
        waits = iter([lambda: None, lambda: None, crawl.close])
        life.on_wait = lambda: next(waits, lambda: None)()
        life.watch(hours=1)
    assert life.hours == [6 / HOUR]
    assert any("the round waits until it has ended" in line for line in life.told)


def test_only_one_process_watches_a_crawl(life: Life) -> None:
    with watching(life.directory):
        assert watch_state(life.directory).running is False or watch_state(life.directory).process is not None
        with pytest.raises(DirectoryError, match="is already watched by process"), watching(life.directory):
            pass
    assert not watch_state(life.directory).running


@pytest.mark.parametrize("text", ["", "6", "6x", "0h", "-1h", "30s", "1e9w", "six hours", "6 h 5 m"])
def test_a_span_that_cannot_be_used_is_refused(text: str) -> None:
    with pytest.raises(SettingError, match="such as 30m, 6h, 1d or 1w"):
        seconds_of(text, of="--every")
