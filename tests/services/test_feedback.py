"""Good and not good become examples, and each can be taken back, whatever was edited in between."""

from pathlib import Path

import pytest

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.errors import TopicsError, UrlError
from scenthound.services.topics.page_feedback import Saying, say, sayings_of, take_back, topic_of_example
from scenthound.services.topics.topic_edits import Editing
from scenthound.taxonomy import NOT_WANTED, Topic, Topics
from tests.distill.small_crawls import MadeCrawl, directory_of, page

TOURING, RACING = "Cycling/Touring", "Cycling/Racing"
TOPICS = Topics(
    topics=(
        Topic(path=TOURING, good=True, examples=("http://tour.test/",)),
        Topic(path=RACING, good=True, examples=("http://race.test/",)),
        Topic(path="Arts", examples=("http://violin.test/",)),
    )
)
CRAWL = MadeCrawl(urls=[page("http://sprint.test/", 0.9, topic=RACING), page("http://cake.test/", 0.4)], links=[])


@pytest.fixture
def directory(tmp_path: Path) -> CrawlDirectory:
    return CrawlDirectory.open(directory_of(CRAWL, tmp_path / "crawl", TOPICS))


def test_a_good_page_is_an_example_of_its_likeliest_good_topic(directory: CrawlDirectory) -> None:
    say(directory, "http://SPRINT.test/", Saying.GOOD)
    assert topic_of_example(directory.topics(), "http://sprint.test/") == RACING
    say(directory, "http://unknown.test/", Saying.GOOD, topic=TOURING)
    assert topic_of_example(directory.topics(), "http://unknown.test/") == TOURING


def test_a_page_that_is_not_good_is_an_example_against(directory: CrawlDirectory) -> None:
    say(directory, "http://cake.test/", Saying.NOT_GOOD)
    assert topic_of_example(directory.topics(), "http://cake.test/") == NOT_WANTED
    assert sayings_of(directory).of("http://cake.test/") is Saying.NOT_GOOD
    assert not directory.topics().is_good(NOT_WANTED)


def test_a_reader_may_change_their_mind(directory: CrawlDirectory) -> None:
    say(directory, "http://tour.test/", Saying.NOT_GOOD)
    assert topic_of_example(directory.topics(), "http://tour.test/") == NOT_WANTED
    assert sayings_of(directory).of("http://tour.test/") is Saying.NOT_GOOD
    say(directory, "http://cake.test/", Saying.NOT_GOOD)
    say(directory, "http://cake.test/", Saying.GOOD)
    assert sayings_of(directory).of("http://cake.test/") is Saying.GOOD


def test_an_example_from_the_start_is_one_of_which_nobody_has_said_anything(directory: CrawlDirectory) -> None:
    say(directory, "http://cake.test/", Saying.GOOD)
    Editing(directory.path).rename(TOURING, "Tours")
    Editing(directory.path).mark("Arts")
    sayings = sayings_of(directory)
    assert [sayings.of(f"http://{name}.test/") for name in ("tour", "violin", "cake")] == [None, None, Saying.GOOD]
    assert [sayings.example_of(f"http://{name}.test/") for name in ("tour", "nowhere")] == ["Cycling/Tours", ""]


def test_taking_back_brings_a_page_where_it_was_whatever_came_between(directory: CrawlDirectory) -> None:
    say(directory, "http://tour.test/", Saying.NOT_GOOD)
    say(directory, "http://cake.test/", Saying.NOT_GOOD)
    Editing(directory.path).unmark(RACING)
    take_back(directory, "http://tour.test/")
    take_back(directory, "http://cake.test/")
    topics = directory.topics()
    assert topic_of_example(topics, "http://tour.test/") == TOURING
    assert topic_of_example(topics, "http://cake.test/") is None
    assert not topics.is_good(RACING)


def test_what_was_never_said_cannot_be_taken_back(directory: CrawlDirectory) -> None:
    with pytest.raises(TopicsError, match="nothing was said"):
        take_back(directory, "http://cake.test/")
    with pytest.raises(TopicsError, match="already"):
        say(directory, "http://tour.test/", Saying.GOOD, topic=TOURING)
    with pytest.raises(TopicsError, match="no good topic"):
        say(directory, "http://cake.test/", Saying.GOOD, topic="Arts")
    with pytest.raises(UrlError):
        say(directory, "/etc/passwd", Saying.GOOD)
