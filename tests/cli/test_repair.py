"""`scenthound repair`: from each thing that may be deleted or damaged there is a way on, and nothing is thrown away."""

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from scenthound.cli.main import main
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.crawl.engine.assemble import open_store
from scenthound.store.sqlite.store import SqliteStore
from scenthound.types import Ending, PageRow
from tests.crawl.topical_web import Served, new, topical_web, topics
from tests.often import slowly

PAGES = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    served: Served
    path: Path

    @property
    def directory(self) -> CrawlDirectory:
        return CrawlDirectory.open(self.path)

    @property
    def archive(self) -> Path:
        return self.path / "archive" / "scenthound-00001.warc.gz"

    def crawl(self, pages: int) -> int:
        settings = self.served.settings(f"crawl.pages={pages}", "critic.kind=bayes", "fetch.max_delay=0.1")
        sets = [word for setting in settings for word in ("--set", setting)]
        return main(["crawl", str(self.path), "--quiet", *sets])

    def repair(self) -> int:
        return main(["repair", str(self.path)])

    def pages(self) -> list[PageRow]:
        with open_store(self.directory, read_only=True) as store:
            return [row for row in store.pages(everything=True) if row.ending is Ending.PAGE]

    def trouble(self) -> list[str]:
        with SqliteStore(self.directory.database) as store:
            return store.check()


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    """A crawl of forty pages, which is copied and broken."""
    path = tmp_path_factory.mktemp("whole") / "birds"
    new(path, topics())
    with topical_web() as served:
        scene = Scene(served=served, path=path)
        assert scene.crawl(PAGES) == 0
        yield scene


@pytest.fixture
def scene(crawled: Scene, tmp_path: Path) -> Scene:
    shutil.copytree(crawled.path, tmp_path / "birds")
    return Scene(served=crawled.served, path=tmp_path / "birds")


@pytest.mark.slow
def test_of_a_whole_crawl_nothing_is_changed(scene: Scene, capsys: pytest.CaptureFixture[str]) -> None:
    before = scene.pages()
    assert scene.repair() == 0
    assert capsys.readouterr().out == f"Nothing is wrong with {scene.path}.\n"
    assert scene.pages() == before
    assert not list(scene.path.glob("before-repair-*"))


@pytest.mark.slow
def test_without_its_archive_a_crawl_goes_on_with_its_pages(scene: Scene, capsys: pytest.CaptureFixture[str]) -> None:
    before, old = scene.pages(), scene.directory.database.read_bytes()
    scene.archive.unlink()
    assert scene.crawl(PAGES + 5) == 1
    assert f"scenthound repair {scene.path}" in capsys.readouterr().err
    assert scene.repair() == 0
    told = capsys.readouterr().out
    assert "archive/scenthound-00001.warc.gz is missing: the exchanges of " in told
    assert "what was read of them is kept" in told
    after = scene.pages()
    assert [(row.url, row.relevance, row.digest) for row in after] == [
        (row.url, row.relevance, row.digest) for row in before
    ]
    assert {row.spot for row in after} == {None}
    assert len((scene.path / "before-repair-1" / "crawl.db").read_bytes()) == len(old)
    assert scene.crawl(PAGES + 5) == 0
    assert len(scene.pages()) == len(before) + 5
    assert sum(row.spot is not None for row in scene.pages()) == 5
    assert scene.trouble() == []


