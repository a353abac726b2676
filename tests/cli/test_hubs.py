"""`hubs`, `authorities` and `sites` as typed, on small crawls that were written by hand."""

import json
import re
import time
from pathlib import Path
from typing import Any

import pytest

from scenthound.store.sqlite.store import SqliteStore
from scenthound.taxonomy import Topic, Topics
from scenthound.types import Distillation, PageScore
from tests.cli.conftest import Crawled, scenthound
from tests.distill.small_crawls import MadeCrawl, MadeLink, directory_of, link, page

pytestmark = pytest.mark.slow

TOPICS = Topics(
    topics=(
        Topic(path="Sport/Cycling", good=True, examples=("http://tour.test/",)),
        Topic(path="Arts/Violins", examples=("http://violin.test/",)),
    )
)
CRAWL = MadeCrawl(
    urls=[
        page("http://list.test/links", 0.7, topic="Sport/Cycling", title="Everything on wheels"),
        page("http://diary.test/", 0.6, topic="Sport/Cycling", title="A diary"),
        page("http://tour.test/", 0.99, topic="Sport/Cycling", title="The tour"),
        page("http://race.test/", 0.98, topic="Sport/Cycling", title="The race"),
        page("http://violin.test/", 0.01, topic="Arts/Violins", title="A violin"),
        page("http://wood.test/", 0.02, topic="Arts/Violins", title="Wood for violins"),
        page("http://tour.test/news", 0.3, topic="Sport/Cycling", title="News"),
        page("http://new.test/", ending="waiting"),
    ],
    links=[link(0, 2), link(0, 3), link(0, 7), link(0, 4), link(1, 2), link(4, 5), link(0, 2)],
)


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return directory_of(CRAWL, tmp_path_factory.mktemp("hubs") / "crawl", TOPICS)


def told(command: str, path: Path, *arguments: str) -> dict[str, Any]:
    ran = scenthound(command, path, *arguments, "--json")
    assert (ran.code, ran.err) == (0, "")
    return dict(json.loads(ran.out))


def test_hubs_come_with_the_best_pages_that_they_link_to(crawl: Path) -> None:
    ran = scenthound("hubs", crawl)
    assert ran.code == 0, ran.err
    lines = [line.strip() for line in ran.out.splitlines()]
    assert lines[0] == (
        "Hubs for Sport/Cycling: 7 different pages, examples included, 3 links between sites to 2 of the most relevant, 20 rounds in memory."
    )
    assert lines[2].endswith("Everything on wheels")
    assert lines[3:6] == [
        "http://list.test/links",
        "links to 2, and 1 URL not asked for yet:",
        lines[5],
    ]
    assert lines[5].endswith("The tour  http://tour.test/")


def test_hubs_for_programs(crawl: Path) -> None:
    answer = told("hubs", crawl, "--most", "1")
    assert answer["topics"] == ["Sport/Cycling"]
    assert answer["distilled"]["method"] == "memory"
    [hub] = answer["hubs"]
    assert (hub["url"], hub["title"], hub["relevance"]) == ("http://list.test/links", "Everything on wheels", 0.7)
    assert [there["title"] for there in hub["neighbours"]] == ["The tour", "The race"]
    assert (hub["count"], hub["unvisited"]) == (2, 1)


def test_authorities_come_with_the_hubs_that_cite_them(crawl: Path) -> None:
    first, second = told("authorities", crawl)["authorities"]
    assert (first["title"], second["title"]) == ("The tour", "The race")
    assert [there["url"] for there in first["neighbours"]] == ["http://list.test/links", "http://diary.test/"]
    assert "cited by 2:" in scenthound("authorities", crawl).out


def test_sites_come_by_the_density_of_relevant_pages(crawl: Path) -> None:
    answer = told("sites", crawl)
    assert [site["site"] for site in answer["sites"]] == ["diary.test", "list.test", "race.test", "tour.test"]
    assert answer["sites"][3]["relevant"] == 1
    assert answer["sites"][3]["density"] == 0.5
    assert answer["sites"][3]["best"] == [{"url": "http://tour.test/", "title": "The tour", "relevance": 0.99}]
    assert "tour.test: 1 of 2 pages (50 %)" in scenthound("sites", crawl).out


def test_any_topic_can_be_asked_for_by_the_end_of_its_path(crawl: Path) -> None:
    answer = told("hubs", crawl, "--topic", "violins")
    assert answer["topics"] == ["Arts/Violins"]
    assert [hub["title"] for hub in answer["hubs"]] == ["A violin"]
    assert answer["hubs"][0]["relevance"] == 1.0  # without a critic: it is about violins, or it is not
    assert [site["site"] for site in told("sites", crawl, "--topic", "Arts")["sites"]] == ["violin.test", "wood.test"]


