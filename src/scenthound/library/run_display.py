"""The progress of work that Python waits for: a bar on a terminal, one quiet line in a notebook, else nothing."""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from importlib import import_module
from threading import current_thread, main_thread
from time import monotonic
from typing import TYPE_CHECKING, Any

from scenthound.counted import count
from scenthound.crawl.diagnosis.speed import harvest, in_seconds
from scenthound.events import Event, Listener, Notice, Progress, Summary, ignore
from scenthound.services.search.catch_up import Progress as Indexing
from scenthound.terminal import say, shown

if TYPE_CHECKING:
    from scenthound.crawl.engine.loop import StopSwitch


@contextmanager
def displayed(*, pages: int, on: bool) -> Iterator["Display"]:
    """Choose the display that fits, for a crawl of some pages (0: no limit)."""
    if on and _in_notebook():
        yield NotebookDisplay(pages)
    elif on and _on_terminal():
        with _bar(pages) as display:
            yield display
    else:
        yield Display()


class Display:
    """Shows nothing."""

    def hear(self, event: Event) -> None:
        """Take an event of the crawl."""

    def end(self, summary: Summary) -> None:
        """Show how it ended."""


class TerminalDisplay(Display):
    """A bar of rich, with notices above it."""

    def __init__(self, bar: Any, task: Any) -> None:
        self._bar = bar
        self._task = task

    def hear(self, event: Event) -> None:
        if isinstance(event, Notice):
            self._bar.console.print(shown(event.text), markup=False, highlight=False)
        else:
            self._bar.update(self._task, completed=event.census.pages, said=shown(progress_words(event)))

    def end(self, summary: Summary) -> None:
        self._bar.update(self._task, completed=summary.census.pages, said=end_words(summary))


class NotebookDisplay(Display):
    """A line below the cell that is written over, so that a long crawl does not fill the notebook."""

    def __init__(self, pages: int) -> None:
        self._ipython: Any = import_module("IPython.display")
        self._pages = pages
        self._notices: list[str] = []
        self._handle = self._ipython.display(self._ipython.HTML("starting …"), display_id=True)

    def hear(self, event: Event) -> None:
        if isinstance(event, Notice):
            self._notices = [*self._notices, event.text][-_NOTICES:]
        else:
            self._show(event.census.pages, progress_words(event))

    def end(self, summary: Summary) -> None:
        self._show(summary.census.pages, end_words(summary))

    def _show(self, pages: int, words: str) -> None:
        bar = f'<progress value="{pages}" max="{self._pages}"></progress> ' if self._pages else ""
        notices = "".join(f"<br>{escape(shown(text))}" for text in self._notices)
        self._handle.update(self._ipython.HTML(f"{bar}{escape(shown(words))}{notices}"))


class IndexMeter:
    """Shows how far the index of search is, once that takes longer than a moment."""

    def __init__(self) -> None:
        self._next = monotonic() + _MOMENT
        self._handle: Any = None

    def __call__(self, progress: Indexing) -> None:
        if monotonic() < self._next and not (self._handle and progress.done >= progress.pages):
            return
        self._next = monotonic() + _MOMENT / 4
        line = f"{progress.step}: {progress.done:,} of {progress.pages:,} pages"
        if _in_notebook():
            html = import_module("IPython.display").HTML(escape(line))
            self._handle = self._handle or import_module("IPython.display").display(html, display_id=True)
            self._handle.update(html)
        elif _on_terminal():
            say(line, end="\n" if progress.done >= progress.pages else "\r", file=sys.stderr, flush=True)


_NOTICES = 3
_MOMENT = 2.0  # seconds


def progress_words(progress: Progress) -> str:
    """Say in one line how a crawl goes."""
    rate = harvest(progress.census)
    parts = [
        count(progress.census.pages, "page"),
        f"{progress.pages_per_second:.1f}/s",
        "" if rate is None else f"harvest {rate:.3f}",
        "" if progress.eta is None else f"{in_seconds(progress.eta)} to go",
        progress.doing,
    ]
    return " | ".join(filter(None, parts))


def end_words(summary: Summary) -> str:
    """Say in one line how a run ended."""
    rate = harvest(summary.census)
    told = f"{summary.cause}: {count(summary.pages_this_run, 'page')} in {in_seconds(summary.elapsed)}"
    all_of_them = f"{summary.census.pages:,} in all"
    return f"{told}, {all_of_them}" if rate is None else f"{told}, {all_of_them}, harvest {rate:.3f}"


def both(first: Listener, second: Listener | None) -> Listener:
    """Return what tells two listeners."""
    if second is None or second is ignore:
        return first

    def tell(event: Event) -> None:
        first(event)
        second(event)

    return tell


@contextmanager
def stopping_by_interrupt(stop: "StopSwitch") -> Iterator[None]:
    """Finish requests in flight on the first Ctrl-C; stop at once on the second.

    A program that does something of its own on Ctrl-C, or runs the crawl in another thread, keeps its way.
    """
    if current_thread() is not main_thread() or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    signal.signal(signal.SIGINT, lambda _number, _frame: stop.force() if stop.asked else stop.ask())
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@contextmanager
def _bar(pages: int) -> Iterator[TerminalDisplay]:
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn
    from rich.progress import Progress as Bar

    columns = (BarColumn(bar_width=30), TextColumn("{task.fields[said]}", markup=False))
    with Bar(*columns, console=Console(stderr=True)) as bar:
        yield TerminalDisplay(bar, bar.add_task("", total=pages or None, said="starting …"))


def _on_terminal() -> bool:
    return sys.stderr.isatty() and os.environ.get("TERM") != "dumb"


def _in_notebook() -> bool:
    """Tell whether a kernel of Jupyter runs this; it shows what stdout of a script would not."""
    module = sys.modules.get("IPython")
    shell = module.get_ipython() if module is not None else None
    return hasattr(shell, "kernel")
