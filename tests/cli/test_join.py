"""Several engines on one crawl: `crawl` and `join` beside each other, edits that reach all, and what status says."""

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from scenthound.demo.server import ServedWeb
from scenthound.settings.server_url import ServerUrl
from scenthound.store.postgres.store import PostgresStore
from tests.cli.conftest import one_line, scenthound, settings_for
from tests.patience import PATIENCE
from tests.store.postgres_server import Server, shared_server

pytestmark = pytest.mark.slow


@pytest.fixture
def server() -> Server:
    return shared_server()


@pytest.fixture
def url(server: Server) -> Iterator[str]:
    url = server.new_url()
    yield url
    server.psql(f'DROP SCHEMA IF EXISTS "{ServerUrl.read(url).schema}" CASCADE')


def new(path: Path, url: str) -> None:
    made = scenthound("new", path, "http://a.example/", "--set", f"store.url={url}")
    assert made.code == 0, made.err


def wait_for(what: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not what():
        assert time.monotonic() < end
        time.sleep(0.2)


def test_an_engine_joins_with_the_settings_and_topics_of_the_crawl(served: ServedWeb, url: str, tmp_path: Path) -> None:
    path, other = tmp_path / "first", tmp_path / "second"
    new(path, url)
    slow = ["--set", "fetch.delay=2"]
    command = [sys.executable, "-m", "scenthound", "crawl", str(path), "--quiet", *settings_for(served.port), *slow]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as first:
        with PostgresStoreWhenThere(url) as store:
            wait_for(lambda: store.shared_file("topics.toml") is not None)
        joined = scenthound("join", url, "--dir", other, "--quiet", *settings_for(served.port))
        assert joined.code == 0, joined.err
        said, _ = first.communicate(timeout=PATIENCE)
        assert first.returncode == 0, said
    assert (other / "topics.toml").read_text() == (path / "topics.toml").read_text()
    assert len(list((path / "archive").glob("*.warc.gz"))) == 1
    archives = {file.name for folder in (path, other) for file in (folder / "archive").glob("*.warc.gz")}
    assert len(archives) == len([*(path / "archive").glob("*"), *(other / "archive").glob("*")])
    for folder in (path, other):
        rows = scenthound("export", folder, "--format", "csv").out.splitlines()
        assert len([row for row in rows if "/page/" in row]) >= 12
        assert len(rows) == len(set(rows))
        assert scenthound("status", folder).out.startswith("not running")


def test_edits_reach_the_folders_of_other_engines(served: ServedWeb, url: str, tmp_path: Path) -> None:
    path, other = tmp_path / "first", tmp_path / "second"
    new(path, url)
    crawl = ("--quiet", "--pages", "3", *settings_for(served.port))
    assert scenthound("crawl", path, *crawl).code == 0
    assert scenthound("join", url, "--dir", other, "--quiet", *settings_for(served.port)).code == 0
    topics = path / "topics.toml"
    topics.write_text(topics.read_text() + '\n[[topic]]\npath = "Weather"\nexamples = ["http://b.example/"]\n')
    settings = other / "crawl.toml"
    settings.write_text(settings.read_text().replace("pages = 0", "pages = 77", 1))
    assert scenthound("crawl", path, *crawl).code == 0  # puts the topics there
    assert scenthound("join", url, "--dir", other, "--quiet", *settings_for(served.port)).code == 0
    assert "Weather" in (other / "topics.toml").read_text()
    assert scenthound("crawl", path, *crawl).code == 0
    assert "pages = 77" in topics.with_name("crawl.toml").read_text()
    # Edited in both places: the version that was there first counts, and the other one is kept.
    for folder, name in ((path, "Tides"), (other, "Winds")):
        file = folder / "topics.toml"
        file.write_text(file.read_text().replace("Weather", name))
    assert scenthound("crawl", path, *crawl).code == 0
    joined = scenthound("join", url, "--dir", other, "--quiet", *settings_for(served.port))
    assert "edited here and elsewhere" in joined.err
    assert "Tides" in (other / "topics.toml").read_text()
    assert "Winds" in (other / "topics.toml.mine-1").read_text()


def test_status_lists_the_engines(server: Server, url: str, tmp_path: Path) -> None:
    path = tmp_path / "first"
    new(path, url)
    with PostgresStore(ServerUrl.read(url), engine="there:1"), PostgresStore(ServerUrl.read(url), engine="there:2"):
        said = scenthound("status", path).out
        assert said.startswith("running")
        assert "there:1: 0.0 pages a second, 0 pages, 512 of 1,024 shards" in said
        engines = json.loads(scenthound("status", path, "--json").out)["engines"]
        assert [(engine["name"], engine["teaches"]) for engine in engines] == [("there:1", True), ("there:2", False)]
        for command in (("topics", path, "train"), ("move", path, "--to", "sqlite")):
            ran = scenthound(*command)
            if ran.code == 2 and "No such command" in ran.err:
                continue
            assert ran.code in (1, 2)
            assert "another process" in one_line(ran.err)
    assert scenthound("status", path).out.startswith("not running")


def test_what_cannot_be_joined_is_said_in_one_line(served: ServedWeb, url: str, tmp_path: Path) -> None:
    full = tmp_path / "full"
    full.mkdir()
    (full / "note.txt").write_text("mine")
    for address, folder, words in (
        ("crawl.db", tmp_path / "a", "write postgresql://"),
        (url, tmp_path / "a", "no such crawl on the server"),
    ):
        ran = scenthound("join", address, "--dir", folder)
        assert ran.code in (1, 2)
        assert words in one_line(ran.err)
    with PostgresStore(ServerUrl.read(url)):
        pass
    assert "has not shared its settings yet" in one_line(scenthound("join", url, "--dir", tmp_path / "a").err)
    path = tmp_path / "first"
    new(path, url)
    assert scenthound("crawl", path, "--quiet", "--pages", "1", *settings_for(served.port)).code == 0
    assert "not an empty folder" in one_line(scenthound("join", url, "--dir", full).err)
    made = scenthound("new", tmp_path / "else", "http://a.example/")
    assert made.code == 0
    assert "is another crawl" in one_line(scenthound("join", url, "--dir", tmp_path / "else").err)


class PostgresStoreWhenThere:
    """A reader of a crawl that another process is about to begin."""

    def __init__(self, url: str) -> None:
        self._store = PostgresStore(ServerUrl.read(url), read_only=True)

    def __enter__(self) -> PostgresStore:
        def is_there() -> bool:
            with suppress(Exception):
                self._store.__enter__()
                return True
            return False

        wait_for(is_there)
        return self._store

    def __exit__(self, *_: object) -> None:
        self._store.close()
