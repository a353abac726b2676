"""What is said of a site or a hub goes for a few of its pages, as one edit, and is taken back as one."""

from pathlib import Path

import pytest

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.errors import TopicsError
from scenthound.services.topics.group_feedback import FEW, Of, meant_by, said_of_site, say_of, take_back_of
from scenthound.services.topics.page_feedback import Saying, say, sayings_of, topic_of_example
from scenthound.services.topics.topic_edits import Editing
from scenthound.taxonomy import NOT_WANTED, Topic, Topics
from tests.distill.small_crawls import MadeCrawl, directory_of, link, page

TOURING, RACING = "Cycling/Touring", "Cycling/Racing"
HUB = "http://hub.test/links"
TOPICS = Topics(
    topics=(
        Topic(path=TOURING, good=True, examples=("http://www.tour.test/0", "http://other.test/")),
        Topic(path=RACING, good=True, examples=("http://race.test/",)),
        Topic(path="Arts", examples=("http://violin.test/",)),
    )
)
CRAWL = MadeCrawl(
    urls=[
        *(page(f"http://www.tour.test/{n}", 0.9 - n / 20, topic=TOURING) for n in range(8)),
        page(HUB, 0.4),
        page("http://hub.test/imprint", 0.95, topic=TOURING),
        page("http://sprint.test/", 0.8, topic=RACING),
        page("http://cake.test/", 0.1),
        page("http://waiting.test/", ending="waiting"),
    ],
    links=[link(8, target) for target in (9, 10, 11, 12, 0)],
)


@pytest.fixture
def directory(tmp_path: Path) -> CrawlDirectory:
    return CrawlDirectory.open(directory_of(CRAWL, tmp_path / "crawl", TOPICS))


def places(directory: CrawlDirectory) -> dict[str, str]:
    return {url: topic.path for topic in directory.topics().topics for url in topic.example_urls}


def test_a_site_stands_for_its_most_relevant_pages(directory: CrawlDirectory) -> None:
    meant = meant_by(directory, Of.SITE, "tour.test", Saying.NOT_GOOD)
    assert [page.url for page in meant.pages] == [f"http://www.tour.test/{n}" for n in range(FEW)]
    assert (meant.pages[0].now, meant.pages[1].now, meant.pages[0].to) == (TOURING, None, NOT_WANTED)
    assert places(directory) == {
        url: topic.path for topic in TOPICS.topics for url in topic.examples
    }  # nothing is done
    say_of(directory, Of.SITE, "tour.test", Saying.NOT_GOOD)
    assert [url for url, topic in places(directory).items() if topic == NOT_WANTED] == [
        page.url for page in meant.pages
    ]
    assert said_of_site(sayings_of(directory), "tour.test") is Saying.NOT_GOOD
    assert len(directory.history.versions()) == 1


@pytest.mark.slow
def test_a_good_hub_stands_for_itself_and_what_it_leads_to_elsewhere(directory: CrawlDirectory) -> None:
    meant = meant_by(directory, Of.HUB, HUB, Saying.GOOD)
    went = {page.url: page.to for page in meant.pages}
    assert went == {HUB: TOURING, "http://sprint.test/": RACING, "http://cake.test/": TOURING}
    say_of(directory, Of.HUB, HUB, Saying.GOOD, only=[HUB, "http://sprint.test/"])
    assert topic_of_example(directory.topics(), "http://sprint.test/") == RACING
    assert topic_of_example(directory.topics(), "http://cake.test/") is None


@pytest.mark.parametrize(("of", "name"), [(Of.SITE, "tour.test"), (Of.HUB, HUB)])
def test_it_is_taken_back_as_one_whatever_came_between(directory: CrawlDirectory, of: Of, name: str) -> None:
    before = places(directory)
    say_of(directory, of, name, Saying.NOT_GOOD)
    assert places(directory) != before
    say(directory, "http://violin.test/strings", Saying.NOT_GOOD)
    Editing(directory.path).unmark(RACING)
    take_back_of(directory, of, name)
    assert places(directory) == {**before, "http://violin.test/strings": NOT_WANTED}
    assert not directory.topics().is_good(RACING)


def test_what_cannot_be_said_is_told_in_one_line(directory: CrawlDirectory) -> None:
    with pytest.raises(TopicsError, match="no page of nothing"):
        say_of(directory, Of.SITE, "nothing.test", Saying.GOOD)
    with pytest.raises(TopicsError, match="not known to this crawl"):
        say_of(directory, Of.HUB, "http://nothing.test/", Saying.GOOD)
    with pytest.raises(TopicsError, match="none of the pages"):
        say_of(directory, Of.SITE, "tour.test", Saying.GOOD, only=["http://cake.test/"])
    with pytest.raises(TopicsError, match="nothing was said of tour"):
        take_back_of(directory, Of.SITE, "tour.test")
