"""The database as a file: other people's files, newer versions, full disks, readers beside a writer."""

import errno
import os
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path

import pytest

from scenthound.errors import DiskFullError, NewerStoreError, StoreError
from scenthound.store.sqlite.file.write_ahead import length, turn
from scenthound.store.sqlite.store import SqliteStore
from scenthound.types import Lesson, LessonLink, Reason
from tests.crawl.scene import wait_until
from tests.often import slowly
from tests.patience import PATIENCE
from tests.store.small_world import back, claim, failed, found, moved, page, put, taught

A, B = "http://a.test/", "http://b.test/"


def test_a_file_that_is_no_database_is_refused_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "crawl.db"
    path.write_text("these are my notes, not a crawl\n" * 50)
    with pytest.raises(StoreError, match=r"not a crawl database") as error, SqliteStore(path):
        pass
    assert "\n" not in str(error.value)
    assert path.read_text().startswith("these are my notes")


def test_a_database_of_another_program_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "crawl.db"
    with closing(sqlite3.connect(path)) as con:
        con.execute("CREATE TABLE recipes (name TEXT)")
    before = path.read_bytes()
    with pytest.raises(StoreError, match="not that of a crawl"), SqliteStore(path):
        pass
    assert path.read_bytes() == before


def test_a_newer_database_asks_for_a_newer_program(tmp_path: Path) -> None:
    path = tmp_path / "crawl.db"
    with SqliteStore(path):
        pass
    with closing(sqlite3.connect(path)) as con:
        con.execute("PRAGMA user_version = 99")
    with pytest.raises(NewerStoreError, match="version 99"), SqliteStore(path):
        pass


def test_an_older_database_is_refused_before_anything_is_asked_of_it(tmp_path: Path) -> None:
    path = tmp_path / "crawl.db"
    with SqliteStore(path):
        pass
    with closing(sqlite3.connect(path)) as con:
        con.execute("PRAGMA user_version = 1")
    with pytest.raises(StoreError, match="written by an older scenthound"), SqliteStore(path):
        pass


# What each version has that the one before it lacks.
NEW_IN = {
    6: "DROP VIEW page_belongs; DROP TABLE page_topics",
    5: "",
    4: "DROP VIEW changes; DROP TABLE visits; DROP TABLE lost_links; DROP TABLE backlinks; DROP TABLE asked_backwards;"
    "DROP TABLE distillations; DROP TABLE prestige",
    3: "DROP TABLE lesson_pages; DROP TABLE lessons; DROP INDEX hosts_urgent",
}


def as_version(path: Path, version: int) -> None:
    """Make a database what it was in an earlier version."""
    with closing(sqlite3.connect(path)) as con:
        for later in range(6, version, -1):
            con.executescript(NEW_IN[later])
        con.execute(f"PRAGMA user_version = {version}")


def half_crawled(path: Path, version: int) -> None:
    """Crawl one page of two, and leave the database as an earlier version did."""
    with SqliteStore(path) as store:
        store.add([found(A), found(B)], now=0.0)
        [taken] = claim(store, now=0.0, limit=1)
        put(store, page(taken, at=1.0, links=[found(B)], relevance=0.5), now=1.0)
    as_version(path, version)


@pytest.mark.parametrize("version", [2, 3, 5])
def test_a_crawl_of_an_earlier_version_is_taken_over(tmp_path: Path, version: int) -> None:
    path = tmp_path / "crawl.db"
    half_crawled(path, version)
    with SqliteStore(path) as store:
        assert store.check() == []
        assert store.last_lesson() == 0
        [(lesson, _)] = store.untaught(limit=9)
        store.teach([lesson])
        [taken] = claim(store, now=2.0)
        put(store, taught(page(taken, at=2.0)), now=2.0)
        store.revisit({A: 0}, now=3.0)
        put(store, page(claim(store, now=3.0)[0], at=3.0, digest="another", relevance=0.5), now=3.0)
    with SqliteStore(path) as store:
        story = store.story(A, now=3.0)
        assert story is not None
        assert [(one.at, one.change) for one in story.visits] == [(1.0, "appeared"), (3.0, "changed")]
        assert store.lessons(limit=9) == [
            Lesson(n=1, url=A, relevance=0.5, topics=("birds",), links=(LessonLink(B),)),
            Lesson(n=2, url=B),
        ]
        assert store.check() == []
    assert schema(path) == schema_of_new(tmp_path / "new.db")


def schema(path: Path) -> set[tuple[str, str]]:
    with closing(sqlite3.connect(path)) as con:
        version = con.execute("PRAGMA user_version").fetchone()[0]
        return {*con.execute("SELECT name, sql FROM sqlite_master"), ("version", str(version))}


