"""A crawl that is killed, or copied, at any moment has a database that is whole."""

import random
import shutil
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import closing
from itertools import combinations_with_replacement
from pathlib import Path
from typing import Any

import pytest

from scenthound.errors import StoreError
from scenthound.store.sqlite.file import write_ahead as sqlite_log
from scenthound.store.sqlite.store import SqliteStore
from tests.store.crawling_child import turn
from tests.store.small_world import claim, found

ROOT = Path(__file__).parent.parent.parent


@pytest.mark.slow
def test_killed_at_any_moment_nothing_recorded_is_lost(tmp_path: Path) -> None:
    chance, database = random.Random(5), tmp_path / "crawl.db"
    for run in range(10):
        last = _kill_after(chance.uniform(0.0, 0.7), database, run)
        with SqliteStore(database) as store:
            assert store.check() == []
            rows = list(store.pages(everything=True))
            assert max((row.n for row in rows), default=0) >= last
            assert store.last_lesson() == len(rows)
            assert store.untaught(limit=1) == []
            census = store.census(now=0.0)
            assert store.release(owner=None, now=0.0) == census.claimed
            after = store.census(now=0.0)
            assert (after.waiting, after.claimed, after.known) == (census.waiting + census.claimed, 0, census.known)
            assert store.check() == []
    assert last > 0


def _kill_after(seconds: float, database: Path, seed: int) -> int:
    """Let a child crawl, kill it, and return the greatest page number that it had said before."""
    command = [sys.executable, "-m", "tests.store.crawling_child", str(database), str(seed)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT, text=True) as child:
        assert child.stdout is not None
        said = [int(child.stdout.readline())]  # it is at work now
        time.sleep(seconds)  # a kill must come at an arbitrary moment; nothing can be waited for
        child.kill()
        said += [int(line) for line in child.stdout if line.endswith("\n")]
    return max(said)


@pytest.mark.slow
def test_a_copy_of_the_files_is_whole_or_says_that_it_is_not(tmp_path: Path) -> None:
    database, stop = tmp_path / "crawl.db", threading.Event()
    writer = threading.Thread(target=_crawl_until, args=(database, stop))
    writer.start()
    whole = torn = 0
    try:
        while not database.exists() or whole < 60:
            copy = tmp_path / f"copy{whole + torn}.db"
            if _copied(database, copy):
                try:
                    with SqliteStore(copy) as store:
                        assert store.check() == []
                    whole += 1
                except StoreError as error:
                    assert "copy it again" in str(error)  # noqa: PT017 - the loop is about both cases
                    torn += 1
                assert torn < 50
    finally:
        stop.set()
        writer.join()


def _crawl_until(database: Path, stop: threading.Event) -> None:
    chance = random.Random(1)
    with SqliteStore(database, bad_after=10**9, log_mb=2) as store:
        store.add([found(f"http://h{i}.d{i // 4}.test/") for i in range(30)], now=0.0)
        now = 0.0
        while not stop.is_set():
            now += 1.0
            turn(store, chance, now)


def _copied(database: Path, copy: Path) -> bool:
    try:
        shutil.copy(database, copy)
        shutil.copy(f"{database}-wal", f"{copy}-wal")
    except FileNotFoundError:  # not yet there
        return False
    return copy.stat().st_size > 0


@pytest.mark.slow
def test_a_log_that_was_begun_anew_between_two_copies_is_recognised(tmp_path: Path) -> None:
    database, copy = tmp_path / "crawl.db", tmp_path / "copy.db"
    chance = random.Random(1)
    with SqliteStore(database, log_mb=0.2) as store:
        store.add([found(f"http://h{i}.d{i}.test/") for i in range(30)], now=0.0)
        turn(store, chance, 1.0)
        shutil.copy(database, copy)
        sizes: list[int] = []
        while sizes[-1:] >= sizes[-2:-1]:  # until the log is shorter than before
            turn(store, chance, 2.0 + len(sizes))
            sizes.append(sqlite_log.length(database))
        shutil.copy(f"{database}-wal", f"{copy}-wal")
    with pytest.raises(StoreError, match="copy it again"), SqliteStore(copy):
        pass
    with SqliteStore(database) as store:
        assert store.check() == []


