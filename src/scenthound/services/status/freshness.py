"""How fresh a collection is: how often a page has changed, when it is due to be asked for again, and how many pages
are.
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from scenthound.counted import count
from scenthound.crawl.diagnosis.speed import in_seconds
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.services.crawls.reader_store import reading
from scenthound.services.sql.read_connection import asking
from scenthound.services.why.reason_words import moment
from scenthound.store.base import Store
from scenthound.store.sqlite.queries.crawl_progress import fetched_before
from scenthound.types import Change, Story, Visit, Visited

if TYPE_CHECKING:  # with numpy, it would take a quarter of the time of `status`, which seldom needs it
    from scenthound.crawl.revisit.calendar import Outlook

PATIENCE: Final = 5.0  # seconds for which pages that are due are counted
_SHOWN: Final = 10  # visits told of

_FOUND = {
    Change.APPEARED: "it was there",
    Change.UNCHANGED: "unchanged",
    Change.CHANGED: "changed",
    Change.MOVED: "it redirected elsewhere",
    Change.VANISHED: "vanished",
    Change.GONE: "still gone",
    Change.UNSEEN: "could not be seen",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class DueCount:
    """How many pages are due; `whole` is false if there was no time to look at all."""

    pages: int
    whole: bool


def due_count(directory: CrawlDirectory, *, patience: float = PATIENCE) -> DueCount | None:
    """Count the pages that `crawl --revisit` would ask for now; None for a crawl that was never started."""
    if not directory.begun:
        return None
    now, end, pages, settings = time.time(), time.monotonic() + patience, 0, directory.settings().revisit
    with asking(directory) as con:
        if not fetched_before(con, now - 3600 * settings.hours):
            return DueCount(pages=0, whole=True)
    from scenthound.crawl.revisit.calendar import Calendar

    with reading(directory) as store:
        for _ in Calendar(store, settings, now=now).due():
            pages += 1
            if time.monotonic() > end:
                return DueCount(pages=pages, whole=False)
    return DueCount(pages=pages, whole=True)


def due_line(due: DueCount) -> str:
    """Say it in one line.

    >>> due_line(DueCount(pages=1, whole=True)), due_line(DueCount(pages=5, whole=False))
    ('1 page is due to be asked for again (crawl --revisit)', 'at least 5 pages are due to be asked for again (crawl --revisit)')
    """
    are = "is" if due.pages == 1 else "are"
    least = "" if due.whole else "at least "
    return f"{least}{count(due.pages, 'page')} {are} due to be asked for again (crawl --revisit)"


def outlook_of(directory: CrawlDirectory, store: Store, story: Story, *, now: float) -> "Outlook | None":
    """Tell how often a page changes and when it is due; None for what is no page."""
    if story.state != "page" or not story.visits:
        return None
    from scenthound.crawl.revisit.calendar import Calendar

    page = Visited(id=0, url=story.url, host=story.host.host, visits=story.visits)
    return Calendar(store, directory.settings().revisit, now=now).outlook(page)


def history_lines(story: Story, outlook: "Outlook | None", *, now: float) -> Iterator[str]:
    """Tell what visits found, how often the page changes and when it is due."""
    if len(story.visits) > 1:
        yield f"  Visited {len(story.visits)} times:"
        if len(story.visits) > _SHOWN:
            yield f"    {count(len(story.visits) - _SHOWN, 'visit')} before that"
        for visit in story.visits[-_SHOWN:]:
            yield f"    {moment(visit.at)}: {_FOUND[visit.change]}{_links(visit)}"
    if outlook is not None:
        yield (
            f"  It changes about once in {in_days(outlook.span)}{_guess(story)}, and has since the last visit with a "
            f"probability of {outlook.chance:.2f}; {_due(outlook, now)}."
        )
    for lost in story.lost:
        yield f"  {lost.url} no longer linked to it on {moment(lost.at)}."


def _links(visit: Visit) -> str:
    told = ((visit.gained, "gained"), (visit.lost, "lost"))
    return "".join(f", {count(number, 'link')} {word}" for number, word in told if number)


def _guess(story: Story) -> str:
    return " (a guess, from other pages)" if len(story.visits) == 1 else ""


def _due(outlook: "Outlook", now: float) -> str:
    if outlook.due is None:
        return "it will not be asked for again but by crawl --revisit-all"
    return "due now" if outlook.due <= now else f"due in {in_days(outlook.due - now)}"


def in_days(seconds: float) -> str:
    """Say a span in its largest unit that fits.

    >>> in_days(90.0), in_days(3 * 86400.0), in_days(700 * 86400.0)
    ('90 s', '3 days', '1.9 years')
    """
    days = seconds / 86_400
    if days < 1:
        return in_seconds(seconds)
    return f"{days:.0f} day{'s' if round(days) != 1 else ''}" if days < 500 else f"{days / 365.25:.1f} years"
