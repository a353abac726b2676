"""The graph around pages and topics: who is in it, in which order, and what is bounded."""

from pathlib import Path

import pytest

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.errors import TopicsError, UrlError
from scenthound.services.results.neighbourhood import Neighbourhood, best_of, neighbourhood_of
from scenthound.services.sql.read_connection import asking
from scenthound.taxonomy import Topic, Topics
from tests.distill.small_crawls import MadeCrawl, directory_of, link, page

CYCLING = "Sport/Cycling"
TOUR, RACE, CAKE, NEW, FAR = (f"http://{name}.test/" for name in ("tour", "race", "cake", "new", "far"))
CRAWL = MadeCrawl(
    urls=[
        page(TOUR, 0.9, topic=CYCLING),
        page(RACE, 0.7, topic=CYCLING),
        page(CAKE, 0.1, topic="Home"),
        page(NEW, ending="waiting"),
        page(FAR, 0.8, topic="Home"),
    ],
    links=[link(0, 1), link(0, 3), link(0, 3), link(2, 0), link(2, 1), link(1, 4), link(0, 0)],
)
TOPICS = Topics(topics=(Topic(path=CYCLING, good=True), Topic(path="Home"), Topic(path="Arts")))


@pytest.fixture
def directory(tmp_path: Path) -> CrawlDirectory:
    return CrawlDirectory.open(directory_of(CRAWL, tmp_path / "mine", TOPICS))


def urls(found: Neighbourhood) -> list[str]:
    return [one.url for one in found.pages]


def links(found: Neighbourhood) -> set[tuple[str, str]]:
    by_id = {one.id: one.url for one in found.pages}
    return {(by_id[one.source], by_id[one.target]) for one in found.links}


def test_around_a_page_are_those_it_links_to_and_those_that_link_to_it(directory: CrawlDirectory) -> None:
    found = neighbourhood_of(directory, "", [TOUR])
    assert urls(found) == [TOUR, RACE, CAKE, NEW]
    assert links(found) == {(TOUR, RACE), (TOUR, NEW), (CAKE, TOUR), (CAKE, RACE)}
    assert [one.middle for one in found.pages] == [True, False, False, False]
    assert (found.pages[3].state, found.pages[3].relevance) == ("waiting", None)
    assert found.more == 0


def test_the_best_come_first_and_the_rest_is_counted(directory: CrawlDirectory) -> None:
    found = neighbourhood_of(directory, "", [TOUR], most=2)
    assert (urls(found), found.more) == ([TOUR, RACE], 2)


def test_a_page_that_is_expanded_brings_its_own_neighbours(directory: CrawlDirectory) -> None:
    assert urls(neighbourhood_of(directory, "", [TOUR, RACE])) == [TOUR, RACE, FAR, CAKE, NEW]


def test_around_a_topic_are_its_best_pages_good_or_not(directory: CrawlDirectory) -> None:
    assert urls(neighbourhood_of(directory, "Cycling", [])) == [TOUR, RACE, FAR, CAKE, NEW]
    assert urls(neighbourhood_of(directory, "Home", [], most=2)) == [FAR, CAKE]
    assert neighbourhood_of(directory, "Arts", []) == Neighbourhood(pages=(), links=(), more=0)
    assert urls(neighbourhood_of(directory, "Arts", [CAKE])) == [CAKE, TOUR, RACE]


def test_what_is_not_there_is_said(directory: CrawlDirectory) -> None:
    with pytest.raises(UrlError, match="never seen"):
        neighbourhood_of(directory, "", ["http://nowhere.test/"])
    with pytest.raises(UrlError, match="not the address"):
        neighbourhood_of(directory, "", ["http://"])
    with pytest.raises(TopicsError, match="Dance"):
        neighbourhood_of(directory, "Dance", [])


def test_pages_of_a_topic_are_looked_for_among_so_many_and_it_is_said(directory: CrawlDirectory) -> None:
    with asking(directory) as con:
        among_one, among_all = (best_of(con, directory.topics(), "Home", seen=seen) for seen in (1, 100))
    assert (among_one.latest, among_all.latest) == (1, 0)
    assert len(among_one.ids) < len(among_all.ids)