def schema_of_new(path: Path) -> set[tuple[str, str]]:
    with SqliteStore(path):
        return schema(path)


@pytest.mark.parametrize("version", [2, 3])
def test_a_crawl_of_an_earlier_version_can_be_looked_at_and_stays_as_it_is(tmp_path: Path, version: int) -> None:
    path = tmp_path / "crawl.db"
    half_crawled(path, version)
    before = schema(path)
    with SqliteStore(path, read_only=True) as reader:
        assert [row.url for row in reader.pages()] == [A]
        assert (reader.lessons(limit=9), reader.last_lesson(), reader.lesson(A)) == ([], 0, None)
        assert [lesson.url for lesson, _ in reader.untaught(limit=9)] == [A]
        assert (reader.hubs(limit=9), reader.last_distillation()) == ([], None)
        assert [(one.url, one.visits[0].at) for one in reader.visited(limit=9)] == [(A, 1.0)]
        assert reader.check() == []
    assert schema(path) == before


@pytest.mark.slow
def test_a_batch_that_is_undone_teaches_nothing(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "crawl.db", quota=400_000) as store:
        store.add([found(A), found(B)], now=0.0)
        one, two = claim(store, now=0.0)
        many = [found(f"{A}{i}", text="long " * 50) for i in range(5000)]
        with pytest.raises(DiskFullError):
            store.record([taught(page(one, at=1.0)), taught(page(two, at=1.0, links=many))], now=1.0, archived={})
        assert store.last_lesson() == 0
        put(store, taught(page(two, at=1.0)), now=1.0)
        assert [(lesson.n, lesson.url) for lesson in store.lessons(limit=9)] == [(1, B)]


def test_a_missing_database_is_not_made_by_looking(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be opened"), SqliteStore(tmp_path / "no.db", read_only=True):
        pass
    assert list(tmp_path.iterdir()) == []


def test_a_store_that_is_not_open_says_so(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="with"):
        SqliteStore(tmp_path / "crawl.db").census(now=0.0)


@pytest.mark.slow
def test_on_a_full_disk_the_batch_is_undone_and_the_rest_stands(tmp_path: Path) -> None:
    path = tmp_path / "crawl.db"
    with SqliteStore(path, quota=400_000) as store:
        store.add([found(A), found(B)], now=0.0)
        one, two = claim(store, now=0.0)
        put(store, page(one, at=1.0, links=[found(A + "known")]), now=1.0)
        many = [found(f"{A}{i}", text="long " * 50) for i in range(5000)]
        with pytest.raises(DiskFullError, match="disk is full"):
            store.record([page(two, at=2.0, links=many)], now=2.0, archived={"x": 1})
        assert store.check() == []
        census = store.census(now=2.0)
        assert (census.pages, census.claimed, census.known) == (1, 1, 3)
        assert store.archived() == {}
    with SqliteStore(path) as store:  # there is room again
        [recorded] = store.record([page(two, at=3.0, links=many)], now=3.0, archived={"x": 1})
        assert (recorded.n, recorded.new_urls) == (2, 5000)
        assert store.check() == []


@pytest.mark.parametrize(
    ("trouble", "said"), [(errno.ENOSPC, "the disk is full; make room"), (errno.EIO, "see to the disk and start again")]
)
def test_a_disk_that_does_not_take_a_batch_in_is_told_of_before_the_turn_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, trouble: int, said: str
) -> None:
    def broken(_descriptor: int) -> None:
        raise OSError(trouble, os.strerror(trouble))

    monkeypatch.setattr(os, "fdatasync", broken)
    with SqliteStore(tmp_path / "crawl.db") as store:
        store.add([found(A)], now=0.0)
        store.record([page(*claim(store, now=0.0), at=0.0)], now=0.0, archived={}, soon=True)
        with pytest.raises(StoreError, match=said):
            store.settle()
        store.settle()  # told once


@pytest.mark.slow
def test_what_was_remembered_in_an_undone_batch_is_forgotten(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "crawl.db", quota=400_000) as store:
        store.add([found(A)], now=0.0)
        [taken] = claim(store, now=0.0)
        many = [found(f"http://h{i}.test/", text="long " * 50) for i in range(5000)]
        with pytest.raises(DiskFullError):
            store.record([page(taken, at=1.0, links=many)], now=1.0, archived={})
        [recorded] = store.record([page(taken, at=1.0, links=many[:5])], now=1.0, archived={})
        assert recorded.new_urls == 5
        assert store.check() == []


