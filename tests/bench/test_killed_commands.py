"""The checks after a kill or a fault see what is wrong, planted by hand."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from bench import faults
from bench.faults import FAULTS, LIMITS, Fault, Met
from bench.killed_commands import Seen, check_spots
from scenthound.archive.warc import exchange_record, member_length, payload_digest
from scenthound.types import Fetch

pytestmark = pytest.mark.slow

HEAD, BODY = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n", b"<p>a page"
URLS = [f"http://a.test/{number}" for number in range(3)]


@pytest.fixture
def crawl(tmp_path: Path) -> Path:
    """A crawl of three pages, as far as the archive and its spots go."""
    (tmp_path / "archive").mkdir()
    written, rows = b"", []
    for number, url in enumerate(URLS):
        fetch = Fetch(
            url=url, started=1e9, finished=1e9, status=200, head=HEAD, body=BODY, request_head=b"GET / HTTP/1.1"
        )
        record = exchange_record(fetch)
        rows.append((number, number, payload_digest(BODY), "one.warc.gz", len(written), member_length(record)))
        written += record
    (tmp_path / "archive" / "one.warc.gz").write_bytes(written)
    with closing(sqlite3.connect(tmp_path / "crawl.db")) as con, con:
        con.execute("CREATE TABLE finds (id, url)")
        con.execute("CREATE TABLE pages (n, url_id, payload, archive_file, archive_offset, archive_length)")
        con.executemany("INSERT INTO finds VALUES (?, ?)", enumerate(URLS))
        con.executemany("INSERT INTO pages VALUES (?, ?, ?, ?, ?, ?)", rows)
    return tmp_path


def change(path: Path, statement: str) -> None:
    with closing(sqlite3.connect(path / "crawl.db")) as con, con:
        con.execute(statement)


PLANTED: dict[str, Callable[[Path], None]] = {
    "is of http://a.test/0": lambda path: change(
        path,
        "UPDATE pages SET (archive_offset, archive_length) = (SELECT archive_offset, archive_length FROM pages LIMIT 1) WHERE n = 2",
    ),
    "has another digest": lambda path: change(path, "UPDATE pages SET payload = 'sha1:OTHER' WHERE n = 2"),
    "no record at byte": lambda path: change(path, "UPDATE pages SET archive_offset = archive_offset + 1 WHERE n = 2"),
    "of gone.warc.gz": lambda path: change(path, "UPDATE pages SET archive_file = 'gone.warc.gz' WHERE n = 2"),
}


@pytest.mark.parametrize("said", PLANTED)
def test_a_wrong_archive_spot_is_found(said: str, crawl: Path) -> None:
    assert check_spots(crawl) == ([], 3)
    PLANTED[said](crawl)
    wrong, right = check_spots(crawl)
    assert right == 2
    assert said in wrong[0]


def test_a_crawl_that_was_stopped_before_it_had_tables_has_no_spots(tmp_path: Path) -> None:
    sqlite3.connect(tmp_path / "crawl.db").close()
    assert check_spots(tmp_path) == ([], 0)


def test_what_a_reader_had_seen_is_missed() -> None:
    before = Seen({1: 1, 2: 2}, {1: 0, 2: 3})
    assert before.missing_in(Seen({1: 1, 2: 9, 3: 3}, {1: 0, 2: 3})) == 0
    assert before.missing_in(Seen({1: 1}, {1: 0, 2: 2})) == 2


@pytest.mark.parametrize(
    ("changes", "fine"),
    [
        ({}, True),
        ({"code": None}, False),
        ({"code": 139}, False),
        ({"said": "Traceback\n  File\nError; start again"}, False),
        ({"said": "disk I/O error"}, False),
        ({"missing": 1}, False),
        ({"trouble": ("torn",)}, False),
    ],
)
def test_a_fault_is_met_well_only_if_the_crawl_ends_says_why_and_loses_nothing(
    changes: dict[str, object], fine: bool
) -> None:
    met: dict[str, object] = {
        "fault": LIMITS[0],
        "code": 1,
        "said": "no room; start again\n",
        "trouble": (),
        "missing": 0,
    }
    assert Met(**{**met, **changes}).fine is fine  # type: ignore[arg-type]


def test_without_strace_it_is_said_loudly_that_nothing_was_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    assert faults.run().skipped == "strace was not found: NO FAULT WAS INJECTED; install the package strace"


def test_faults_are_injected_into_the_calls_on_one_file(tmp_path: Path) -> None:
    command = FAULTS[0].command(tmp_path, ["scenthound", "crawl"])
    assert command[-2:] == ["scenthound", "crawl"]
    assert str(tmp_path / faults.ARCHIVE) in command
    assert "inject=write,pwrite64,writev,pwritev:error=ENOSPC:when=3+" in command
    limited = Fault(name="few", limit="ulimit -n 40").command(tmp_path, ["scenthound", "a b"])
    assert limited == ["bash", "-c", "ulimit -n 40 && exec scenthound 'a b'"]
