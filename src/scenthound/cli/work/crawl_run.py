"""The work of `scenthound crawl`: run the crawl under a view, stop cleanly on Ctrl-C, and print a summary."""

import signal
import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

import msgspec

from scenthound.cli.shared.empty_crawl import why_no_page
from scenthound.cli.shared.live_view import View, view_for
from scenthound.counted import count
from scenthound.crawl.diagnosis.speed import failures, harvest, in_seconds, refusals, total
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.crawl.directory.trust_check import require_trust
from scenthound.crawl.engine.assemble import StopSwitch, run_crawl
from scenthound.crawl.revisit.calendar import Revisit
from scenthound.errors import ScenthoundError, UsageError
from scenthound.events import Event, Notice, StopCause, Summary
from scenthound.services.crawls.shared_edits import pull
from scenthound.services.news.beside_crawl import asking_beside, has_questions
from scenthound.services.search.indexer import indexing_beside
from scenthound.services.why.reason_words import finding_lines
from scenthound.settings.schema import Settings
from scenthound.terminal import say
from scenthound.types import Change

EXIT_CODES = {StopCause.INTERRUPTED: 128 + signal.SIGINT, StopCause.DISK_FULL: 1, StopCause.OFFLINE: 1}


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """The arguments of the command."""

    path: Path
    pages: int | None = None
    minutes: float | None = None
    overrides: Sequence[str] = ()
    revisit: Revisit | None = None
    forgive: bool = False
    backlinks: str | None = None
    quiet: bool = False


def crawl_directory(run: Run, *, heard: Callable[[int], object] | None = None) -> int:
    """Crawl, and say why it stopped. `heard` is called with each signal that asks to stop."""
    directory = CrawlDirectory.open(run.path)
    if not isinstance(directory.store, Path) and directory.begun:
        pull(directory, listener=say_notice)
    overrides = [*run.overrides, *_budgets(run), *_source(run)]
    if any(override.partition("=")[0].strip() == "store.url" for override in overrides):
        raise UsageError("store.url is not for one run: use scenthound move, or write it into crawl.toml")
    settings = directory.settings(overrides)
    if not directory.begun:
        directory.starting_points()  # fail now if there are none
    summary = run_with_view(
        directory,
        settings,
        revisit=run.revisit,
        forgive=run.forgive,
        quiet=run.quiet,
        given=[override.partition("=")[0].strip() for override in overrides],
        heard=heard,
    )
    say("\n".join(summary_lines(summary)))
    if summary.cause in (StopCause.DRY, StopCause.OFFLINE) and not summary.census.pages:
        say("\n".join(why_no_page(directory)))
    if summary.cause is not StopCause.DISK_FULL:
        _ask_questions(directory)
    return EXIT_CODES.get(summary.cause, 0)


def say_notice(event: Event) -> None:
    """Print a notice that comes before there is a view."""
    if isinstance(event, Notice):
        say(event.text, file=sys.stderr)


def run_with_view(
    directory: CrawlDirectory,
    settings: Settings,
    *,
    revisit: Revisit | None = None,
    forgive: bool = False,
    quiet: bool = False,
    examples_only: bool = False,
    given: Collection[str] = (),
    heard: Callable[[int], object] | None = None,
) -> Summary:
    """Run a crawl, show its progress on stderr, and stop on signals."""
    require_trust(directory, settings, given=given)  # before anything is shown
    first = not directory.begun
    stop = StopSwitch()
    beside = indexing_beside(directory, on=settings.search.beside and not examples_only)
    with view_for(quiet=quiet) as view, stopping_by_signal(stop, view, heard), beside, asking_beside(directory):
        if first and not settings.fetch.contact:
            view.hear(Notice(text=_NO_CONTACT))
        return run_crawl(
            directory,
            settings,
            listener=view.hear,
            stop=stop,
            revisit=revisit,
            forgive=forgive,
            examples_only=examples_only,
            given=given,
        )


_NO_CONTACT = (
    "No contact is set, so site owners cannot reach you. Set fetch.contact in crawl.toml (your e-mail address or URL)."
)


