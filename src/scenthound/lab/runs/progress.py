"""Events of a running experiment: its progress, failures, and notices."""

from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic

from scenthound.events import Notice
from scenthound.lab.world.world_reader import Watcher, WorldProgress


@dataclass(frozen=True, slots=True, kw_only=True)
class Stride:
    """The progress of a stage. `done` of `total` pages are read, or crawls made, `kept` of them in an earlier run.

    `last` is the latest. `eta` is an estimate of the remaining seconds, None before there is a basis for it.
    """

    stage: str
    done: int
    total: int
    elapsed: float
    eta: float | None = None
    kept: int = 0
    last: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FailedCrawl:
    """A crawl that ended with an error; the others continue."""

    strategy: str
    task: str
    error: str

    def __str__(self) -> str:
        return f'strategy "{self.strategy}" failed on {self.task}: {self.error}'


SOON = 2.0  # seconds before which an estimate would be a guess

Event = Stride | FailedCrawl | Notice
Listener = Callable[[Event], None]


def unheard(_event: Event) -> None:
    """Ignore all events."""


class Pace:
    """The progress of crawls, weighted by their fetches: a large topic takes longer than a small one."""

    def __init__(self, stage: str, total: int, work: int, *, now: float) -> None:
        self._stage = stage
        self._total = total
        self._left = work
        self._begun = now
        self._done = self._kept = self._made = 0

    def step(self, work: int, last: str, *, fresh: bool, now: float) -> Stride:
        """Count one crawl, made now or kept from an earlier run.

        >>> pace = Pace("crawling", 3, 1000, now=0.0)
        >>> pace.step(100, "a", fresh=False, now=0.0).eta, pace.step(300, "b", fresh=True, now=6.0).eta
        (None, 12.0)
        """
        self._done += 1
        self._left -= work
        if fresh:
            self._made += work
        else:
            self._kept += 1
        elapsed = now - self._begun
        return Stride(
            stage=self._stage,
            done=self._done,
            total=self._total,
            kept=self._kept,
            elapsed=elapsed,
            eta=estimate(elapsed, done=self._made, left=self._left),
            last=last,
        )


def estimate(elapsed: float, *, done: int, left: int) -> float | None:
    """Return the estimated remaining seconds; None before there is a basis for it.

    >>> estimate(10.0, done=20, left=30), estimate(0.5, done=1, left=30)
    (15.0, None)
    """
    return elapsed * left / done if done and elapsed >= SOON else None


def reading_watched(listener: Listener) -> Watcher:
    """Return a listener that reports the progress of reading a world."""
    begun = monotonic()

    def watch(progress: WorldProgress) -> None:
        elapsed = monotonic() - begun
        left = progress.total - progress.done
        eta = estimate(elapsed, done=progress.done, left=left)
        stage = f"reading {progress.world}"
        listener(Stride(stage=stage, done=progress.done, total=progress.total, elapsed=elapsed, eta=eta))

    return watch
