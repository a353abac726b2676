"""The commands on a crawl that lies on a PostgreSQL server: they say the same as of the crawl in its folder."""

import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from scenthound.demo.server import ServedWeb
from scenthound.settings.server_url import ServerUrl
from tests.cli.conftest import Crawled, one_line, scenthound, settings_for
from tests.store.postgres_server import shared_server

pytestmark = pytest.mark.slow


@dataclass(frozen=True, slots=True, kw_only=True)
class Both:
    """The same crawl twice: in its folder, and on a server."""

    here: Path
    there: Path
    url: str


@pytest.fixture(scope="module")
def both(crawled: Crawled, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Both]:
    server = shared_server()
    folder, url = tmp_path_factory.mktemp("both"), server.new_url()
    for name in ("here", "there"):
        shutil.copytree(crawled.path, folder / name)
    moved = scenthound("move", folder / "there", "--to", url)
    assert moved.code == 0, moved.err
    assert "compared one by one" in moved.out
    yield Both(here=folder / "here", there=folder / "there", url=url)
    server.psql(f'DROP SCHEMA "{ServerUrl.read(url).schema}" CASCADE')


@pytest.mark.parametrize(
    "command",
    [
        ("status",),
        ("why", "http://a.example/page/3"),
        ("why", "http://a.example/missing"),
        ("export", "--format", "csv"),
        ("export", "--format", "jsonl", "--all"),
        ("topics",),
        ("hubs",),
        ("sites",),
        ("search", "words"),
        ("sql", "SELECT url, title FROM fetched ORDER BY n LIMIT 5"),
        ("sql", "SELECT url, numtries, serverload FROM CRAWL ORDER BY url"),
        ("sql", "DELETE FROM pages"),
        ("sql", "SELECT nothing FROM pages"),
    ],
    ids=" ".join,
)
def test_a_command_says_the_same_on_a_server(both: Both, command: tuple[str, ...]) -> None:
    here, there = (scenthound(command[0], path, *command[1:]) for path in (both.here, both.there))
    assert (there.code, _plain(there.out, both)) == (here.code, _plain(here.out, both)), there.err


def _plain(text: str, both: Both) -> str:
    """Return what was said without names of folders, the line about the server, and times."""
    text = text.replace(str(both.here), "DIR").replace(str(both.there), "DIR")
    text = re.sub(r"^  store .*\n", "", text, flags=re.MULTILINE)
    return re.sub(r"\d+ ms|\d+(\.\d+)? (s|minutes?) ", "TIME ", text)


def test_status_names_the_server(both: Both) -> None:
    assert ServerUrl.read(both.url).schema in scenthound("status", both.there).out


def test_a_crawl_begins_and_goes_on_on_a_server(served: ServedWeb, tmp_path: Path) -> None:
    server = shared_server()
    url, path = server.new_url(), tmp_path / "crawl"
    made = scenthound("new", path, "http://a.example/", "--set", f"store.url={url}")
    assert made.code == 0, made.err
    for pages in (5, 100):
        ran = scenthound("crawl", path, "--quiet", "--pages", str(pages), *settings_for(served.port))
        assert ran.code == 0, ran.err
    assert not (path / "crawl.db").exists()
    rows = scenthound("export", path, "--format", "csv").out.splitlines()
    assert len([row for row in rows if "/page/" in row]) >= 12
    server.psql(f'DROP SCHEMA "{ServerUrl.read(url).schema}" CASCADE')


def test_a_corpus_is_exported_without_the_archives_of_other_engines(both: Both, tmp_path: Path) -> None:
    pages = f'"{ServerUrl.read(both.url).schema}".pages'
    server = shared_server()
    server.psql(f"UPDATE {pages} SET archive_file = 'scenthound-00002-00001.warc.gz' WHERE n % 2 = 0")
    try:
        ran = scenthound("export", both.there, "--format", "warc", "--out", tmp_path / "warc")
    finally:
        server.psql(f"UPDATE {pages} SET archive_file = 'scenthound-00001.warc.gz' WHERE archive_file IS NOT NULL")
    assert ran.code == 0, ran.err
    assert "pages are not in it" in ran.err
    assert "has no scenthound-00002-00001.warc.gz; copy the archives of all engines there" in ran.err
    lines = (tmp_path / "warc" / "index.cdxj").read_text().splitlines()
    assert 0 < len(lines) < len(scenthound("export", both.here, "--format", "cdxj").out.splitlines())


def test_what_a_server_cannot_do_is_said_in_one_line(both: Both) -> None:
    for command in (("repair", both.here, "--lost", "1"), ("crawl", both.there, "--set", "store.url=")):
        ran = scenthound(*command)
        assert ran.code == 2
        one_line(ran.err)


def test_a_server_that_a_stranger_names_is_not_asked(both: Both, tmp_path: Path) -> None:
    shutil.copytree(both.there, tmp_path / "copy")
    ran = scenthound("status", tmp_path / "copy")
    assert ran.code == 2
    assert "the server postgresql://" in ran.err
