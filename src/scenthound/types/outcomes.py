"""What a claim led to, as it is written in one transaction, and what the store answers."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from scenthound.types.exchange import ArchiveSpot, Fetch, RobotsAnswer
from scenthound.types.frontier import Claim, Discovery, Standing
from scenthound.types.lessons import Lesson
from scenthound.types.pages import Judgement, Reading
from scenthound.types.reasons import Reason
from scenthound.types.visits import Change


class Ending(StrEnum):
    """What becomes of a claim."""

    PAGE = "page"  # a page was fetched and read
    REDIRECT = "redirect"  # it points elsewhere; the target is among the discoveries
    UNCHANGED = "unchanged"  # 304 to a conditional request
    FAILED = "failed"  # there will be no page, for `reason`
    RETRY = "retry"  # back to the frontier, not before the host's rest is over
    RETURN = "return"  # back to the frontier as it was (robots errand done, or interrupted)


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A request to a host that was not claimed, a hop of a redirected robots.txt, and what it says about that host."""

    host: str
    domain: str
    finished: float
    rest: float
    ip: str = ""
    answered: bool = False
    reason: Reason | None = None  # for which the host is to blame


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """Everything one claim led to, written in one transaction.

    `rest` is how long the host must be left alone after `finished`; `host_delay` its own least gap from now on
    (Crawl-delay, or grown with its response time); `host_failed` counts towards three tries, and any response resets
    that count. `robots` is set by a robots errand, and `calls` if that led to other hosts. `asked` is false where
    nothing was sent. `moves` are new priorities of waiting URLs, found now or earlier: what a guide says of them
    counts, and not who cites them.
    """

    claim: Claim
    ending: Ending
    finished: float
    asked: bool = True
    fetch: Fetch | None = None
    reading: Reading | None = None
    reason: Reason | None = None
    detail: str = ""
    judgement: Judgement | None = None
    standing: Standing | None = None
    discoveries: tuple[Discovery, ...] = ()
    moves: Mapping[str, float] = field(default_factory=dict)
    lesson: Lesson | None = None  # for the log of the apprentice
    shape: str = ""
    spot: ArchiveSpot | None = None
    robots: RobotsAnswer | None = None
    calls: tuple[Call, ...] = ()
    rest: float = 0.0
    host_delay: float | None = None
    host_failed: bool = False
    behind: int = 0  # places by which a URL that goes back is put behind the others
    counts: bool = True  # against the page budget; examples do not


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """What the store found out while recording one outcome."""

    n: int | None = None
    duplicate_of: str | None = None
    near_duplicate_of: str | None = None
    new_urls: int = 0
    host_went_bad: bool = False
    change: Change | None = None  # of a page, since the visit before
