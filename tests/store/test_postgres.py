"""What is special about a store on a server: one writer, many crawls, versions, passwords, and a server that goes away."""

import sqlite3
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from importlib.resources import files

import pytest

from scenthound.crawl.engine.lost_server import EnduringStore
from scenthound.errors import LostServerError, NewerStoreError, ScenthoundError, StoreError, UsageError
from scenthound.settings.schema import Settings
from scenthound.settings.server_url import ServerUrl
from scenthound.store.postgres.connection import PostgresConnection
from scenthound.store.postgres.question import ask_server
from scenthound.store.postgres.store import PostgresStore
from scenthound.store.store_place import is_there, reader_at, store_at
from scenthound.store.transfer.table_rows import tables
from tests.store.lossy_link import LossyLink
from tests.store.postgres_server import Server, emptied_store, shared_server
from tests.store.small_world import FREE, claim, found, page, put

pytestmark = pytest.mark.slow


@pytest.fixture
def server() -> Server:
    return shared_server()


@pytest.fixture
def url(server: Server) -> Iterator[ServerUrl]:
    """The address of a crawl that is not there yet."""
    url = ServerUrl.read(server.new_url())
    yield url
    server.psql(f'DROP SCHEMA IF EXISTS "{url.schema}" CASCADE')


def test_both_databases_have_the_same_tables_and_views_with_the_same_columns(server: Server) -> None:
    with emptied_store():
        said = server.psql(
            "SELECT table_name || ' ' || string_agg(column_name, ',' ORDER BY ordinal_position) "
            "FROM information_schema.columns WHERE table_schema = 'emptied' GROUP BY table_name"
        )
    there = {name: tuple(columns.split(",")) for name, columns in (line.split() for line in said.splitlines())}
    there["hosts"] = there["hosts"][:-1]  # the shard, which only several engines need
    assert {table.name: there.get(table.name) for table in tables()} == {one.name: one.columns for one in tables()}
    with closing(sqlite3.connect(":memory:")) as con:
        con.executescript(files("scenthound.store.sqlite").joinpath("schema.sql").read_text("utf-8"))
        for (view,) in con.execute("SELECT name FROM sqlite_master WHERE type = 'view'").fetchall():
            columns = tuple(column[0] for column in con.execute(f"SELECT * FROM {view}").description)
            assert there[view] == columns


def test_crawls_of_one_server_do_not_see_each_other(url: ServerUrl) -> None:
    assert not is_there(url)
    with emptied_store() as one, PostgresStore(url) as other:
        one.add([found("http://a.test/")], now=0.0)
        assert (one.census(now=0.0).known, other.census(now=0.0).known) == (1, 0)
    assert is_there(url)


def test_one_process_writes_and_any_number_read(url: ServerUrl) -> None:
    with PostgresStore(url) as store:
        store.add([found("http://a.test/")], now=0.0)
        with pytest.raises(StoreError, match="another process is crawling"), PostgresStore(url):
            pass
        with store_at(url, read_only=True) as reader, pytest.raises(StoreError, match="only readers"):
            reader.note("key", "value")
    with PostgresStore(url) as store:
        assert store.census(now=0.0).known == 1


def test_tables_of_a_newer_program_are_refused(server: Server, url: ServerUrl) -> None:
    with PostgresStore(url):
        pass
    server.psql(f'UPDATE "{url.schema}".store_version SET version = 99')
    with pytest.raises(NewerStoreError, match="update it"), PostgresStore(url):
        pass
    with pytest.raises(NewerStoreError, match="update it"):
        reader_at(url)


def test_a_crawl_that_is_not_there_is_not_made_by_a_reader(url: ServerUrl) -> None:
    with pytest.raises(StoreError, match="no such crawl on the server"), store_at(url, read_only=True):
        pass
    assert not is_there(url)