@pytest.mark.slow
def test_an_archive_that_was_cut_loses_only_its_end(scene: Scene, capsys: pytest.CaptureFixture[str]) -> None:
    size = scene.archive.stat().st_size
    with scene.archive.open("r+b") as file:
        file.truncate(size // 2)
    assert scene.repair() == 0
    assert f"ends at byte {size // 2:,}" in capsys.readouterr().out
    kept = [row for row in scene.pages() if row.spot is not None]
    assert 0 < len(kept) < len(scene.pages())
    assert scene.crawl(PAGES + 2) == 0


@pytest.mark.slow
def test_without_its_database_a_crawl_is_made_again_from_its_archive(
    scene: Scene, capsys: pytest.CaptureFixture[str]
) -> None:
    before = {row.url: (row.title, row.digest, row.spot) for row in scene.pages()}
    scene.directory.database.unlink()
    for command in (
        ["status", str(scene.path)],
        ["export", str(scene.path), "--format", "jsonl"],
        ["why", str(scene.path), "http://birds.test/page1.html"],
    ):
        assert main(command) in (1, 2)
        assert f"scenthound repair {scene.path}" in capsys.readouterr().err
    assert scene.crawl(PAGES + 5) == 2
    assert f"scenthound repair {scene.path}" in capsys.readouterr().err
    assert scene.repair() == 0
    told = capsys.readouterr().out
    assert told.startswith("The database is missing.\nA new one was made from the archive: 40 pages of ")
    assert {row.url: (row.title, row.digest, row.spot) for row in scene.pages()} == before
    assert (scene.path / "before-repair-1" / "models").is_dir()
    assert scene.trouble() == []
    assert scene.crawl(PAGES + 5) == 0
    assert "45 in all" in capsys.readouterr().out
    after = scene.pages()
    assert len(after) == len(before) + 5
    assert all(row.relevance is not None for row in after)


def _no_header(path: Path) -> None:
    with path.open("r+b") as file:
        file.write(b"\0" * 4096)


def _holes(path: Path) -> None:
    size = path.stat().st_size
    with path.open("r+b") as file:
        for at in range(8_192, size, 24_576):
            file.seek(at)
            file.write(b"\xa5" * 4096)


def _cut(path: Path) -> None:
    with path.open("r+b") as file:
        file.truncate(path.stat().st_size // 2)


def _empty(path: Path) -> None:
    path.write_bytes(b"")


@pytest.mark.slow
@pytest.mark.parametrize("damage", [_no_header, *slowly(_holes, _cut, _empty)])
def test_a_damaged_database_is_kept_and_made_again(
    scene: Scene, damage: Callable[[Path], None], capsys: pytest.CaptureFixture[str]
) -> None:
    before = {row.url for row in scene.pages()}
    damage(scene.directory.database)
    broken = scene.directory.database.read_bytes()
    assert main(["status", str(scene.path)]) in (1, 2)
    assert f"scenthound repair {scene.path}" in capsys.readouterr().err
    assert scene.repair() == 0
    assert "is damaged" in capsys.readouterr().out
    assert (scene.path / "before-repair-1" / "crawl.db").read_bytes() == broken
    assert {row.url for row in scene.pages()} == before
    assert scene.trouble() == []
    assert scene.crawl(PAGES + 3) == 0
    assert "43 in all" in capsys.readouterr().out


@pytest.mark.slow
def test_what_waits_is_read_from_a_damaged_database(scene: Scene, capsys: pytest.CaptureFixture[str]) -> None:
    """The links of a page that is lost with its archive are only there."""
    with SqliteStore(scene.directory.database) as store:
        waiting = {one.url for one in store.waiting(limit=1000)}
    assert waiting
    with sqlite3.connect(scene.directory.database) as con:
        con.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        [(root,)] = con.execute("SELECT rootpage FROM sqlite_master WHERE name = 'critics'")
    con.close()
    with scene.directory.database.open("r+b") as file:  # all but one table can be read
        file.seek((root - 1) * 4096)
        file.write(b"\xa5" * 4096)
    scene.archive.unlink()
    assert scene.repair() == 0
    told = capsys.readouterr().out
    if "is damaged" in told:
        assert " that waited were read from the old one" in told
    with SqliteStore(scene.directory.database) as store:
        assert waiting <= {one.url for one in store.waiting(limit=1000)}
    assert scene.crawl(PAGES) == 0


@pytest.mark.slow
def test_a_hole_in_the_archive_costs_what_lay_there(scene: Scene, capsys: pytest.CaptureFixture[str]) -> None:
    before = {row.url for row in scene.pages()}
    scene.directory.database.unlink()
    size = scene.archive.stat().st_size
    with scene.archive.open("r+b") as file:
        file.seek(size // 2)
        file.write(b"\xa5" * 300)
    assert scene.repair() == 0
    assert " bytes of the archive cannot be read" in capsys.readouterr().out
    left = {row.url for row in scene.pages()}
    assert left < before
    assert len(left) >= len(before) - 3
    assert scene.crawl(PAGES) == 0
    assert scene.trouble() == []
