"""When the next round of `watch` is due. It is kept in questions.db, so that a restart goes on where the last one was.

Rounds lie on a grid: a round that takes long, or a machine that was off, moves none of those behind it. Of rounds that
were missed, one is made up for.
"""

from dataclasses import dataclass
from math import floor
from typing import Final

import msgspec

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.services.news.question_run import news_of

_FACT: Final = "watch"


@dataclass(frozen=True, slots=True, kw_only=True)
class Noted:
    """The schedule as it was kept: the span between rounds, the next one, and the last that was finished."""

    every: float
    due: float
    done: float = 0.0


def first_due(noted: Noted | None, every: float, now: float) -> float:
    """Return when a watch that starts now has its first round: at once, unless one was done within the span.

    >>> first_due(None, 60.0, 1000.0), first_due(Noted(every=60.0, due=1030.0), 60.0, 1000.0)
    (1000.0, 1030.0)
    >>> first_due(Noted(every=60.0, due=400.0), 60.0, 1000.0)  # was off for ten rounds
    400.0
    """
    if noted is None:
        return now
    due = noted.due if noted.every == every else noted.done + every
    return min(due, now + every)  # a clock that was ahead puts nothing off for longer


def due_after(due: float, every: float, now: float) -> float:
    """Return the first place of the grid that lies ahead.

    >>> due_after(1000.0, 60.0, 1010.0), due_after(400.0, 60.0, 1000.0)
    (1060.0, 1060.0)
    """
    return due + every * (floor((now - due) / every) + 1) if now >= due else due + every


def noted_of(directory: CrawlDirectory) -> Noted | None:
    """Return the schedule of a crawl, if it was ever watched."""
    with news_of(directory) as store:
        kept = store.fact(_FACT)
    return msgspec.json.decode(kept, type=Noted) if kept else None


def note(directory: CrawlDirectory, noted: Noted) -> None:
    """Keep the schedule of a crawl."""
    with news_of(directory) as store:
        store.fact(_FACT, msgspec.json.encode(noted).decode())
