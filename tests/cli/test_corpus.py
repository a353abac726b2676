"""`scenthound export` of corpora, as a user calls it: right and wrong."""

import json
import os
import sqlite3
import zipfile
from contextlib import closing
from pathlib import Path

import pytest
from warcio.archiveiterator import ArchiveIterator  # type: ignore[import-untyped]

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.services.corpus.wish import ExportWish
from scenthound.services.results.export_format import ExportFormat
from scenthound.ui.api_export import export_to
from tests.cli.conftest import one_line, scenthound
from tests.nursery import started
from tests.patience import until
from tests.services.made_corpus import make_corpus

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_corpus(tmp_path_factory.mktemp("corpus") / "crawl")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("--format markdown", "--format markdown makes a folder; say which with --out"),
        ("--format sqlite", "--format sqlite makes a file; say which with --out"),
        ("--format urls --sheet", "--sheet writes beside a file; say which with --out"),
        ("--format jsonl --topic Cyclin", 'there is no topic "Cyclin"; did you mean "Sport/Cycling"?'),
        ("--format jsonl --language english", "a language is a code of two or three letters"),
        ("--format jsonl --since yesterday", "--since yesterday: write a date such as 2026-11-01"),
        ("--format jsonl --since 9999999999999d", "write a date such as 2026-11-01"),
        ("--format jsonl --min-relevance 2", "it must be between 0 and 1"),
        ("--format jsonl --all --unique", "leave out --all or the filters"),
        ("--format jsonl --all --text", "--format jsonl has pages only"),
        ("--format parquet --all --out x", "--format parquet has pages only"),
        ("--format urls --text", "--format urls has no room for texts; leave out --text"),
        ("--format text --no-text --out x", "--format text is made of texts; leave out --no-text"),
        ("--format parquet --partition host --out x", "choose one of topic, language, month, none"),
        ("--format text --out no/such/folder", "there is no folder no/such; make it first"),
    ],
)
def test_wrong_input_gets_one_line_and_leaves_nothing(
    crawl: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: str, said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = scenthound("export", crawl, *arguments.split())
    assert ran.code == 2
    assert said in one_line(ran.err)
    assert not list(tmp_path.iterdir())


def test_other_folders_files_and_places_without_permission_are_left_alone(crawl: Path, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("years of work")
    ran = scenthound("export", crawl, "--format", "text", "--out", tmp_path / "mine")
    assert (ran.code, "holds other things than an export" in one_line(ran.err)) == (2, True)
    ran = scenthound("export", crawl, "--format", "text", "--out", tmp_path / "mine" / "thesis.txt")
    assert (ran.code, "is a file, and this format makes a folder" in one_line(ran.err)) == (2, True)
    ran = scenthound("export", crawl, "--format", "text", "--out", crawl)
    assert (ran.code, "holds other things than an export" in one_line(ran.err)) == (2, True)
    if os.geteuid() != 0:
        (tmp_path / "locked").mkdir(mode=0o500)
        ran = scenthound("export", crawl, "--format", "text", "--out", tmp_path / "locked" / "out")
        assert (ran.code, "cannot be written: Permission denied" in one_line(ran.err)) == (2, True)
    assert (tmp_path / "mine" / "thesis.txt").read_text() == "years of work"


def test_filters_that_leave_nothing_say_so(crawl: Path, tmp_path: Path) -> None:
    ran = scenthound("export", crawl, "--format", "urls", "--language", "fr", "--out", tmp_path / "urls.txt")
    assert (ran.code, (tmp_path / "urls.txt").read_text()) == (0, "")
    assert "No page matches the filters" in one_line(ran.err)


def test_files_of_the_archive_that_lie_elsewhere_are_named_and_the_rest_is_exported(tmp_path: Path) -> None:
    crawl = make_corpus(tmp_path / "crawl")
    with closing(sqlite3.connect(crawl / "crawl.db")) as con, con:
        con.execute("UPDATE pages SET archive_file = 'scenthound-00002-00001.warc.gz' WHERE n = 1")
        con.execute("UPDATE pages SET archive_file = 'scenthound-00003-00001.warc.gz' WHERE n = 2")
        held = con.execute("SELECT count(*) FROM pages WHERE ending = 'page' AND archive_file IS NOT NULL").fetchone()
    ran = scenthound("export", crawl, "--format", "warc", "--out", tmp_path / "warc")
    assert ran.code == 0
    assert "2 pages are not in it" in ran.err
    assert "has no scenthound-00002-00001.warc.gz and 1 other file; copy the archives of all engines there" in ran.err
    sheet = json.loads((tmp_path / "warc" / "datasheet.json").read_text())
    assert sheet["missing_archive_files"] == {
        "scenthound-00002-00001.warc.gz": 1,
        "scenthound-00003-00001.warc.gz": 1,
    }
    assert "| scenthound-00003-00001.warc.gz | 1 |" in (tmp_path / "warc" / "README.md").read_text()
    with (tmp_path / "warc" / "pages-00001.warc.gz").open("rb") as file:
        found = [record for record in ArchiveIterator(file) if record.rec_type in ("response", "revisit")]
    assert len(found) >= held[0] - 2 > 0
    ran = scenthound("export", crawl, "--format", "jsonl", "--text")
    assert "2 pages come without what their copies say" in ran.err
    assert len(ran.out.splitlines()) == sheet["pages"]
    assert scenthound("export", crawl, "--format", "urls").err == ""


def test_texts_to_stdout(crawl: Path) -> None:
    ran = scenthound("export", crawl, "--format", "jsonl", "--text", "--language", "de")
    [row] = [json.loads(line) for line in ran.out.splitlines()]
    assert (ran.code, row["opt_outs"], "Schläger" in row["text"]) == (0, ["tdm-reservation"], True)


def test_a_killed_export_leaves_nothing_that_looks_whole_and_the_next_one_tidies_up(
    crawl: Path, tmp_path: Path
) -> None:
    with started("export", str(crawl), "--format", "text", "--out", str(tmp_path / "out")) as process:
        assert until(lambda: list(tmp_path.iterdir()))
        process.kill()
        process.wait()
    [left] = tmp_path.iterdir()
    assert left.name == f".out.{process.pid}.part"
    assert scenthound("export", crawl, "--format", "text", "--out", tmp_path / "out").code == 0
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


@pytest.mark.parametrize("form", [ExportFormat.TEXT, ExportFormat.SQLITE, ExportFormat.URLS])
def test_the_window_downloads_one_file(crawl: Path, tmp_path: Path, form: ExportFormat) -> None:
    file = tmp_path / "download"
    file.touch()
    export_to(file, CrawlDirectory.open(crawl), ExportWish(form=form))
    begin = file.read_bytes()[:6]
    assert begin == {ExportFormat.TEXT: b"PK\x03\x04\x14\x00", ExportFormat.SQLITE: b"SQLite"}.get(form, b"http:/")
    if form is ExportFormat.TEXT:
        names = zipfile.ZipFile(file).namelist()
        assert {"crawl/README.md", "crawl/datasheet.json", "crawl/index.jsonl"} < set(names)
