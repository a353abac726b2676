"""Crawls whose archive is uploaded: nothing is lost by a kill, and any machine reads every page."""

import hashlib
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from scenthound.archive.elsewhere import elsewhere_at
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.demo.server import ServedWeb
from scenthound.services.results.archived_page import archived_page
from scenthound.settings.server_url import ServerUrl
from scenthound.store.postgres.store import PostgresStore
from tests.cli.conftest import PAGES, one_line, scenthound, settings_for
from tests.patience import until
from tests.store.postgres_server import Server, shared_server
from tests.store.s3_server import new_address, s3

__all__ = ["s3"]
pytestmark = pytest.mark.slow


@pytest.fixture(params=["file", "s3"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "file":
        return f"file://{tmp_path}/shared"
    return new_address(request.getfixturevalue("s3"))


def warc_files(path: Path) -> list[Path]:
    return sorted((path / "archive").glob("*.warc.gz"))


def rows(path: Path, sql: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(path / "crawl.db")) as con:
        return con.execute(sql).fetchall()


def test_a_crawl_without_its_own_archive_files_reads_them_elsewhere(
    served: ServedWeb, address: str, tmp_path: Path
) -> None:
    path = tmp_path / "crawl"
    assert scenthound("new", path, "http://a.example/", "--set", f"archive.url={address}").code == 0
    crawl: tuple[str | Path, ...] = ("crawl", path, "--quiet", *settings_for(served.port))
    assert scenthound(*crawl, "--pages", "5").code == 0
    assert scenthound(*crawl).code == 0
    files = warc_files(path)
    assert len(files) == 2, "a file that was uploaded does not grow"
    digests = {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in files}
    assert dict(rows(path, "SELECT file, digest FROM uploads")) == digests
    assert {name: elsewhere_at(address).digest(name) for name in digests} == digests
    before = scenthound("export", path, "--format", "text", "--out", tmp_path / "before")
    assert before.code == 0, before.err
    for file in files:
        file.unlink()
    assert scenthound("export", path, "--format", "warc", "--out", tmp_path / "part.warc.gz").code == 0
    index = (tmp_path / "part.warc.gz.cdxj").read_text().splitlines()
    assert len([line for line in index if "/page/" in line]) >= PAGES
    assert scenthound("export", path, "--format", "text", "--out", tmp_path / "after").code == 0
    names = {file.relative_to(tmp_path / "before") for file in (tmp_path / "before").rglob("*.txt")}
    assert len(names) >= PAGES
    for name in names:
        assert (tmp_path / "after" / name).read_bytes() == (tmp_path / "before" / name).read_bytes()
    [(n,)] = rows(path, "SELECT n FROM fetched WHERE url LIKE '%/page/7'")
    assert b"Words of page 7." in archived_page(CrawlDirectory.open(path), n).body
    assert "page/7" in scenthound("search", path, "w7").out
    assert scenthound(*crawl).code == 0, "files that are elsewhere are not missing here"


def test_files_are_deleted_here_once_they_are_there(served: ServedWeb, address: str, tmp_path: Path) -> None:
    path = tmp_path / "crawl"
    keep = ("--set", f"archive.url={address}", "--set", "archive.keep_local=false")
    assert scenthound("new", path, "http://a.example/", *keep).code == 0
    for pages in ("4", "9"):
        assert scenthound("crawl", path, "--quiet", "--pages", pages, *settings_for(served.port)).code == 0
        assert warc_files(path) == []
    names = [name for (name,) in rows(path, "SELECT file FROM uploads ORDER BY file")]
    assert names == ["scenthound-00001.warc.gz", "scenthound-00002.warc.gz"]


def test_a_crawl_that_is_killed_uploads_everything_once(served: ServedWeb, address: str, tmp_path: Path) -> None:
    """Files end after a fifth of a second, so that kills come between all steps."""
    path, chance = tmp_path / "crawl", random.Random(5)
    hasty = ("--set", f"archive.url={address}", "--set", "archive.close_after=0.2", "--set", "fetch.delay=0.25")
    assert scenthound("new", path, "http://a.example/", *hasty[:4]).code == 0
    command = [sys.executable, "-m", "scenthound", "crawl", str(path), "--quiet", *settings_for(served.port), *hasty]
    kills = 0
    while not (path / "crawl.db").exists() or len(rows(path, "SELECT 1 FROM fetched")) < PAGES:
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            time.sleep(chance.uniform(1.5, 4.0))
            process.send_signal(signal.SIGKILL)
        kills += process.returncode == -signal.SIGKILL
        assert kills < 40
    ended = scenthound(*command[3:])
    assert ended.code == 0, ended.err
    assert kills
    recorded = dict(rows(path, "SELECT file, length FROM archive_files"))
    uploaded = dict(rows(path, "SELECT file, digest FROM uploads"))
    assert recorded.keys() == uploaded.keys()
    for name, digest in uploaded.items():
        here = (path / "archive" / name).read_bytes()
        assert (len(here), hashlib.sha256(here).hexdigest()) == (recorded[name], digest)
        assert elsewhere_at(address).digest(name) == digest
    shutil.rmtree(path / "archive")
    (path / "archive").mkdir()
    exported = scenthound("export", path, "--format", "warc", "--out", tmp_path / "all.warc.gz")
    assert exported.code == 0, exported.err
    urls = [line.split(" ", 2)[0] for line in (tmp_path / "all.warc.gz.cdxj").read_text().splitlines()]
    assert len(urls) == len(set(urls))
    assert len([url for url in urls if "/page/" in url]) == PAGES


@pytest.fixture
def url() -> Iterator[str]:
    server: Server = shared_server()
    url = server.new_url()
    yield url
    server.psql(f'DROP SCHEMA IF EXISTS "{ServerUrl.read(url).schema}" CASCADE')


def test_pages_of_a_machine_that_is_lost_with_its_disk_are_fetched_again(
    served: ServedWeb, url: str, tmp_path: Path
) -> None:
    lost, kept, address = tmp_path / "lost", tmp_path / "kept", f"file://{tmp_path}/shared"
    store_url = ServerUrl.read(url)
    assert scenthound("new", lost, "http://a.example/", "--set", f"store.url={url}", "--set", f"archive.url={address}")
    slow = [*settings_for(served.port), "--set", "fetch.delay=0.3", "--set", "store.lease=3"]
    command = [sys.executable, "-m", "scenthound", "crawl", str(lost), "--quiet", *slow]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        until(lambda: _pages(store_url) >= 4)
        process.send_signal(signal.SIGKILL)
    had = _pages(store_url)
    shutil.rmtree(lost)
    joined = scenthound("join", url, "--dir", kept, "--quiet", *settings_for(served.port))
    assert joined.code == 0, joined.err
    listed = scenthound("repair", kept)
    assert "Engine 1: 1 archive file neither here nor uploaded: scenthound-00001-00001.warc.gz" in listed.out
    assert "no archive file of engine 77 is missing" in one_line(scenthound("repair", kept, "--lost", "77").err)
    struck = scenthound("repair", kept, "--lost", "1")
    assert f"{had} pages will be fetched again" in struck.out, struck
    assert "No archive file" in scenthound("repair", kept).out
    assert scenthound("join", url, "--dir", kept, "--quiet", *settings_for(served.port)).code == 0
    with PostgresStore(store_url, read_only=True) as store:
        spots = {row.url: row.spot for row in store.pages()}
        assert store.check() == []
    assert None not in spots.values()
    assert len([page for page in spots if "/page/" in page]) == PAGES
    exported = scenthound("export", kept, "--format", "warc", "--out", tmp_path / "all.warc.gz")
    assert exported.code == 0, exported.err
    index = (tmp_path / "all.warc.gz.cdxj").read_text().splitlines()
    assert len([line for line in index if "/page/" in line]) >= PAGES


def _pages(url: ServerUrl) -> int:
    try:
        with PostgresStore(url, read_only=True) as store:
            return store.census(now=time.time()).pages
    except Exception:  # it is not there yet
        return 0


def test_a_foreign_folder_that_uploads_must_be_trusted_first(address: str, tmp_path: Path) -> None:
    path = tmp_path / "crawl"
    assert scenthound("new", path, "http://a.example/", "--set", f"archive.url={address}").code == 0
    shutil.copytree(path, tmp_path / "copy")
    refused = scenthound("status", tmp_path / "copy")
    assert refused.code == 2
    assert address.partition("?")[0] in refused.err


def test_bad_settings_get_one_line(tmp_path: Path) -> None:
    said = scenthound("new", tmp_path / "crawl", "http://a.example/", "--set", "archive.url=ftp://a.example/")
    assert said.code == 2
    assert "write s3://BUCKET/FOLDER or file:///FOLDER" in one_line(said.err)


def test_the_index_waits_for_what_another_machine_will_upload(served: ServedWeb, tmp_path: Path) -> None:
    """Here the file is put aside, as if another machine had it; the texts that readers left are gone."""
    path, shared = tmp_path / "crawl", tmp_path / "shared"
    settings = ("--set", f"archive.url=file://{shared}", "--set", "search.beside=false")
    assert scenthound("new", path, "http://a.example/", *settings).code == 0
    assert scenthound("crawl", path, "--quiet", *settings_for(served.port)).code == 0
    [file] = warc_files(path)
    file.unlink()
    (shared / file.name).rename(tmp_path / "aside")
    shutil.rmtree(path / "search", ignore_errors=True)
    assert "page/7" not in scenthound("search", path, "w7").out
    (tmp_path / "aside").rename(shared / file.name)
    assert "page/7" in scenthound("search", path, "w7").out
