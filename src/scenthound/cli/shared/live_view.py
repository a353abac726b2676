"""The progress of a crawl: a live table on a terminal, a line every few seconds elsewhere, or nothing.

All of it goes to stderr. A view listens to the crawl; use it in a `with`.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text

from scenthound.counted import count
from scenthound.crawl.diagnosis.speed import failures, harvest, in_seconds
from scenthound.events import Event, Notice, Progress
from scenthound.terminal import say, shown
from scenthound.types import Census

LINE_EVERY = 5.0  # seconds between plain lines, so the log of a long crawl stays readable


class View(Protocol):
    def hear(self, event: Event) -> None:
        """Take an event of the crawl."""
        ...

    def announce(self, text: str) -> None:
        """Show a message at once. Signal handlers call it, so it must not use buffered streams."""
        ...


def view_for(*, quiet: bool) -> AbstractContextManager[View]:
    """Choose the view that fits stderr."""
    if quiet:
        return _opened(QuietView())
    if sys.stderr.isatty() and os.environ.get("TERM") != "dumb":
        return terminal_view(Console(stderr=True))
    return _opened(PlainView())


class QuietView:
    """Shows nothing."""

    def hear(self, event: Event) -> None:
        pass

    def announce(self, text: str) -> None:
        pass


class PlainView:
    """Writes each notice, and a line every few seconds of crawl time."""

    def __init__(self, *, every: float = LINE_EVERY) -> None:
        self._every = every
        self._next = 0.0

    def hear(self, event: Event) -> None:
        if isinstance(event, Notice):
            say(event.text, file=sys.stderr, flush=True)
        elif event.elapsed >= self._next:
            self._next = event.elapsed + self._every
            say(progress_line(event), file=sys.stderr, flush=True)

    def announce(self, text: str) -> None:
        os.write(sys.stderr.fileno(), f"{shown(text)}\n".encode())


class TerminalView:
    """Keeps one table up to date. Notices scroll away above it."""

    def __init__(self, live: Live) -> None:
        self._live = live
        self._progress: Progress | None = None
        self._announced = ""

    def hear(self, event: Event) -> None:
        if isinstance(event, Notice):
            self._live.console.print(Text(shown(event.text), style="yellow"))
        else:
            self._progress = event

    def announce(self, text: str) -> None:
        self._announced = text  # shown at the next refresh: a handler must not draw into a table being drawn

    def __rich__(self) -> RenderableType:
        parts: list[RenderableType] = [progress_table(self._progress)] if self._progress else [Text("starting …")]
        if self._announced:
            parts.append(Text(shown(self._announced), style="bold yellow"))
        return Group(*parts)


@contextmanager
def terminal_view(console: Console) -> Iterator[View]:
    """Show the live table until the block ends. The last state stays on screen."""
    live = Live(console=console, refresh_per_second=4, transient=False)
    view = TerminalView(live)
    live.update(view)
    with live:
        yield view


def progress_line(progress: Progress) -> str:
    """Write the state of the crawl in one line."""
    census = progress.census
    parts = [
        f"{in_seconds(progress.elapsed):>7}",
        count(census.pages, "page"),
        f"{progress.pages_per_second:.1f}/s",
        *(f"harvest {rate:.3f}" for rate in [harvest(census)] if rate is not None),
        f"{census.waiting:,} waiting",
        _hosts(census),
        _errors(census),
        *([f"{in_seconds(progress.eta)} to go"] if progress.eta is not None else []),
        progress.doing,
    ]
    return " | ".join(filter(None, parts))


def progress_table(progress: Progress) -> Table:
    """Make the table of the crawl's state."""
    census, rate = progress.census, harvest(progress.census)
    table = Table.grid(padding=(0, 2))
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="ellipsis", no_wrap=True)
    rows = [
        ("pages", f"{census.pages:,}   {progress.pages_per_second:.1f} a second   {_this_run(progress)}"),
        ("harvest", f"{rate:.3f}" if rate is not None else ""),
        ("frontier", f"{census.waiting:,} waiting, {census.known:,} known"),
        ("in flight", f"{progress.fetching} fetching, {progress.reading} reading, {progress.recording} recording"),
        ("hosts", _hosts(census)),
        ("errors", _errors(census)),
        ("time", in_seconds(progress.elapsed) + _to_go(progress)),
        ("now", progress.doing),
        ("last", progress.last_url),
        ("noticed", "; ".join(one.sentence for one in progress.findings)),
    ]
    for name, text in rows:
        if text:
            table.add_row(name, Text(shown(text)))
    return table


def _this_run(progress: Progress) -> str:
    earlier = progress.census.pages - progress.pages_this_run
    return f"{progress.pages_this_run:,} in this run" if earlier > 0 else ""


def _to_go(progress: Progress) -> str:
    return f", about {in_seconds(progress.eta)} to go" if progress.eta is not None else ""


def _hosts(census: Census) -> str:
    waiting = census.hosts_resting + census.hosts_parked
    bad = f", {census.hosts_bad:,} bad" if census.hosts_bad else ""
    return f"{count(census.hosts, 'host')}: {census.hosts_busy:,} busy, {waiting:,} waiting{bad}"


def _errors(census: Census) -> str:
    return ", ".join(f"{number:,} {reason}" for reason, number in failures(census)[:5])


@contextmanager
def _opened(view: View) -> Iterator[View]:
    yield view