def test_text_that_postgresql_cannot_have_is_recorded_nevertheless() -> None:
    with emptied_store() as store:
        store.add([found("http://a.test/")], now=0.0)
        [taken] = claim(store, now=0.0)
        put(store, page(taken, at=1.0, title="a\0b"), now=1.0)
        assert [row.title for row in store.pages()] == ["a\ufffdb"]


def test_a_batch_that_fails_leaves_nothing_behind() -> None:
    with emptied_store() as store:
        store.add([found("http://a.test/")], now=0.0)
        [taken] = claim(store, now=0.0)

        def fail() -> None:
            raise OSError("the archive is on fire")

        with pytest.raises(OSError, match="fire"):
            store.record([page(taken, at=1.0, links=[found("http://b.test/")])], now=1.0, archived={}, synced=fail)
        assert (store.census(now=1.0).known, store.census(now=1.0).claimed) == (1, 1)
        put(store, page(taken, at=1.0, links=[found("http://b.test/")]), now=1.0)
        assert store.census(now=1.0).known == 2
        assert store.check() == []


def test_many_rows_go_into_a_table_whatever_the_size_of_its_letters(url: ServerUrl) -> None:
    with PostgresStore(url), closing(reader_at(url)) as con:
        con.execute("CREATE TEMP TABLE IF NOT EXISTS HUBS (oid INTEGER PRIMARY KEY, score REAL NOT NULL)")
        con.executemany("INSERT INTO HUBS VALUES (?, ?)", [(oid, 0.5) for oid in range(10)])
        assert con.execute("SELECT count(*) FROM HUBS").fetchone() == (10,)


def test_a_write_that_waits_tells_how_many_rows_it_touched(url: ServerUrl) -> None:
    with PostgresStore(url):
        pass
    con = PostgresConnection(url, read_only=False)
    con.open()
    with closing(con):
        con.executescript("BEGIN")
        con.executemany("INSERT INTO notes VALUES (?, ?)", [("a", "1"), ("b", "2")])
        assert con.execute("UPDATE notes SET value = ? WHERE key <> ?", ("3", "c")).rowcount == 2
        con.execute("DELETE FROM notes WHERE key = ?", ("a",))
        assert con.execute("SELECT key, value FROM notes").fetchone() == ("b", "3")
        con.execute("DELETE FROM notes")
        con.executescript("ROLLBACK")
        assert con.execute("SELECT count(*) FROM notes").fetchone() == (0,)


@pytest.mark.parametrize("kill", [False, True])
def test_a_crawl_waits_for_a_server_that_is_away_and_goes_on(server: Server, url: ServerUrl, kill: bool) -> None:
    said: list[str] = []
    with PostgresStore(url) as opened:
        store = EnduringStore(opened, say=said.append, is_over=lambda: False)
        store.add([found(f"http://{name}.test/") for name in "abc"], now=0.0)
        claims = store.claim(owner="me", now=0.0, limit=3, limits=FREE, lease=600.0)
        server.stop(kill=kill)
        again = threading.Timer(1.0, server.start)
        again.start()
        store.record([page(taken, at=1.0) for taken in claims], now=1.0, archived={})
        again.join()
        census = opened.census(now=1.0)
        # A server that dies may lose the last claims, which do not wait for its disk: then their URLs wait again.
        assert census.pages == 3 or (kill and census.waiting == 3)
        store.record([page(taken, at=1.0) for taken in claims], now=1.0, archived={})  # as if the answer had been lost
        assert opened.census(now=1.0) == census
        assert opened.check() == []
    assert "waits for it" in said[0]
    assert "goes on" in said[1]
    assert len(said) == 2


def test_pages_that_are_read_one_by_one_go_on_when_the_server_is_back(server: Server, url: ServerUrl) -> None:
    said: list[str] = []
    with PostgresStore(url) as opened:
        store = EnduringStore(opened, say=said.append, is_over=lambda: False)
        store.add([found(f"http://{number}.test/") for number in range(450)], now=0.0)
        claims = store.claim(owner="me", now=0.0, limit=450, limits=FREE, lease=600.0)
        store.record([page(taken, at=1.0) for taken in claims], now=1.0, archived={})
        rows = store.pages()
        numbers = [next(rows).n for _ in range(10)]
        server.stop()
        again = threading.Timer(1.0, server.start)
        again.start()
        numbers += [row.n for row in rows]
        again.join()
        assert numbers == [row.n for row in opened.pages()]
    assert len(said) == 2


