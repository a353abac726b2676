"""What a running crawl tells about itself: snapshots while it runs, a summary when it stops.

The crawl calls a listener it was given; the terminal view, plain lines and the log are such listeners.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from scenthound.types import Census, Change


class StopCause(StrEnum):
    """Why a crawl stopped."""

    PAGES = "page budget reached"
    LEARNT = "the examples are fetched and learnt from"
    MINUTES = "time budget reached"
    FRESH = "all pages that were due are visited"
    DRY = "frontier dry"
    OFFLINE = "no server can be reached from here"
    PATIENCE = "every host that is left asks for a longer rest"
    INTERRUPTED = "interrupted"
    DISK_FULL = "disk full"


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """Something that the user should read once, in one line (a missing contact, a repaired archive)."""

    text: str


class FindingKind(StrEnum):
    """What a crawl may notice about itself."""

    STAGNATION = "stagnation"  # hardly a page on topic, though much waits
    FALLING_RELEVANCE = "falling-relevance"
    FALLING_SPEED = "falling-speed"
    NEARLY_DRY = "nearly-dry"  # soon nothing is left, short of the budget
    UNDECIDED = "undecided"  # the critic can hardly tell
    ONE_DOMAIN = "one-domain"  # one registered domain takes the budget
    POOR_FORECASTS = "poor-forecasts"  # what the apprentice expects does not come


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding(Notice):
    """What the crawl has noticed about itself, why it thinks so, and what would help (`crawl.diagnosis`).

    `evidence` is in numbers, `command` can be typed as it stands and `undo` takes it back; either may be missing. `text` says
    all of it in lines.
    """

    kind: FindingKind
    sentence: str
    evidence: tuple[str, ...]
    command: str = ""
    undo: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """The crawl at one moment. `eta` is seconds to the page or time budget at the present speed."""

    elapsed: float
    census: Census
    pages_this_run: int
    pages_per_second: float
    fetching: int
    reading: int
    recording: int
    doing: str
    last_url: str
    eta: float | None
    findings: tuple[Finding, ...] = ()  # that hold now


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """How a run ended."""

    cause: StopCause
    pages_this_run: int
    elapsed: float
    census: Census
    detail: str = ""
    new_pages: int = 0  # of those in this run, pages that were not there before
    changes: dict[Change, int] | None = None  # what visits to the others found
    stages: dict[str, float] | None = None  # seconds spent by stage, over all pages of this run
    findings: tuple[Finding, ...] = ()  # that held at its end


Event = Progress | Notice
Listener = Callable[[Event], None]


def ignore(_event: Event) -> None:
    """Listen to nothing."""
