"""`scenthound export`: every format says the same, and what other programs read they can read."""

import csv
import gzip
import io
import json
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.taxonomy import Topic, Topics
from tests.cli.conftest import PAGES, Crawled, one_line, scenthound
from tests.distill.small_crawls import MadeCrawl, directory_of, page
from tests.patience import PATIENCE

EXPORT_COLUMNS = ["n", "url", "final_url", "host", "status", "mime", "title", "language", "relevance", "topic", "depth", "priority", "referrer", "fetched_at", "digest", "topics"]  # fmt: skip


def rows_of(crawled: Crawled, *arguments: str) -> list[dict[str, object]]:
    ran = crawled.run("export", "--format", "jsonl", *arguments)
    assert ran.code == 0, ran.err
    return [json.loads(line) for line in ran.out.splitlines()]


def test_export_has_one_row_a_fetched_url_in_fetch_order(crawled: Crawled) -> None:
    rows = rows_of(crawled)
    assert all(list(row) == EXPORT_COLUMNS for row in rows)
    numbers = [int(str(row["n"])) for row in rows]
    assert numbers == sorted(set(numbers))
    by_url = {str(row["url"]): row for row in rows}
    home, page, missing = (by_url[f"http://a.example/{path}"] for path in ("", "page/3", "missing"))
    assert (home["depth"], home["status"], home["referrer"], home["relevance"]) == (0, 200, "", None)
    assert (page["depth"], page["title"], page["language"]) == (1, "Page 3, “Ünï”", "en")
    assert page["referrer"] == "http://a.example/"
    assert missing["status"] == 404
    assert str(page["fetched_at"]).endswith("Z")


@pytest.mark.slow
def test_export_all_adds_what_brought_no_page(crawled: Crawled) -> None:
    rows = rows_of(crawled, "--all")
    assert all(list(row) == [*EXPORT_COLUMNS, "ending", "reason", "duplicate_of", "near_duplicate_of"] for row in rows)
    extra = {str(row["url"]): row["reason"] for row in rows if row["n"] not in {one["n"] for one in rows_of(crawled)}}
    assert extra == {
        "http://a.example/moved": None,
        "http://a.example/picture": "unsupported-type",
        "http://a.example/private/diary": "robots",
        "http://unknown.invalid/": "robots-unreachable",
    }


def test_export_has_no_row_for_what_looks_like_a_page_and_was_refused(crawled: Crawled) -> None:
    assert {row["status"] for row in rows_of(crawled)} == {200, 404}
    assert "http://a.example/picture" not in {row["url"] for row in rows_of(crawled)}


def test_csv_says_the_same_as_jsonl(crawled: Crawled) -> None:
    rows = list(csv.DictReader(io.StringIO(crawled.run("export", "--format", "csv").out)))
    lines = rows_of(crawled)
    assert [(row["url"], row["title"], row["digest"]) for row in rows] == [
        (line["url"], line["title"], line["digest"]) for line in lines
    ]


def test_urls_are_the_pages_only(crawled: Crawled) -> None:
    urls = crawled.run("export", "--format", "urls").out.splitlines()
    assert len(urls) == PAGES + 2
    assert "http://a.example/missing" not in urls


def test_bookmarks_can_be_read_by_a_browser(crawled: Crawled) -> None:
    class Anchors(HTMLParser):
        found: list[str]

        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            if tag == "a":
                self.found.append(str(dict(attrs)["href"]))

    parser = Anchors()
    parser.found = []
    parser.feed(crawled.run("export", "--format", "bookmarks").out)
    assert parser.found == crawled.run("export", "--format", "urls").out.splitlines()


def test_bookmarks_have_a_folder_for_each_topic_and_come_back_as_the_same_tree(tmp_path: Path) -> None:
    wanted = {
        "Arts": ("http://arts.test/",),
        "Arts/R&D <labs>": ("http://labs.test/", "http://labs.test/two"),
        "Arts and more": ("http://more.test/",),
        "Sport/Cycling/Touring": ("http://tour.test/?a=1&b=2",),
        "Sport/Golf": ("http://golf.test/",),
    }
    pairs = [(topic, url) for topic, urls in wanted.items() for url in urls]
    urls = [page(url, 0.9, topic=topic, title=f'"{url}" & <b>') for topic, url in reversed(pairs)]
    topics = Topics(topics=tuple(Topic(path=path, good=path == "Sport/Golf") for path in wanted))
    crawl = directory_of(MadeCrawl(urls=[*urls, page("http://loose.test/", 0.1)], links=[]), tmp_path / "crawl", topics)
    file = tmp_path / "bookmarks.html"
    assert scenthound("export", crawl, "--format", "bookmarks", "--out", file).code == 0
    made = scenthound("new", tmp_path / "again", "--bookmarks", file, "--good", "Golf")
    assert (made.code, made.err) == (0, "")
    found = {topic.path: set(topic.examples) for topic in CrawlDirectory.open(tmp_path / "again").topics().topics}
    assert found == {path: set(urls) for path, urls in wanted.items()} | {"Bookmarks": {"http://loose.test/"}}


def test_cdxj_leads_to_the_records(crawled: Crawled) -> None:
    lines = crawled.run("export", "--format", "cdxj").out.splitlines()
    assert lines == sorted(lines)
    entries = {entry["url"]: entry for entry in (json.loads(line.split(" ", 2)[2]) for line in lines)}
    assert {entries[f"http://a.example/{path}"]["status"] for path in ("page/1", "missing", "moved")} == {
        "200",
        "404",
        "301",
    }
    entry = entries["http://a.example/page/3"]
    data = (crawled.path / "archive" / entry["filename"]).read_bytes()
    member = data[int(entry["offset"]) : int(entry["offset"]) + int(entry["length"])]
    record = gzip.decompress(member).decode()
    assert "WARC-Target-URI: http://a.example/page/3" in record
    assert f"WARC-Payload-Digest: sha1:{entry['digest']}" in record


def test_out_is_written_as_a_whole_or_not_at_all(crawled: Crawled, tmp_path: Path) -> None:
    file = tmp_path / "pages.jsonl"
    file.write_text("before")
    assert crawled.run("export", "--format", "jsonl", "--out", file).code == 0
    assert file.read_text() == crawled.run("export", "--format", "jsonl").out
    assert [part.name for part in tmp_path.iterdir()] == ["pages.jsonl"]
    missing = tmp_path / "no" / "such" / "file"
    ran = crawled.run("export", "--format", "jsonl", "--out", missing)
    assert ran.code == 2
    assert f"{missing} cannot be written: there is no folder {missing.parent}" in one_line(ran.err)
    ran = crawled.run("export", "--format", "jsonl", "--out", tmp_path)
    assert f"{tmp_path} cannot be written: Is a directory" in one_line(ran.err)


@pytest.mark.slow
def test_a_reader_that_leaves_early_is_no_error(crawled: Crawled) -> None:
    command = [sys.executable, "-m", "scenthound", "export", str(crawled.path), "--format", "jsonl"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as export:
        assert export.stdout is not None
        assert export.stderr is not None
        export.stdout.close()
        assert export.stderr.read() == b""
        assert export.wait(timeout=PATIENCE) == 0


def test_an_unknown_format_names_those_that_exist(crawled: Crawled) -> None:
    ran = crawled.run("export", "--format", "xml")
    assert ran.code == 2
    assert "'jsonl'" in one_line(ran.err)