def test_a_connection_that_the_server_has_closed_counts_as_a_lost_server(server: Server, url: ServerUrl) -> None:
    """The driver raises at once when it knows that already, and not when one waits for the answer."""
    ending = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = {}"
    with PostgresStore(url) as store:
        con = store.session.con
        [own] = con.execute("SELECT pg_backend_pid()").fetchone()
        server.psql(ending.format(own))
        for _ in range(2):
            with pytest.raises(LostServerError):
                con.execute("SELECT pg_backend_pid()")
        with pytest.raises(LostServerError):
            con.executemany("INSERT INTO notes VALUES (?, ?)", [("a", "b")])
        assert store.note("key") is None  # it reaches the server again


def test_nothing_is_lost_or_done_twice_where_the_answer_to_a_commit_gets_lost(server: Server, url: ServerUrl) -> None:
    said: list[str] = []
    with closing(LossyLink(server)) as link:
        near = ServerUrl.read(f"postgresql://scent@127.0.0.1:{link.port}/postgres?crawl={url.schema}")
        with PostgresStore(near, engine="one") as opened:
            store = EnduringStore(opened, say=said.append, is_over=lambda: False)
            store.add([found(f"http://{name}.test/") for name in "abcd"], now=0.0)
            first = store.claim(owner="", now=0.0, limit=1, limits=FREE, lease=600.0)
            link.lose()
            others = store.claim(owner="", now=100.0, limit=2, limits=FREE, lease=600.0)
            assert link.has_lost
            assert len(others) == 2
            assert opened.census(now=100.0).claimed == 3  # and none of which nobody knows
            link.lose()
            store.record([page(taken, at=101.0) for taken in (*first, *others)], now=101.0, archived={})
            assert link.has_lost
            last = store.claim(owner="", now=200.0, limit=5, limits=FREE, lease=600.0)
            store.record([page(taken, at=201.0) for taken in last], now=201.0, archived={})
            assert sorted(row.url for row in opened.pages()) == [f"http://{name}.test/" for name in "abcd"]
            assert opened.session.con.execute("SELECT count(*) FROM fetches").fetchone() == (4,)
            assert opened.check() == []
    assert len(said) == 4


def test_who_wants_to_stop_need_not_wait_for_a_server(server: Server, url: ServerUrl) -> None:
    with PostgresStore(url) as opened:
        store = EnduringStore(opened, say=lambda _: None, is_over=lambda: True)
        server.stop()
        try:
            with pytest.raises(LostServerError, match="cannot be reached"):
                store.add([found("http://a.test/")], now=0.0)
        finally:
            server.start()