@pytest.mark.slow
def test_a_log_that_is_taken_over_while_nothing_is_written_is_not_begun_anew_before_its_turn(tmp_path: Path) -> None:
    database, chance = tmp_path / "crawl.db", random.Random(1)
    with SqliteStore(database) as store:
        store.add([found(f"http://h{i}.d{i}.test/") for i in range(30)], now=0.0)
        turn(store, chance, 1.0)
        before = sqlite_log.length(database)
        keeper = sqlite_log.take_over(database)
        turn(store, chance, 2.0)
        assert sqlite_log.length(database) > before
        with closing(sqlite3.connect(database, isolation_level=None)) as con:
            assert sqlite_log.turn(con, database, keeper)
        turn(store, chance, 3.0)
        assert sqlite_log.length(database) < before
        assert store.check() == []


@pytest.mark.slow
def test_a_log_that_was_taken_over_whole_is_copied_at_any_moment(tmp_path: Path) -> None:
    """Also where nothing was written between taking it over and its turn."""
    database, copy, chance = tmp_path / "crawl.db", tmp_path / "copy.db", random.Random(1)
    with SqliteStore(database) as store:
        store.add([found(f"http://h{i}.d{i}.test/") for i in range(30)], now=0.0)
        turn(store, chance, 1.0)
        shutil.copy(database, copy)
        keeper = sqlite_log.take_over(database)
        with closing(sqlite3.connect(database, isolation_level=None)) as con:
            assert sqlite_log.turn(con, database, keeper)
        turn(store, chance, 2.0)
        shutil.copy(f"{database}-wal", f"{copy}-wal")
    with pytest.raises(StoreError, match="copy it again"), SqliteStore(copy):
        pass


class Watched(sqlite3.Connection):
    """A connection that copies database and log after each statement."""

    folder: Path
    copies: int = 0

    def execute(self, sql: str, parameters: Any = (), /) -> sqlite3.Cursor:
        cursor = super().execute(sql, parameters)
        shutil.copy(self.folder / "crawl.db", self.folder / f"{self.copies}.db")
        shutil.copy(self.folder / "crawl.db-wal", self.folder / f"{self.copies}.log")
        self.copies += 1
        return cursor


@pytest.mark.slow
def test_whatever_is_copied_first_while_the_log_is_taken_over_no_page_is_lost_unseen(tmp_path: Path) -> None:
    database, copy = tmp_path / "crawl.db", tmp_path / "copy.db"
    chance, refused = random.Random(1), 0
    with SqliteStore(database) as store:
        store.add([found(f"http://h{i}.d{i}.test/") for i in range(30)], now=0.0)
        for now in range(1, 6):
            turn(store, chance, float(now))
        pages = len(list(store.pages()))
        with closing(sqlite3.connect(database, isolation_level=None, factory=Watched)) as con:
            con.folder = tmp_path
            con.execute("PRAGMA wal_autocheckpoint = 0")
            assert sqlite_log.turn(con, database)
    for earlier, later in combinations_with_replacement(range(con.copies), 2):
        shutil.copy(tmp_path / f"{earlier}.db", copy)
        shutil.copy(tmp_path / f"{later}.log", f"{copy}-wal")
        try:
            with SqliteStore(copy) as store:
                assert len(list(store.pages())) == pages, (earlier, later)
        except StoreError as error:
            assert "copy it again" in str(error)  # noqa: PT017 - the loop is about both cases
            refused += 1
    assert refused > 0


def test_claims_survive_a_restart_until_they_are_released(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "crawl.db") as store:
        store.add([found("http://a.test/1"), found("http://b.test/2")], now=0.0)
        claim(store, now=0.0, limit=1)
    with SqliteStore(tmp_path / "crawl.db") as store:
        assert store.census(now=1.0).claimed == 1
        assert store.release(owner=None, now=1.0) == 1
        assert len(claim(store, now=1.0)) == 2