def _ask_questions(directory: CrawlDirectory) -> None:
    """Run the saved questions. Report their errors; the crawl succeeds all the same."""
    if not has_questions(directory):
        return
    from scenthound.cli.news.news_lines import report_lines  # with search: no crawl without questions waits for it
    from scenthound.services.news.question_run import run_questions

    say("Asking the saved questions …", file=sys.stderr, flush=True)
    try:
        for line in report_lines(run_questions(directory)):
            say(line)
    except ScenthoundError as error:
        say(f"The questions could not be asked: {error}", file=sys.stderr)


@contextmanager
def stopping_by_signal(stop: StopSwitch, view: View, heard: Callable[[int], object] | None = None) -> Iterator[None]:
    """Finish requests in flight on the first Ctrl-C or SIGTERM; stop at once on the second.

    SIGUSR1 pauses the crawl and SIGUSR2 resumes it. The window uses them.
    """
    asked = False

    def handle(number: int, _frame: FrameType | None) -> None:
        nonlocal asked
        if heard is not None:
            heard(number)
        if asked:
            stop.force()
            return
        asked = True
        stop.ask()
        view.announce("finishing requests in flight; press again to stop at once")

    def rest(number: int, _frame: FrameType | None) -> None:
        if number == signal.SIGUSR1:
            stop.pause()
        else:
            stop.go_on()
        view.announce("paused" if stop.paused else "going on")

    handlers = dict.fromkeys((signal.SIGINT, signal.SIGTERM), handle) | dict.fromkeys(
        (signal.SIGUSR1, signal.SIGUSR2), rest
    )
    before = {number: signal.signal(number, handler) for number, handler in handlers.items()}
    stop.by_signal = True
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def summary_lines(summary: Summary) -> Iterator[str]:
    """Yield the summary of a run: why it stopped, and its results."""
    census = summary.census
    detail = f" ({summary.detail})" if summary.detail else ""
    yield f"Stopped: {summary.cause}{detail}."
    speed = summary.pages_this_run / summary.elapsed if summary.elapsed > 0 else 0.0
    this_run = f"{count(summary.pages_this_run, 'page')} in {in_seconds(summary.elapsed)} ({speed:.1f} a second)"
    yield f"  {this_run}; {census.pages:,} in all."
    if summary.changes:
        yield f"  {visits_line(summary)}"
    if (rate := harvest(census)) is not None:
        yield f"  Harvest {rate:.3f} over {count(census.judged, 'judged page')}, by the critic's own judgement."
    errors, refused = failures(census), refusals(census)
    endings = f"{count(census.redirects, 'redirect')}, {total(errors):,} failed, {total(refused):,} refused"
    yield f"  {count(census.waiting, 'URL')} waiting on {count(census.hosts, 'host')}; {endings}."
    for title, reasons in (("Errors", errors), ("Refused", refused)):
        if reasons:
            yield f"  {title}: " + ", ".join(f"{number:,} {reason}" for reason, number in reasons) + "."
    yield from finding_lines(summary.findings)


def visits_line(summary: Summary) -> str:
    """Summarise the visits to known pages, and count new ones.

    >>> from scenthound.types import Census
    >>> visits_line(Summary(cause=StopCause.DRY, pages_this_run=9, elapsed=1.0, census=Census(), new_pages=2,
    ...                     changes={Change.UNCHANGED: 5, Change.CHANGED: 2}))
    'Asked again for 7 pages: 5 unchanged, 2 changed; 2 new pages.'
    """
    found = summary.changes or {}
    words = ", ".join(f"{found[change]:,} {_CHANGES[change]}" for change in _CHANGES if found.get(change))
    return f"Asked again for {count(sum(found.values()), 'page')}: {words}; {count(summary.new_pages, 'new page')}."


_CHANGES = {
    Change.UNCHANGED: "unchanged",
    Change.CHANGED: "changed",
    Change.APPEARED: "back again",
    Change.MOVED: "moved elsewhere",
    Change.VANISHED: "vanished",
    Change.GONE: "still gone",
    Change.UNSEEN: "could not be seen",
}


def _budgets(run: Run) -> list[str]:
    pages = [] if run.pages is None else [f"crawl.pages={run.pages}"]
    return pages if run.minutes is None else [*pages, f"crawl.minutes={float(run.minutes)!r}"]


def _source(run: Run) -> list[str]:
    return [] if run.backlinks is None else [f"backlinks.source={msgspec.json.encode(run.backlinks).decode()}"]