def test_a_password_is_used_and_never_shown(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    server.psql(
        "DROP OWNED BY careful" if server.psql("SELECT 1 FROM pg_roles WHERE rolname = 'careful'") else "SELECT 1"
    )
    server.psql("DROP ROLE IF EXISTS careful")
    server.psql("CREATE ROLE careful LOGIN PASSWORD 'fish&chips'")
    server.psql("GRANT CREATE ON DATABASE postgres TO careful")
    plain = server.url("careful_crawl", user="careful")
    for wrong in (plain, plain.replace("careful@", "careful:hunter2@"), plain + "&password=hunter2"):
        with pytest.raises(StoreError, match="refuses this user") as caught, PostgresStore(ServerUrl.read(wrong)):
            pass
        assert "hunter2" not in str(caught.value)
    monkeypatch.setenv("PGPASSWORD", "fish&chips")
    with PostgresStore(ServerUrl.read(plain)) as store:
        assert store.census(now=0.0).known == 0
    server.psql("DROP OWNED BY careful")
    server.psql("DROP ROLE careful")


def test_settings_take_no_password_and_do_not_repeat_it() -> None:
    from scenthound.settings.file import override

    for address in ("postgresql://me:hunter2@db.test/x?crawl=a", "postgresql://db.test/x?crawl=a&password=hunter2"):
        with pytest.raises(ScenthoundError, match="pgpass") as caught:
            override(Settings(), [f"store.url={address}"])
        assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize(
    "address",
    [
        "mysql://db.test/x?crawl=a",
        "postgresql://db.test/x",
        "postgresql://db.test/x?crawl=Public",
        "postgresql://db.test/x?crawl=pg_catalog",
        "postgresql://db.test/x?crawl=a%22;drop",
        "postgresql://db.test:port/x?crawl=a",
    ],
)
def test_an_address_that_cannot_be_used_is_refused(address: str) -> None:
    with pytest.raises(UsageError):
        ServerUrl.read(address)


def test_questions_only_read(server: Server) -> None:
    with emptied_store() as store:
        store.add([found("http://a.test/")], now=0.0)
        url = ServerUrl.read(server.url("emptied"))
        answer = ask_server(url, "-- all\nSELECT url, state FROM urls;", seconds=5.0)
        assert (answer.columns, list(answer.rows)) == (("url", "state"), [("http://a.test/", "waiting")])
        for statement in (
            "DELETE FROM finds",
            "WITH gone AS (DELETE FROM finds RETURNING id) SELECT * FROM gone",
            "SELECT 1; DELETE FROM finds",
            "SELECT nothing FROM finds",
            "SELECT $1",
        ):
            with pytest.raises(UsageError):
                list(ask_server(url, statement, seconds=5.0).rows)
        with pytest.raises(ScenthoundError, match="stopped after"):
            list(ask_server(url, "SELECT pg_sleep(5)", seconds=0.2).rows)
        assert store.census(now=0.0).known == 1


def test_an_engine_that_loses_its_connection_while_it_waits_for_its_first_turn_tries_again(
    server: Server, url: ServerUrl
) -> None:
    """So does the server end it when the process was stopped in its turn for half a lease."""
    waiting = "SELECT pid FROM pg_stat_activity WHERE wait_event = 'advisory'"
    with PostgresStore(url, engine="first") as first, ThreadPoolExecutor() as pool:
        second = PostgresStore(url, engine="second")
        with first.session.transaction(durable=True):
            opened = pool.submit(second.__enter__)
            ended = set[str]()
            while len(ended) < 2:
                assert not opened.done()
                if (process := server.psql(waiting)) and process not in ended:
                    server.psql(f"SELECT pg_terminate_backend({process})")
                    ended.add(process)
        with closing(opened.result()):
            assert [engine.name for engine in first.engines()] == ["first", "second"]


def test_a_claim_has_the_number_under_which_it_was_made_also_when_the_next_one_has_another(
    server: Server, url: ServerUrl
) -> None:
    """An engine may lose its lease between two claims of one turn. It asked for both, while others had the first."""
    with PostgresStore(url, engine="one") as one, PostgresStore(url, engine="two") as two:
        one.add([found(f"http://{name}.test/") for name in "abcdefgh"], now=0.0)
        [first] = one.claim(owner="", now=0.0, limit=1, limits=FREE, lease=600.0)
        assert not one.lease.has_lost(first.engine)
        server.psql(f'UPDATE "{url.schema}".engines SET until = 0 WHERE id = {first.engine}')
        theirs = two.claim(owner="", now=10.0, limit=8, limits=FREE, lease=600.0)
        assert first.url in [claim.url for claim in theirs]
        one.add([found(f"http://{number}.test/") for number in range(50)], now=20.0)
        again = one.claim(owner="", now=20.0, limit=8, limits=FREE, lease=600.0)
        assert again
        assert one.lease.has_lost(first.engine)
        assert not any(one.lease.has_lost(claim.engine) for claim in again)
        assert not {claim.url for claim in again} & {claim.url for claim in theirs}
