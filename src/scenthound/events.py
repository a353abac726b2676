"""What a running crawl reports: snapshots while it runs, a summary when it stops.

The crawl calls a listener. The terminal view, the plain lines and the log are listeners.
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
    """A line that the user should read once (a missing contact, a repaired archive)."""

    text: str


class FindingKind(StrEnum):
    """What a crawl can notice about itself."""

    STAGNATION = "stagnation"  # almost no page is on topic, although many URLs wait
    FALLING_RELEVANCE = "falling-relevance"
    FALLING_SPEED = "falling-speed"
    NEARLY_DRY = "nearly-dry"  # the frontier runs out before the budget is used
    UNDECIDED = "undecided"  # the critic is unsure about most pages
    ONE_DOMAIN = "one-domain"  # one registered domain takes most fetches
    POOR_FORECASTS = "poor-forecasts"  # the apprentice expects what does not come true
    CONTRADICTED = "critic-contradicted"  # a reader's answers and the critic disagree
    UNCHECKED = "harvest-unchecked"  # one topic on one site, and nothing but the critic's opinion


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding(Notice):
    """What the crawl has noticed about itself, with evidence and a remedy (`crawl.diagnosis.diagnose`).

    `evidence` has the numbers. `command` can be typed as it is, and `undo` takes it back; either may be empty. `text`
    has all of it in lines.
    """

    kind: FindingKind
    sentence: str
    evidence: tuple[str, ...]
    command: str = ""
    undo: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """The crawl at one moment. `eta` is the seconds until a budget is used up, at the present speed."""

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
    findings: tuple[Finding, ...] = ()  # that are true now


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """How a run ended."""

    cause: StopCause
    pages_this_run: int
    elapsed: float
    census: Census
    detail: str = ""
    new_pages: int = 0  # pages of this run that are new
    changes: dict[Change, int] | None = None  # the results of visits to known pages
    stages: dict[str, float] | None = None  # seconds spent by stage, over all pages of this run
    findings: tuple[Finding, ...] = ()  # that were true at the end


Event = Progress | Notice
Listener = Callable[[Event], None]


def ignore(_event: Event) -> None:
    """Ignore all events."""
