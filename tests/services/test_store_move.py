"""A crawl moves to a server and back: whatever kills the move, nothing is lost, and both places agree."""

import os
import random
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.crawl.directory.open_store import open_store
from scenthound.errors import ScenthoundError, StoreError, UsageError
from scenthound.services.crawls.store_move import SQLITE, move_store
from scenthound.settings.server_url import ServerUrl
from scenthound.store.store_place import reader_at, store_at
from scenthound.store.transfer.copy_store import Step
from scenthound.store.transfer.table_rows import digest_of, tables
from scenthound.taxonomy import Topic, Topics
from tests.store.crawling_child import turn
from tests.store.postgres_server import Server, shared_server
from tests.store.small_world import found

pytestmark = pytest.mark.slow


def quietly(_: Step) -> None:
    pass


@pytest.fixture
def directory(tmp_path: Path) -> CrawlDirectory:
    """A crawl that has known better days: pages, failures, redirects, claims that nobody has given back."""
    topics = Topics(topics=(Topic(path="birds", good=True, examples=("http://h1.d0.test/",)),))
    directory = CrawlDirectory.create(tmp_path / "crawl", topics=topics)
    with open_store(directory) as store:
        _crawl_on(store, 6)
    return directory


def _crawl_on(store: object, turns: int) -> None:
    chance = random.Random(turns)
    store.add([found(f"http://h{i}.d{i // 4}.test/") for i in range(30)], now=0.0)  # type: ignore[attr-defined]
    for now in range(1, turns + 1):
        turn(store, chance, float(now))  # type: ignore[arg-type]


@pytest.fixture
def server() -> Server:
    return shared_server()


@pytest.fixture
def url(server: Server) -> Iterator[str]:
    url = server.new_url()
    yield url
    server.psql(f'DROP SCHEMA IF EXISTS "{ServerUrl.read(url).schema}" CASCADE')


def digests(directory: CrawlDirectory) -> dict[str, tuple[int, str]]:
    con = reader_at(directory.store)
    try:
        return {table.name: digest_of(con, table) for table in tables()}
    finally:
        con.close()


def test_there_and_back_again_everything_is_equal_and_the_crawl_goes_on(directory: CrawlDirectory, url: str) -> None:
    before = digests(directory)
    moved = move_store(directory, url, say=quietly)
    assert digests(directory) == before
    assert moved.copied.rows == moved.copied.copied == sum(rows for rows, _ in before.values())
    assert not directory.database.exists()
    assert Path(moved.left).exists()
    with open_store(directory) as store:
        _crawl_on(store, 3)
        assert store.check() == []  # type: ignore[attr-defined]
    after = digests(directory)
    move_store(directory, SQLITE, say=quietly)
    assert digests(directory) == after != before
    with open_store(directory) as store:
        _crawl_on(store, 2)
        assert store.check() == []  # type: ignore[attr-defined]
    with pytest.raises(StoreError, match="was moved to"), store_at(ServerUrl.read(url)):
        pass
    move_store(directory, url, say=quietly)  # the place that was given up may be taken again
    assert isinstance(directory.store, ServerUrl)


@pytest.mark.parametrize("to_server", [True, False])
def test_a_move_that_is_killed_at_any_step_goes_on(directory: CrawlDirectory, url: str, to_server: bool) -> None:
    if not to_server:
        move_store(directory, url, say=quietly)
    target, before = url if to_server else SQLITE, digests(directory)
    source = directory.store
    for step in (1, 3, 9, 16, 28, 40):
        _killed_at(step, directory, target)
        if directory.store == source:  # it was killed before the end: the crawl is where it was
            assert digests(directory) == before
    copied = move_store(directory, target, say=quietly).copied.copied if directory.store == source else 0
    assert digests(directory) == before
    assert directory.store != source
    assert copied < sum(rows for rows, _ in before.values()) / 2


def _killed_at(step: int, directory: CrawlDirectory, target: str) -> None:
    child = os.fork()
    if child == 0:
        left = step

        def die(_: Step) -> None:
            nonlocal left
            left -= 1
            if not left:
                os.kill(os.getpid(), signal.SIGKILL)

        try:
            move_store(directory, target, say=die)
        finally:
            os._exit(0)
    os.waitpid(child, 0)


def test_a_crawl_that_went_on_after_a_killed_move_is_copied_as_it_is_now(directory: CrawlDirectory, url: str) -> None:
    _killed_at(12, directory, url)
    with open_store(directory) as store:
        _crawl_on(store, 4)
    before = digests(directory)
    move_store(directory, url, say=quietly)
    assert digests(directory) == before


def test_another_crawl_is_never_written_over(directory: CrawlDirectory, url: str) -> None:
    with store_at(ServerUrl.read(url)) as store:
        store.add([found("http://other.test/")], now=0.0)
    before = digests(directory)
    with pytest.raises(StoreError, match="another crawl already"):
        move_store(directory, url, say=quietly)
    assert digests(directory) == before
    with store_at(ServerUrl.read(url)) as store:
        assert store.census(now=0.0).known == 1


def test_a_move_whose_end_was_killed_finds_its_own_copy(directory: CrawlDirectory, url: str) -> None:
    settings = directory.settings_file.read_text()
    moved = move_store(directory, url, say=quietly)
    Path(moved.left).rename(directory.database)
    directory.settings_file.write_text(settings)  # as if it had been killed before it wrote crawl.toml
    assert move_store(directory, url, say=quietly).copied.copied == 0
    assert isinstance(directory.store, ServerUrl)


@pytest.mark.parametrize("to", ["crawl.db", "mysql://db.test/x?crawl=a", "postgresql://db.test/x", SQLITE])
def test_a_place_that_makes_no_sense_is_refused(directory: CrawlDirectory, to: str) -> None:
    with pytest.raises(UsageError):
        move_store(directory, to, say=quietly)
    assert directory.database.exists()


def test_a_server_that_is_not_there_changes_nothing(directory: CrawlDirectory, tmp_path: Path) -> None:
    with pytest.raises(ScenthoundError, match="cannot be reached"):
        move_store(directory, f"postgresql://me@/x?host={tmp_path}&crawl=a", say=quietly)
    assert directory.database.exists()
    assert directory.settings().store.url == ""
