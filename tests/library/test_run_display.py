"""The progress of a run: a bar on a terminal, nothing where nobody looks; the notebook's is tested with the notebook."""

import io
import sys

import pytest

from scenthound.events import Event, Notice, Progress, StopCause, Summary
from scenthound.library.run_display import both, displayed, end_words
from scenthound.types import Census

CENSUS = Census(pages=30, judged=30, relevance_sum=15.0)
HALF = Progress(
    elapsed=3.0,
    census=CENSUS,
    pages_this_run=30,
    pages_per_second=10.0,
    fetching=2,
    reading=0,
    recording=0,
    doing="fetching from 2 hosts",
    last_url="http://a.test/",
    eta=3.0,
)
END = Summary(cause=StopCause.PAGES, pages_this_run=60, elapsed=6.0, census=CENSUS)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def shown_on(file: io.StringIO, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(sys, "stderr", file)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "200")
    with displayed(pages=60, on=True) as display:
        display.hear(Notice(text="a notice\x1b[2J with [red]signs"))
        display.hear(HALF)
        display.end(END)
    return file.getvalue()


def test_a_terminal_has_a_bar_with_notices_above_it(monkeypatch: pytest.MonkeyPatch) -> None:
    said = shown_on(Terminal(), monkeypatch)
    assert "a notice\\x1b[2J with [red]signs" in said
    assert "page budget reached: 60 pages in 6.0 s, 30 in all, harvest 0.500" in said


def test_a_file_has_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert shown_on(io.StringIO(), monkeypatch) == ""


def test_a_listener_hears_what_the_display_hears() -> None:
    heard: list[Event] = []
    also: list[Event] = []
    both(heard.append, also.append)(HALF)
    assert heard == also == [HALF]
    assert end_words(END).startswith("page budget reached: 60 pages")
