"""Corpora: every format with every filter, read back by the programs that they are for."""

import csv
import html
import io
import json
import re
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from warcio.archiveiterator import ArchiveIterator  # type: ignore[import-untyped]

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.errors import DirectoryError
from scenthound.services.corpus.corpus_export import Export
from scenthound.services.corpus.page_texts import TextWorkers
from scenthound.services.corpus.wish import ExportWish, Partition, query_of
from scenthound.services.results.export_format import ExportFormat
from tests.services.made_corpus import ARTS, BIKE, GOLF, NOW, PAGES, make_corpus

pytestmark = pytest.mark.slow

HUB, CHAIN, AGAIN, COPY, LOCH, HOSTILE, PLAIN, LOST = (one.made.url for one in PAGES[:8])
ALL = {HUB, CHAIN, AGAIN, COPY, LOCH, HOSTILE, PLAIN, LOST}
FILTERS: dict[str, tuple[dict[str, object], set[str]]] = {
    "none": ({}, ALL),
    "topic": ({"topic": "sport"}, {HUB, CHAIN, AGAIN, COPY, LOCH}),
    "relevance": ({"min_relevance": 0.6}, {HUB, CHAIN, AGAIN, COPY, HOSTILE}),
    "language": ({"language": "DE"}, {LOCH}),
    "since": ({"since": "30d"}, ALL - {HUB}),
    "unique": ({"unique": True}, ALL - {AGAIN, COPY}),
    # The page that the other two repeat is not chosen: the first of them stands for all.
    "all": (
        {"topic": "Cycling", "min_relevance": 0.1, "language": "en", "since": "2026-09-01", "unique": True},
        {CHAIN},
    ),
}


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> CrawlDirectory:
    return CrawlDirectory.open(make_corpus(tmp_path_factory.mktemp("corpora") / "crawl"))


@pytest.fixture(scope="module")
def workers(crawl: CrawlDirectory) -> Iterator[TextWorkers]:
    with TextWorkers(crawl.archive, workers=1) as open_workers:
        yield open_workers


Exporter = Callable[..., Path]


@pytest.fixture
def exported(crawl: CrawlDirectory, workers: TextWorkers, tmp_path: Path) -> Exporter:
    def export(
        form: ExportFormat, name: str = "out", *, filters: dict[str, object] | None = None, **more: object
    ) -> Path:
        given = dict(filters or {})
        unique = bool(given.pop("unique", False))
        query = query_of(crawl, now=NOW, **given)  # type: ignore[arg-type]
        wish = ExportWish(form=form, query=query, unique=unique, **more)  # type: ignore[arg-type]
        Export(crawl, wish, workers=workers, now=lambda: NOW).to_path(tmp_path / name)
        return tmp_path / name

    return export


def _lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def _warc_urls(path: Path) -> Iterator[str]:
    for file in sorted(path.glob("*.warc.gz")):
        with file.open("rb") as stream:
            for record in ArchiveIterator(stream, check_digests="raise"):
                if record.rec_type in ("response", "revisit"):
                    yield record.rec_headers.get_header("WARC-Target-URI")