def test_readers_look_on_while_a_crawl_writes(tmp_path: Path) -> None:
    path = tmp_path / "crawl.db"
    with SqliteStore(path) as crawl, SqliteStore(path, read_only=True) as reader:
        crawl.add([found(A), found(B)], now=0.0)
        [taken] = claim(crawl, now=0.0, limit=1)
        assert reader.census(now=0.0).waiting == 1
        put(crawl, page(taken, at=1.0, title="seen"), now=1.0)
        assert [row.title for row in reader.pages()] == ["seen"]
        story = reader.story(A, now=1.0)
        assert story is not None
        assert story.state == "page"
        assert reader.check() == []
        with pytest.raises(StoreError, match="readonly"):
            reader.add([found(A + "x")], now=1.0)


@pytest.mark.slow
def test_a_crawl_does_not_wait_for_a_slow_reader(tmp_path: Path) -> None:
    path = tmp_path / "crawl.db"
    with SqliteStore(path, log_mb=0.05) as crawl, closing(sqlite3.connect(path, isolation_level=None)) as slow:
        crawl.add([found(f"{A}{i}") for i in range(40)], now=0.0)
        slow.execute("BEGIN")
        slow.execute("SELECT count(*) FROM urls").fetchone()
        for taken in claim(crawl, now=0.0):
            put(crawl, page(taken, at=1.0, links=[found(f"{B}{taken.id}")]), now=1.0)
        assert slow.execute("SELECT count(*) FROM pages").fetchone() == (0,)  # it sees its own moment
        slow.execute("ROLLBACK")
        assert slow.execute("SELECT count(*) FROM pages").fetchone() == (40,)


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root can become somebody who may not write")
def test_a_finished_crawl_is_read_where_nothing_may_be_written() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "crawl.db"
        with SqliteStore(path) as store:
            store.add([found(A)], now=0.0)
        Path(folder).chmod(0o555)
        code = (
            "import sys, os\n"
            "from scenthound.store.sqlite.store import SqliteStore\n"
            "os.setuid(65534)\n"
            "with SqliteStore(sys.argv[1], read_only=True) as store: print(store.census(now=0.0).known)\n"
        )
        said = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True)
        assert said.stdout == "1\n"


def test_strange_characters_do_not_stop_a_crawl(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "crawl.db") as store:
        store.add([found(A)], now=0.0)
        [taken] = claim(store, now=0.0)
        put(store, page(taken, at=1.0, title="half \ud83d", links=[found(B, text="\udc00 \x00 ok")]), now=1.0)
        assert [row.title for row in store.pages()] == ["half ?"]
        assert store.check() == []


def test_anybody_can_ask_the_views(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "crawl.db") as store:
        store.add([found(A), found(B, 0.5)], now=0.0)
        [taken] = claim(store, now=0.0, limit=1)
        put(store, page(taken, at=1.0, title="b", links=[found(A, text="go")]), now=1.0)
    with closing(sqlite3.connect(tmp_path / "crawl.db")) as con:
        assert con.execute("SELECT url, host, host_state FROM frontier").fetchall() == [(A, "a.test", "ready")]
        assert con.execute("SELECT n, url, title FROM fetched").fetchall() == [(1, B, "b")]
        assert con.execute("SELECT source, target, text FROM citations").fetchall() == [(B, A, "go")]
        assert con.execute("SELECT * FROM errors_by_reason").fetchall() == []
        assert dict(con.execute("SELECT * FROM hosts_by_state").fetchall()) == {"ready": 1, "idle": 1}


def test_the_view_of_urls_has_a_word_for_every_state(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "crawl.db") as store:
        store.add([found(f"http://{name}.test/") for name in ("page", "redirect", "failed", "claimed")], now=0.0)
        store.add([found(A), found(B, refusal=Reason.LOCKED)], now=0.0)
        taken = {one.host: one for one in claim(store, now=0.0)}
        put(store, page(taken["page.test"], at=1.0), now=1.0)
        put(store, moved(taken["redirect.test"], A, at=1.0), now=1.0)
        put(store, failed(taken["failed.test"], Reason.HTTP_ERROR, at=1.0), now=1.0)
        put(store, back(taken["a.test"], at=1.0), now=1.0)
    with closing(sqlite3.connect(tmp_path / "crawl.db")) as con:
        states = dict(con.execute("SELECT h.name, u.state FROM urls u JOIN hosts h ON h.id = u.host_id").fetchall())
    assert states == {
        **{f"{name}.test": name for name in ("page", "redirect", "failed", "claimed")},
        "a.test": "waiting",
        "b.test": "refused",
    }


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE standings SET key = key + 1",
        "DELETE FROM standings",
        "DELETE FROM finds",
        "UPDATE standings SET state = 1",
        "UPDATE standings SET priority = 9.0",
        "DELETE FROM lessons",
        "DELETE FROM lesson_pages",
        "DELETE FROM lessons WHERE n = 1",
    ],
)
def test_a_check_tells_when_what_is_known_of_a_url_does_not_agree(tmp_path: Path, damage: str) -> None:
    with SqliteStore(tmp_path / "crawl.db") as store:
        store.add([found(A), found(B), found(A + "1"), found(A + "2")], now=0.0)
        for taken in claim(store, now=0.0, limit=2):
            put(store, taught(page(taken, at=1.0)), now=1.0)
        assert store.check() == []
    with closing(sqlite3.connect(tmp_path / "crawl.db")) as con, con:
        con.execute(damage)
    with SqliteStore(tmp_path / "crawl.db") as store:
        assert store.check() != []


