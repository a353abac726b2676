"""Directories that cannot be crawled now: one clear line each, and nothing is touched."""

import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.crawl.engine.assemble import StopSwitch
from scenthound.errors import DirectoryError, NewerStoreError, ScenthoundError, StoreError
from tests.crawl.scene import bad_web, crawl, new, on, resume, wait_until
from tests.patience import PATIENCE

pytestmark = pytest.mark.slow


def test_a_directory_is_crawled_by_one_at_a_time(tmp_path: Path) -> None:
    with bad_web() as web, ThreadPoolExecutor(max_workers=1) as beside:
        directory = new(tmp_path / "crawl", [web.url("silent")])
        stop = StopSwitch()
        first = beside.submit(resume, directory, on(web, "fetch.first_byte_timeout=60", "fetch.timeout=60"), stop=stop)
        wait_until(lambda: web.visits("silent", "/"))
        with pytest.raises(DirectoryError, match=r"is already being crawled by process \d+ since"):
            resume(directory, on(web))
        assert len(web.visits("silent")) == 2  # the second has asked nobody
        stop.force()
        first.result(timeout=PATIENCE)
        assert resume(directory, on(web, "fetch.tries=1", "fetch.first_byte_timeout=0.3")).trouble() == []


def from_the_future(database: Path) -> None:
    with closing(sqlite3.connect(database)) as con:
        con.execute("PRAGMA user_version = 99")


def of_another_program(database: Path) -> None:
    database.unlink()
    with closing(sqlite3.connect(database)) as con:
        con.execute("CREATE TABLE recipes (name TEXT)")


def no_database(database: Path) -> None:
    database.write_bytes(b"Dear diary, today I wrote over a database. " * 200)


@pytest.mark.parametrize(
    ("spoil", "error", "words"),
    [
        (from_the_future, NewerStoreError, "written by a newer scenthound"),
        (of_another_program, StoreError, "not that of a crawl"),
        (no_database, StoreError, "no database, or its beginning is damaged; .* scenthound repair"),
    ],
)
def test_a_database_that_is_not_ours_to_write_is_left_as_it_is(
    tmp_path: Path, spoil: Callable[[Path], None], error: type[ScenthoundError], words: str
) -> None:
    with bad_web() as web:
        crawled = crawl(tmp_path / "crawl", [web.url("plain")], on(web))
        asked = len(web.log)
        spoil(crawled.directory.database)
        before = crawled.directory.database.read_bytes()
        with pytest.raises(error, match=words) as raised:
            resume(crawled.directory, on(web))
        assert "\n" not in str(raised.value)
        assert str(crawled.directory.database) in str(raised.value)
        assert crawled.directory.database.read_bytes() == before
        assert len(web.log) == asked
    assert not crawled.directory.is_running()


def test_an_archive_shorter_than_the_database_says_is_not_crawled_over(tmp_path: Path) -> None:
    """Cut by somebody else: going on would write where recorded pages are thought to lie."""
    with bad_web() as web:
        crawled = crawl(tmp_path / "crawl", [web.url("plain")], on(web))
        [file] = crawled.directory.archive.glob("*.warc.gz")
        file.write_bytes(file.read_bytes()[:-100])
        with pytest.raises(StoreError, match="restore it from a copy"):
            resume(crawled.directory, on(web))


@pytest.mark.parametrize("made", ["nothing", "empty", "other"])
def test_what_is_no_crawl_directory_says_so_in_one_line(tmp_path: Path, made: str) -> None:
    path = tmp_path / "folder"
    if made != "nothing":
        path.mkdir()
    if made == "other":
        (path / "letter.txt").write_text("Dear all")
    with pytest.raises(DirectoryError, match="scenthound new") as raised:
        CrawlDirectory.open(path)
    assert "\n" not in str(raised.value)
    assert str(path) in str(raised.value)