def test_it_is_said_that_they_were_worked_out_now(crawl: Path) -> None:
    last = "Worked out now, on the crawl as it is; --stored shows what was found last beside it."
    assert [scenthound(command, crawl).out.splitlines()[-1] for command in ("hubs", "authorities")] == [last, last]


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same crawl, whose hubs were found beside it two minutes ago, when the diary was the better one; a mirror
    came since.
    """
    urls = [*CRAWL.urls, page("http://mirror.test/", 0.99, topic="Sport/Cycling", same=2)]
    links = [*CRAWL.links, link(1, 8)]
    path = directory_of(MadeCrawl(urls=urls, links=links), tmp_path_factory.mktemp("kept") / "crawl", TOPICS)
    scores = [
        PageScore(url="http://diary.test/", hub=0.6),
        PageScore(url="http://list.test/links", hub=0.4),
        PageScore(url="http://tour.test/", authority=1.0),
    ]
    with SqliteStore(path / "crawl.db") as store:
        found = Distillation(at=time.time() - 125, critic=1, pages=7, links=7, site="domain")
        store.distilled(found, scores, moves={}, now=time.time())
    return path


def test_what_was_found_last_is_shown_with_its_age(kept: Path) -> None:
    lines = [line.strip() for line in scenthound("hubs", kept, "--stored").out.splitlines()]
    assert lines[0] == "Hubs for Sport/Cycling, as found beside the crawl: 7 pages, 7 links in all."
    assert lines[2] == "1  0.6000  A diary"
    assert lines[4] == "links to 1:"  # the tour, once, though also by its mirror
    assert re.fullmatch(r"Found 2 min \d+ s ago; without --stored they are worked out now\.", lines[-1])
    answer = told("authorities", kept, "--stored")
    assert answer["distilled"] is None
    stored = answer["stored"]
    assert (stored["version"], stored["pages"], stored["links"], stored["site"]) == (1, 7, 7, "domain")
    assert 125 <= stored["age"] < 180
    [tour] = answer["authorities"]
    assert [there["url"] for there in tour["neighbours"]] == ["http://diary.test/", "http://list.test/links"]


def test_what_was_not_stored_is_said_in_one_line(crawl: Path, kept: Path) -> None:
    ran = scenthound("hubs", crawl, "--stored")
    assert (ran.code, ran.out) == (
        0,
        "No hubs are stored yet: they are found beside the crawl when it has links enough (distill.least); "
        f"to work them out now: scenthound hubs {crawl}\n",
    )
    nothing = told("hubs", crawl, "--stored")
    assert (nothing["stored"], nothing["hubs"]) == (None, [])
    refused = [scenthound("hubs", kept, "--stored", *more) for more in (["--topic", "Violins"], ["--site", "page"])]
    assert [(ran.code, ran.out, ran.err.count("\n")) for ran in refused] == [(2, "", 1)] * 2
    assert "for all good topics together" in refused[0].err
    assert "takes a domain for a site" in refused[1].err


def test_a_topic_that_does_not_exist_is_answered_with_one_that_does(crawl: Path) -> None:
    ran = scenthound("hubs", crawl, "--topic", "Violas")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == 'scenthound: there is no topic "Violas"; did you mean "Arts/Violins"?\n'


def test_in_a_crawl_of_one_site_each_page_is_a_site_and_that_is_said(tmp_path: Path) -> None:
    urls = [page("http://a.test/", 0.9), page("http://a.test/tour", 0.9)]
    path = directory_of(MadeCrawl(urls=urls, links=[link(0, 1)]), tmp_path / "crawl", TOPICS)
    ran = scenthound("hubs", path)
    assert "1 link between pages" in ran.out
    assert "All pages are of a.test: each page is taken for a site (--site page)." in ran.out
    answer = told("hubs", path)
    assert (answer["site"], [hub["url"] for hub in answer["hubs"]]) == ("page", ["http://a.test/"])
    assert [one["url"] for one in told("authorities", path)["authorities"]] == ["http://a.test/tour"]
    assert "use --site host or --site page" in scenthound("hubs", path, "--site", "domain").out
    assert told("hubs", path, "--site", "domain")["hubs"] == []


def test_without_judged_pages_that_is_said(crawled: Crawled) -> None:
    assert "No hubs: no page has been judged" in crawled.run("hubs").out
    assert "No sites: no page was judged relevant." in crawled.run("sites").out


@pytest.mark.parametrize("command", ["hubs", "authorities", "sites"])
def test_before_the_first_crawl_that_is_said(command: str, tmp_path: Path) -> None:
    assert scenthound("new", tmp_path / "crawl", "http://a.example/").code == 0
    ran = scenthound(command, tmp_path / "crawl")
    assert ran.code == 2
    assert "has not been crawled yet" in ran.err


def test_nothing_is_written_beside_a_crawl(tmp_path: Path) -> None:
    path = directory_of(CRAWL, tmp_path / "crawl", TOPICS)
    before = (path / "crawl.db").read_bytes()
    for command in ("hubs", "authorities", "sites"):
        assert scenthound(command, path).code == 0
    assert (path / "crawl.db").read_bytes() == before


def test_mirrors_show_up_once(tmp_path: Path) -> None:
    urls = [*CRAWL.urls, page("http://mirror.test/", 0.99, topic="Sport/Cycling", same=2)]
    links: list[MadeLink] = [*CRAWL.links, link(1, 8)]
    path = directory_of(MadeCrawl(urls=urls, links=links), tmp_path / "crawl", TOPICS)
    assert [one["title"] for one in told("authorities", path)["authorities"]] == ["The tour", "The race"]
    assert [one["count"] for one in told("hubs", path)["hubs"]] == [2, 1]
