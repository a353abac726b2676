"""What a running crawl shows, on a terminal and in a file."""

import io

import pytest
from rich.console import Console

from scenthound.cli.shared.live_view import PlainView, progress_line, progress_table, terminal_view, view_for
from scenthound.events import Notice, Progress
from scenthound.types import Census

CENSUS = Census(
    pages=120,
    waiting=3000,
    known=3500,
    judged=100,
    relevance_sum=25.0,
    hosts=12,
    hosts_busy=3,
    hosts_resting=7,
    hosts_bad=2,
    reasons={"dns": 2, "http-error": 31},
)


def at(elapsed: float, *, census: Census = CENSUS, eta: float | None = 75.0) -> Progress:
    return Progress(
        elapsed=elapsed,
        census=census,
        pages_this_run=20,
        pages_per_second=9.5,
        fetching=3,
        reading=1,
        recording=2,
        doing="waiting for hosts",
        last_url="http://a.example/last",
        eta=eta,
    )


def test_a_line_tells_the_whole_state() -> None:
    assert progress_line(at(61.0)).split(" | ") == [
        "   61 s",
        "120 pages",
        "9.5/s",
        "harvest 0.250",
        "3,000 waiting",
        "12 hosts: 3 busy, 7 waiting, 2 bad",
        "31 http-error, 2 dns",
        "75 s to go",
        "waiting for hosts",
    ]


def test_what_is_not_known_is_left_out() -> None:
    line = progress_line(at(1.0, census=Census(pages=1), eta=None))
    assert "harvest" not in line
    assert "to go" not in line


def test_plain_lines_come_every_few_seconds_and_notices_at_once(capfd: pytest.CaptureFixture[str]) -> None:
    view = PlainView(every=5.0)
    for second in range(11):
        view.hear(at(float(second)))
    view.hear(Notice(text="the archive was repaired"))
    lines = capfd.readouterr().err.splitlines()
    assert [line.split(" | ")[0].strip() for line in lines[:-1]] == ["0.0 s", "5.0 s", "10 s"]
    assert lines[-1] == "the archive was repaired"


def test_quiet_is_quiet(capfd: pytest.CaptureFixture[str]) -> None:
    with view_for(quiet=True) as view:
        view.hear(at(1.0))
        view.hear(Notice(text="unheard"))
        view.announce("unheard")
    assert capfd.readouterr() == ("", "")


def test_without_a_terminal_lines_are_written(capfd: pytest.CaptureFixture[str]) -> None:
    with view_for(quiet=False) as view:
        view.hear(at(1.0))
    assert "120 pages" in capfd.readouterr().err


def test_a_terminal_shows_a_table_notices_and_what_was_announced() -> None:
    screen = io.StringIO()
    console = Console(file=screen, force_terminal=True, width=100, color_system=None)
    with terminal_view(console) as view:
        view.hear(Notice(text="a contact is missing [really]"))
        view.hear(at(61.0))
        view.announce("finishing what is in flight")
    shown = screen.getvalue()
    for words in (
        "a contact is missing [really]",
        "3,000 waiting",
        "20 in this run",
        "http://a.example/last",
        "finishing",
    ):
        assert words in shown


def test_a_long_address_does_not_break_the_table() -> None:
    screen = io.StringIO()
    console = Console(file=screen, width=60)
    long = Progress(
        elapsed=1.0, census=Census(), pages_this_run=0, pages_per_second=0.0, fetching=0, reading=0, recording=0,
        doing="", last_url="http://a.example/" + "x" * 500, eta=None,
    )  # fmt: skip
    console.print(progress_table(long))
    assert all(len(line) <= 60 for line in screen.getvalue().splitlines())
