"""The progress of an experiment: a bar on a terminal, a line every few seconds elsewhere, or nothing.

All of it goes to stderr. Failed crawls and notices are shown as they come.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn
from rich.text import Text

from scenthound.crawl.diagnosis.speed import in_seconds
from scenthound.lab.runs.progress import Event, FailedCrawl, Listener, Stride, unheard
from scenthound.terminal import say, shown

LINE_EVERY = 5.0  # seconds between plain lines


@contextmanager
def lab_view(*, quiet: bool) -> Iterator[Listener]:
    """Choose the view that fits stderr."""
    if quiet:
        yield unheard
    elif sys.stderr.isatty() and os.environ.get("TERM") != "dumb":
        with bars(Console(stderr=True)) as progress:
            yield BarView(progress).hear
    else:
        yield PlainView().hear


class PlainView:
    """Writes a line for each failure, at the start and end of a stage, and every few seconds between."""

    def __init__(self, *, every: float = LINE_EVERY) -> None:
        self._every = every
        self._stage = ""
        self._next = 0.0

    def hear(self, event: Event) -> None:
        if not isinstance(event, Stride):
            say(said(event), file=sys.stderr, flush=True)
        elif event.stage != self._stage or event.done == event.total or event.elapsed >= self._next:
            self._stage, self._next = event.stage, event.elapsed + self._every
            say(line(event), file=sys.stderr, flush=True)


class BarView:
    """Keeps a bar for each stage; failures scroll away above them."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._bars: dict[str, TaskID] = {}

    def hear(self, event: Event) -> None:
        if isinstance(event, Stride):
            bar = self._bars.get(event.stage)
            if bar is None:
                bar = self._bars[event.stage] = self._progress.add_task(event.stage, total=event.total, told="")
            self._progress.update(bar, completed=event.done, total=event.total, told=rest(event))
        else:
            self._progress.console.print(Text(shown(said(event)), style="yellow"))


def said(event: Event) -> str:
    return str(event) if isinstance(event, FailedCrawl) else getattr(event, "text", "")


def line(stride: Stride) -> str:
    """Write the progress of a stage in one line.

    >>> line(Stride(stage="crawling", done=30, total=120, elapsed=10.0, eta=30.0, kept=4, last="demo:Arts#1 shark"))
    'crawling: 30 of 120, 4 of them made before, 30 s to go | demo:Arts#1 shark'
    """
    kept = f", {stride.kept:,} of them made before" if stride.kept else ""
    return f"{stride.stage}: {stride.done:,} of {stride.total:,}{kept}{rest(stride)}"


def rest(stride: Stride) -> str:
    """Say how long it will take, and what was done last."""
    if stride.done == stride.total:
        return f", done in {in_seconds(stride.elapsed)}"
    to_go = f", {in_seconds(stride.eta)} to go" if stride.eta is not None else ""
    return to_go + (f" | {stride.last}" if stride.last else "")


def bars(console: Console) -> Progress:
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed:,.0f} of {task.total:,.0f}{task.fields[told]}", markup=False),
    )
    return Progress(*columns, console=console)
