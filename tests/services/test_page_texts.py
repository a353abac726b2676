"""Texts made by guarded workers: one page may be hostile or too expensive, and the others still get theirs."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.archive.files import Archive
from scenthound.archive.warc import exchange_record
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.errors import UrlError
from scenthound.services.corpus.page_texts import PageText, TextJob, TextWorkers, page_text
from scenthound.services.corpus.text_files import file_name
from scenthound.types import ArchiveSpot, Fetch
from tests.often import often
from tests.services.made_corpus import PAGES, make_corpus

TEXT = "Otters live along rivers, lakes and shores, and eat fish, crabs and frogs, day after day, year after year. "
NESTED = "<div>" * 10_000 + TEXT
BROKEN = "<table><tr><td>" * 1_000 + TEXT + "</b></i></p>" * 1_000


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> CrawlDirectory:
    return CrawlDirectory.open(make_corpus(tmp_path_factory.mktemp("texts") / "crawl"))


def archive_of(folder: Path, bodies: list[str]) -> Iterator[TextJob]:
    with Archive(folder, file_size=100_000_000, software="test") as archive:
        for number, body in enumerate(bodies):
            url = f"http://a.example/{number}"
            fetch = Fetch(
                url=url,
                started=0,
                finished=0,
                status=200,
                head=b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n",
                body=body.encode(),
            )
            yield TextJob(url=url, spot=archive.append(exchange_record(fetch)))


def article(number: int) -> str:
    return f"<html><body><article><h1>Page {number}</h1><p>{TEXT * 3}</p><p>{TEXT}</p></article></body></html>"


@pytest.mark.slow
def test_answers_come_in_order_also_from_several_workers_and_past_hostile_pages(tmp_path: Path) -> None:
    bodies = [article(number) for number in range(60)]
    bodies[7], bodies[20] = NESTED, BROKEN
    jobs: list[TextJob | None] = list(archive_of(tmp_path, bodies))
    jobs[30] = None
    with TextWorkers(tmp_path, workers=2) as workers:
        found = dict(workers.texts(enumerate(jobs)))
    assert list(found) == list(range(60))
    assert [n for n, text in found.items() if text.text.startswith(f"Page {n}\nOtters")] == [
        n for n in range(60) if n not in (7, 20, 30)
    ]
    assert found[30] == PageText(note="the archive has no copy")


@pytest.mark.slow
def test_a_page_that_takes_too_long_gets_the_text_that_critics_read(tmp_path: Path) -> None:
    [job] = archive_of(tmp_path, [article(1)])
    # A tenth of a second is less than a worker needs to load trafilatura.
    with TextWorkers(tmp_path, workers=1, seconds=0.1) as workers:
        found = workers.text(job)
    assert found.by == "own"
    assert "Otters live along rivers" in found.text


def test_a_record_that_is_not_there_is_no_error(tmp_path: Path) -> None:
    with TextWorkers(tmp_path, workers=1) as workers:
        found = workers.text(TextJob(url="http://a.example/", spot=ArchiveSpot(file="no.warc.gz", offset=0, length=9)))
    assert found.note.startswith("the archive has no copy")


@pytest.mark.slow
def test_the_text_of_one_page_by_its_address(crawl: CrawlDirectory) -> None:
    found = page_text(crawl, PAGES[1].made.url)
    assert (found.by, found.licences, found.opt_outs) == ("trafilatura", ("CC BY-SA 4.0",), ("noarchive", "noai"))
    assert found.text.startswith("About it\nThe chain of a long tour")
    with pytest.raises(UrlError, match="has no copy in the archive"):
        page_text(crawl, PAGES[7].made.url)


@often(100)
@given(st.text(max_size=300), st.text(max_size=60))
def test_file_names_are_safe_whatever_a_url_holds(path: str, host: str) -> None:
    name = file_name(f"http://{host}/{path}")
    folder, slash, file = name.partition("/")
    assert slash
    assert "/" not in file
    for part in (folder, file):
        assert part.isascii()
        assert part == part.lower()
        assert 0 < len(part) <= 100
        assert not set(part) - set("abcdefghijklmnopqrstuvwxyz0123456789.-_")
        assert part.strip(". ") == part
    assert name == file_name(f"http://{host}/{path}")


def test_pages_with_alike_urls_have_different_files() -> None:
    urls = [
        "http://a.example/A b",
        "http://a.example/a-b",
        "http://a.example/a_b/",
        "http://con/",
        "http://a.example/" + "x" * 900,
    ]
    names = [file_name(url) for url in urls]
    assert len(set(names)) == len(urls)
    assert names[3].startswith("_con/index-")
