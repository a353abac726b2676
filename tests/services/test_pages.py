"""Pages by what a reader looks for, best first; and the recipes of the docs."""

import io
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.errors import UrlError
from scenthound.services.corpus.corpus_export import Export
from scenthound.services.corpus.wish import ExportWish
from scenthound.services.results.export_format import ExportFormat
from scenthound.services.results.page_card import card_of, url_of_page
from scenthound.services.results.page_list import (
    PageOrder,
    PageQuery,
    Total,
    choices_of,
    count_pages,
    find_pages,
    page_numbers,
)
from scenthound.services.sql.read_connection import asking
from scenthound.services.sql.recipes import recipes
from scenthound.taxonomy import Topic, Topics
from tests.distill.small_crawls import MadeCrawl, directory_of, link, page

CYCLING = "Sport/Cycling"
CRAWL = MadeCrawl(
    urls=[
        page("http://tour.test/", 0.9, topic=CYCLING, title="The Tour", fetched_at=100.0),
        page("http://www.race.test/", 0.7, topic=f"{CYCLING}/Racing", title="The race", fetched_at=200.0),
        page("http://news.race.test/", 0.2, topic="Sport", title="News of the tour", fetched_at=300.0),
        page("http://old.test/", title="Not judged"),
        page("http://gone.test/", ending="failed"),
    ],
    links=[link(0, 1), link(2, 1), link(1, 4)],
)
TOPICS = Topics(topics=(Topic(path=CYCLING, good=True, examples=("http://tour.test/",)),))


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> CrawlDirectory:
    return CrawlDirectory.open(directory_of(CRAWL, tmp_path_factory.mktemp("pages") / "crawl", TOPICS))


@pytest.mark.parametrize(
    ("query", "found"),
    [
        (PageQuery(), [1, 2, 3]),
        (PageQuery(order=PageOrder.NEWEST), [4, 3, 2, 1]),
        (PageQuery(order=PageOrder.OLDEST, limit=2), [1, 2]),
        (PageQuery(order=PageOrder.OLDEST, limit=2, offset=2), [3, 4]),
        (PageQuery(topic=CYCLING), [1, 2]),
        (PageQuery(topic="Sport/Cyc"), []),
        (PageQuery(site="race.test"), [2, 3]),
        (PageQuery(site="news.race.test"), [3]),
        (PageQuery(words=" TOUR "), [1, 3]),
        (PageQuery(min_relevance=0.5), [1, 2]),
        (PageQuery(max_relevance=0.5), [3]),
        (PageQuery(since=150.0, until=300.0), [2]),
        (PageQuery(mime="text/html", language="de"), []),
    ],
)
def test_pages_are_found_by(directory: CrawlDirectory, query: PageQuery, found: list[int]) -> None:
    assert [hit.n for hit in find_pages(directory, query).pages] == found


@pytest.mark.parametrize(
    "query", [PageQuery(), PageQuery(site="race.test"), PageQuery(words="tour"), PageQuery(order=PageOrder.NEWEST)]
)
def test_all_that_fit_are_counted_and_exported_whatever_the_limit(directory: CrawlDirectory, query: PageQuery) -> None:
    found = sorted(hit.n for hit in find_pages(directory, query).pages)
    assert count_pages(directory, replace(query, limit=1)) == Total(pages=len(found), examples=0)
    assert list(page_numbers(directory, replace(query, limit=1))) == found
    out = io.StringIO()
    Export(directory, ExportWish(form=ExportFormat.JSONL, query=replace(query, limit=1))).to_stream(out)
    assert [json.loads(line)["n"] for line in out.getvalue().splitlines()] == found


def test_the_best_are_found_without_a_scan(directory: CrawlDirectory) -> None:
    with asking(directory) as con:
        plan = con.execute(
            "EXPLAIN QUERY PLAN SELECT n FROM pages p WHERE p.ending = 'page' AND p.relevance IS NOT NULL "
            "AND p.relevance >= ? ORDER BY p.relevance DESC LIMIT 50",
            (0.5,),
        ).fetchall()
    assert "USING INDEX pages_relevance" in plan[0][-1] or "USING COVERING INDEX pages_relevance" in plan[0][-1]


def test_it_is_said_whether_there_are_more(directory: CrawlDirectory) -> None:
    assert find_pages(directory, PageQuery(limit=2)).more
    assert not find_pages(directory, PageQuery(limit=3)).more


def test_what_there_is_to_choose_from(directory: CrawlDirectory) -> None:
    found = choices_of(directory)
    assert found.sites == (("race.test", 2), ("tour.test", 1))
    assert found.mimes == (("text/html", 3),)


@pytest.mark.slow
def test_a_card_has_the_neighbours_of_a_page(directory: CrawlDirectory) -> None:
    card = card_of(directory, url_of_page(directory, 2))
    assert [one.url for one in card.cited_by] == ["http://tour.test/", "http://news.race.test/"]
    assert [(one.url, one.state) for one in card.cites] == [("http://gone.test/", "failed")]
    tour = card_of(directory, "http://tour.test")
    assert (tour.said, bool(tour.example)) == ("", True)
    with pytest.raises(UrlError, match="there is no page 99"):
        url_of_page(directory, 99)
    with pytest.raises(UrlError, match="never seen"):
        card_of(directory, "http://nowhere.test/")


def test_the_recipes_are_those_of_the_docs() -> None:
    docs = (Path(__file__).parents[2] / "docs" / "how-to" / "ask-in-sql.md").read_text(encoding="utf-8")
    told = re.findall(r"### ([^\n]+)\n.*?```sql\n(.*?)```", docs[docs.index("## Recipes") :], re.DOTALL)
    assert [(one.title, one.sql.strip()) for one in recipes()] == [(title, sql.strip()) for title, sql in told]