# Byte 128 of the index of the log is locked by every process that uses the log ("WAL-mode file format", section 2.3.1).
_IS_FREE = """
import fcntl, sys
with open(sys.argv[1], "r+b") as index:
    fcntl.lockf(index, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, 128)
"""


def test_a_crawl_keeps_its_hold_on_the_index_of_the_log(tmp_path: Path) -> None:
    """Whoever finds it free cuts the index off, and the crawl dies of a bus error."""
    path = tmp_path / "crawl.db"
    with SqliteStore(path) as store:
        store.add([found(A)], now=0.0)
        [taken] = claim(store, now=0.0)
        put(store, page(taken, at=1.0), now=1.0)
        done = subprocess.run([sys.executable, "-c", _IS_FREE, f"{path}-shm"], capture_output=True, timeout=PATIENCE)
        assert b"BlockingIOError" in done.stderr


@pytest.mark.slow
def test_the_length_of_the_log_counts_what_was_written_since_it_was_begun_anew(tmp_path: Path) -> None:
    path = tmp_path / "crawl.db"
    with SqliteStore(path) as store, closing(sqlite3.connect(path, isolation_level=None)) as other:
        store.add([found(f"{A}{number}") for number in range(2_000)], now=0.0)
        _, frames, _ = other.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
        assert length(path) == frames * 4120
        assert turn(other, path)
        assert 0 < length(path) <= 5 * 4120


@pytest.mark.slow
def test_the_log_of_a_small_crawl_stays_small(tmp_path: Path) -> None:
    """It is no longer than the database, or four megabytes, however much is written."""
    path = tmp_path / "crawl.db"
    longest = 0
    with SqliteStore(path) as store:
        store.add([found(f"http://h{n}.test/") for n in range(3000)], now=0.0)
        for turn in range(20):  # ten megabytes, were it not cut
            put_moves = {f"http://h{n}.test/": float(turn + n) for n in range(3000)}
            store.move(put_moves, now=float(turn))
            store.settle()
            longest = max(longest, log_bytes(path))
        assert longest > 0
    assert longest < max(5_000_000, 2 * path.stat().st_size) + 3_000_000
    assert log_bytes(path) == 0


@pytest.mark.slow
@pytest.mark.parametrize("moment", ["during", *slowly("before")])
def test_a_stop_leaves_no_log_behind_though_somebody_looks_on(tmp_path: Path, moment: str) -> None:
    """A reader that is open and idle, as a window is, keeps SQLite from deleting the log: it must at least be empty."""
    path = tmp_path / "crawl.db"
    with SqliteStore(path) as store:
        store.add([found(f"http://h{n}.test/") for n in range(3000)], now=0.0)
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True, isolation_level=None)) as reader:
            if moment == "during":
                reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM finds").fetchone()
            for turn in range(3):
                store.move({f"http://h{n}.test/": float(turn + n) for n in range(3000)}, now=float(turn))
            if moment == "during":
                reader.execute("ROLLBACK")
            assert log_bytes(path) > 1_000_000
            store.close()
            assert log_bytes(path) == 0
            assert reader.execute("SELECT count(*) FROM finds").fetchone() == (3000,)


@pytest.mark.slow
def test_a_log_that_a_reader_has_let_grow_is_cut_when_it_has_gone(tmp_path: Path) -> None:
    path = tmp_path / "crawl.db"
    with SqliteStore(path, log_mb=1) as store:
        store.add([found(f"http://h{n}.test/") for n in range(3000)], now=0.0)

        def write(times: int) -> None:
            for turn in range(times):
                store.move({f"http://h{n}.test/": float(turn * times + n) for n in range(3000)}, now=float(turn))

        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True, isolation_level=None)) as reader:
            reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM finds").fetchone()
            write(20)
            grown = log_bytes(path)
        assert grown > 4_000_000

        def is_cut() -> bool:
            write(2)
            return log_bytes(path) < grown / 2

        wait_until(is_cut)


def log_bytes(path: Path) -> int:
    log = path.with_name(f"{path.name}-wal")
    return log.stat().st_size if log.exists() else 0