def _sqlite(path: Path, query: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as con:
        return con.execute(query).fetchall()


def _parquet_urls(path: Path) -> set[str]:
    import polars

    return set(polars.read_parquet(path / "data" / "**" / "*.parquet")["final_url"])


URLS_OF: dict[ExportFormat, Callable[[Path], set[str]]] = {
    ExportFormat.JSONL: lambda path: {str(row["final_url"]) for row in _lines(path)},
    ExportFormat.CSV: lambda path: {row["final_url"] for row in csv.DictReader(io.StringIO(path.read_text()))},
    ExportFormat.URLS: lambda path: set(path.read_text().splitlines()),
    ExportFormat.BOOKMARKS: lambda path: set(map(html.unescape, re.findall('HREF="([^"]+)"', path.read_text()))),
    ExportFormat.CDXJ: lambda path: {
        json.loads(line.split(" ", 2)[2])["url"] for line in path.read_text().splitlines()
    },
    ExportFormat.MARKDOWN: lambda path: {str(row["final_url"]) for row in _lines(path / "index.jsonl")},
    ExportFormat.TEXT: lambda path: {str(row["final_url"]) for row in _lines(path / "index.jsonl")},
    ExportFormat.PARQUET: _parquet_urls,
    ExportFormat.SQLITE: lambda path: {str(url) for (url,) in _sqlite(path, "SELECT final_url FROM pages")},
    ExportFormat.WARC: lambda path: set(_warc_urls(path)),
}


@pytest.mark.parametrize("form", ExportFormat)
@pytest.mark.parametrize("name", FILTERS)
def test_each_format_has_the_pages_that_each_filter_leaves(exported: Exporter, form: ExportFormat, name: str) -> None:
    filters, wanted = FILTERS[name]
    found = URLS_OF[form](exported(form, filters=filters))
    if form in (ExportFormat.WARC, ExportFormat.CDXJ):
        wanted = wanted - {LOST}  # the archive has no copy
        assert found - wanted <= {PAGES[8].made.url, CHAIN}  # a redirect; what a pointer points to
        found &= wanted
    assert found == wanted


def test_of_pages_that_repeat_each_other_one_that_is_chosen_stays(exported: Exporter) -> None:
    rows = _lines(exported(ExportFormat.JSONL, filters={"unique": True, "min_relevance": 0.0}))
    assert [row["final_url"] for row in rows if "chain" in str(row["final_url"])] == [CHAIN]


@pytest.mark.parametrize("form", [ExportFormat.JSONL, ExportFormat.CSV])
def test_texts_come_behind_the_usual_columns_if_asked_for(exported: Exporter, form: ExportFormat) -> None:
    path = exported(form, text=True)
    text = path.read_text()
    rows = _lines(path) if form is ExportFormat.JSONL else list(csv.DictReader(io.StringIO(text)))
    assert list(rows[0])[-4:] == ["topics", "text", "licences", "opt_outs"]
    by_url = {str(row["final_url"]): row for row in rows}
    assert str(by_url[HUB]["text"]).startswith("About it\nThe hub of a long tour")
    assert "Imprint" not in text
    assert str(by_url[PLAIN]["text"]).startswith("The pencil")
    assert by_url[LOST]["text"] == ""
    assert by_url[COPY]["text"] == by_url[CHAIN]["text"]  # its record only points to the other one
    assert "CC BY-SA 4.0" in str(by_url[CHAIN]["licences"])


def test_parquet_is_typed_and_opens_in_pandas_polars_and_duckdb(exported: Exporter) -> None:
    import duckdb
    import pandas
    import polars

    data = exported(ExportFormat.PARQUET) / "data"
    assert {path.name for path in data.iterdir()} == {
        "by_topic=Sport%2FCycling",
        "by_topic=Sport%2FGolf",
        "by_topic=Arts",
    }
    frame = pandas.read_parquet(data).set_index("url")
    assert str(frame.dtypes["fetched_at"]) == "datetime64[ms, UTC]"
    assert (str(frame.dtypes["n"]), str(frame.dtypes["relevance"])) == ("int64", "float64")
    assert frame.loc[CHAIN, "by_topic"] == frame.loc[CHAIN, "topic"] == BIKE
    assert list(frame.loc[CHAIN, "opt_outs"]) == ["noarchive", "noai"]
    table = polars.scan_parquet(data / "**" / "*.parquet", hive_partitioning=True).filter(
        polars.col("by_topic") == GOLF
    )
    assert table.collect()["title"].to_list() == ["Löcher"]
    files = str(data / "**" / "*.parquet")
    counted = duckdb.sql(f"SELECT topic, count(*), min(length(text)) FROM '{files}' GROUP BY topic ORDER BY topic")
    assert counted is not None
    found = counted.fetchall()
    assert [(topic, pages) for topic, pages, _ in found] == [(ARTS, 3), (BIKE, 4), (GOLF, 1)]


def test_parquet_is_a_data_set_of_hugging_face(exported: Exporter, tmp_path: Path) -> None:
    datasets = pytest.importorskip("datasets", reason="datasets is not installed: 40 MB, a client of its hub included")
    found = datasets.load_dataset(str(exported(ExportFormat.PARQUET)), split="train", cache_dir=str(tmp_path / "cache"))
    assert set(found["url"]) == ALL


@pytest.mark.parametrize(
    ("partition", "folders"),
    [
        (Partition.LANGUAGE, {"by_language=en", "by_language=de"}),
        (Partition.MONTH, {"by_month=2026-08", "by_month=2026-09"}),
        (Partition.NONE, {"part-00000.parquet"}),
    ],
)
def test_parquet_has_the_folders_asked_for(exported: Exporter, partition: Partition, folders: set[str]) -> None:
    path = exported(ExportFormat.PARQUET, partition=partition, text=False)
    assert {one.name for one in (path / "data").iterdir()} == folders
    assert _parquet_urls(path) == ALL


def test_parquet_as_one_file_and_without_a_page(exported: Exporter) -> None:
    import polars

    table = polars.read_parquet(exported(ExportFormat.PARQUET, "pages.parquet", filters={"language": "fr"}))
    assert table.height == 0
    assert table.schema["fetched_at"] == polars.Datetime("ms", "UTC")


def test_a_warc_subset_is_whole_and_its_index_leads_to_the_records(exported: Exporter) -> None:
    path = exported(ExportFormat.WARC, "some.warc.gz", filters={"topic": BIKE})
    with path.open("rb") as stream:
        records = [(one.rec_type, one.rec_headers.get_header("WARC-Target-URI")) for one in ArchiveIterator(stream)]
    assert Counter(kind for kind, _ in records) == {"warcinfo": 1, "response": 4, "revisit": 1, "request": 5}
    assert ("response", PAGES[8].made.url) in records  # a redirect leads to the hub
    lines = path.with_name("some.warc.gz.cdxj").read_text().splitlines()
    assert lines == sorted(lines)
    for entry in (json.loads(line.split(" ", 2)[2]) for line in lines):
        assert entry["filename"] == "some.warc.gz"
        with path.open("rb") as stream:
            stream.seek(int(entry["offset"]))
            assert next(iter(ArchiveIterator(stream))).rec_headers.get_header("WARC-Target-URI") == entry["url"]


def test_sqlite_has_one_typed_table_and_the_data_sheet(exported: Exporter) -> None:
    path = exported(ExportFormat.SQLITE, "pages.sqlite")
    [row] = _sqlite(
        path, f"SELECT typeof(n), typeof(relevance), opt_outs, text LIKE '%chain%' FROM pages WHERE url = '{CHAIN}'"
    )
    assert row == ("integer", "real", '["noarchive", "noai"]', 1)
    [(sheet,)] = _sqlite(path, "SELECT text FROM notes WHERE name = 'datasheet'")
    assert json.loads(str(sheet))["pages"] == len(ALL)


def test_markdown_files_have_front_matter_and_no_markup_of_the_page(exported: Exporter) -> None:
    folder = exported(ExportFormat.MARKDOWN)
    files = {row["final_url"]: row["file"] for row in _lines(folder / "index.jsonl")}
    assert files[LOST] is None
    assert {path.relative_to(folder).as_posix() for path in (folder / "pages").rglob("*.md")} == {*files.values()} - {
        None
    }
    hostile = (folder / str(files[HOSTILE])).read_text()
    head, body = hostile.removeprefix("---\n").split("\n---\n", 1)
    facts = {name: json.loads(value) for name, value in (line.split(": ", 1) for line in head.splitlines())}
    assert facts["title"] == PAGES[5].made.title
    assert facts["licences"] == ["http://a.example/terms"]
    assert "\\<script>" in body
    assert "\x07" not in hostile
    assert "# About it" in (folder / str(files[HUB])).read_text()


def test_the_data_sheet_says_what_is_in_it_and_what_pages_declare(exported: Exporter) -> None:
    folder = exported(ExportFormat.TEXT, filters={"min_relevance": 0.1, "unique": True})
    sheet = json.loads((folder / "datasheet.json").read_text())
    assert (sheet["pages"], sheet["hosts"], sheet["format"]) == (6, 1, "text")
    assert sheet["chosen"] == {"min_relevance": 0.1, "near_duplicates": "once", "matches": 6}
    assert sheet["by_language"] == {"en": 5, "de": 1}
    assert sheet["by_topic"] == {ARTS: 3, BIKE: 2, GOLF: 1}
    assert sheet["licences"] == {"none declared": 4, "CC BY-SA 4.0": 1, "http://a.example/terms": 1}
    assert sheet["opt_outs"] == {"noarchive": 1, "noai": 1, "tdm-reservation": 1}
    assert sheet["texts_by"] == {"trafilatura": 4, "document": 1}
    assert sheet["without_text"] == {"the archive has no copy": 1}
    assert sheet["robots"] == {
        "sites_with_rules": 1,
        "sites_that_refuse_ai_crawlers": {"GPTBot": 1},
        "content_signals": {"ai-train=no": 1},
    }
    assert sheet["fetched"]["last"].startswith("2026-09-21")
    text = (folder / "README.md").read_text()
    for said in ("6 pages of 1 hosts", "with a relevance of at least 0.1, near-duplicates once", "CC BY-SA 4.0 | 1"):
        assert said in text


def test_a_list_has_a_data_sheet_if_asked_for(exported: Exporter, tmp_path: Path) -> None:
    exported(ExportFormat.URLS, "urls.txt")
    assert {path.name for path in tmp_path.iterdir()} == {"urls.txt"}
    exported(ExportFormat.URLS, "urls.txt", sheet=True)
    assert {path.name for path in tmp_path.iterdir()} == {
        "urls.txt",
        "urls.txt.datasheet.md",
        "urls.txt.datasheet.json",
    }


def test_a_folder_is_replaced_if_it_is_an_export_as_it_was_written(exported: Exporter, tmp_path: Path) -> None:
    folder = exported(ExportFormat.TEXT)
    exported(ExportFormat.TEXT, filters={"language": "de"})
    assert len(_lines(folder / "index.jsonl")) == 1
    (folder / "pages" / "my-notes.txt").write_text("mine")
    with pytest.raises(DirectoryError, match="holds other things than an export; give a new folder"):
        exported(ExportFormat.TEXT)
    assert (folder / "pages" / "my-notes.txt").exists()
    assert {path.name for path in tmp_path.iterdir()} == {"out"}


def test_an_export_removes_what_a_killed_one_has_left(exported: Exporter, tmp_path: Path) -> None:
    (tmp_path / ".out.999999999.part" / "pages").mkdir(parents=True)
    (tmp_path / ".urls.txt.999999999.part").write_text("http://half")
    exported(ExportFormat.TEXT)
    exported(ExportFormat.URLS, "urls.txt")
    assert {path.name for path in tmp_path.iterdir()} == {"out", "urls.txt"}


def test_an_export_that_fails_leaves_what_was_there(
    crawl: CrawlDirectory, workers: TextWorkers, tmp_path: Path
) -> None:
    class StopError(Exception):
        pass

    def stop(_progress: object) -> None:
        raise StopError

    wish = ExportWish(form=ExportFormat.TEXT)
    Export(crawl, wish, workers=workers).to_path(tmp_path / "out")
    before = sorted(path.name for path in (tmp_path / "out").rglob("*"))
    with pytest.raises(StopError):
        Export(crawl, wish, workers=workers, heard=stop).to_path(tmp_path / "out")
    assert sorted(path.name for path in (tmp_path / "out").rglob("*")) == before
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
