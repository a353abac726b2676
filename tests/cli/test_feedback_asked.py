"""`scenthound feedback --ask`: a few pages are named, the answers say how right the critic is, and it learns from them."""

import io
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from scenthound import StopSwitch, ignore, run_crawl
from scenthound.crawl.directory import CrawlDirectory
from scenthound.desk.feedback import Saying, sayings_of
from scenthound.desk.sample import Answer, draw_sample, in_words
from scenthound.taxonomy import Topic, Topics
from tests.cli.conftest import Ran, one_line, scenthound
from tests.desk.small_site import on_the_site
from tests.distill.small_crawls import MadeCrawl, directory_of, page

WANTED = Topics(topics=(Topic(path="Cycling", good=True, examples=("http://page0.test/",)),))


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> CrawlDirectory:
    """Twenty pages, of which the critic calls eight on topic; the first is an example."""
    pages = [page(f"http://page{n}.test/", 0.9 if n < 8 else 0.1, title=f"Page {n}") for n in range(20)]
    made = directory_of(MadeCrawl(urls=pages, links=[]), tmp_path_factory.mktemp("asked") / "crawl", WANTED)
    return CrawlDirectory.open(made)


def test_half_are_called_on_topic_and_half_are_not(directory: CrawlDirectory) -> None:
    sample = draw_sample(directory, count=10)
    assert sum(one.relevance > 0.5 for one in sample.asked) == 5
    assert len({one.url for one in sample.asked}) == 10
    assert "http://page0.test/" not in {one.url for one in sample.asked}
    assert draw_sample(directory, count=10) == sample


def test_where_one_kind_is_short_the_other_fills_up(directory: CrawlDirectory) -> None:
    sample = draw_sample(directory, count=18)
    assert sum(one.relevance > 0.5 for one in sample.asked) == 7
    assert len(sample.asked) == 18
    assert len(draw_sample(directory, count=500).asked) == 19


def test_the_answers_say_how_right_the_critic_is(directory: CrawlDirectory) -> None:
    sample = draw_sample(directory, count=10)
    on = [one for one in sample.asked if one.relevance > 0.5]
    answers = [Answer(page=one, good=one in on[:4]) for one in sample.asked]
    assert list(in_words(sample, answers)) == [
        "Of 5 called on topic, 4 are good (80 %, most likely between 34 and 99 %); the critic expects 90 %.",
        "Of 5 called off topic, 0 are good (0 %, most likely between 0 and 45 %); the critic expects 10 %.",
        "So about 29 % of the 19 pages crawled are good; the harvest shown is 39 %.",
    ]


def test_other_programs_get_the_pages(directory: CrawlDirectory) -> None:
    rows = json.loads(scenthound("feedback", directory.path, "--ask", "4", "--json").out)
    assert len(rows) == 4
    assert set(rows[0]) == {"url", "title", "relevance"}


def test_who_answers_nothing_changes_nothing(directory: CrawlDirectory, monkeypatch: pytest.MonkeyPatch) -> None:
    before = directory.topics()
    for typed in ("", "q\n", "what?\ns\nq\n"):
        ran = answered(monkeypatch, directory.path, typed, count=4)
        assert ran.code == 0
        assert ran.out.endswith("Nothing was answered; nothing changes.\n")
    assert directory.topics() == before


def test_without_pages_or_a_crawl_it_says_what_to_do(directory: CrawlDirectory, tmp_path: Path) -> None:
    ran = scenthound("feedback", directory.path, "--good")
    assert (ran.code, one_line(ran.err)) == (2, "scenthound: name the pages, or let --ask choose some")
    empty = CrawlDirectory.create(tmp_path / "empty", topics=WANTED)
    assert "has not been crawled yet" in one_line(scenthound("feedback", empty.path, "--ask", "3").err)


@pytest.fixture
def crawled(tmp_path: Path) -> Iterator[CrawlDirectory]:
    with on_the_site(tmp_path / "crawl") as made:
        run_crawl(made, made.settings(), listener=ignore, stop=StopSwitch())
        yield made


@pytest.mark.slow
def test_answers_become_examples_that_the_critic_learns_from(
    crawled: CrawlDirectory, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = draw_sample(crawled, count=2).asked
    ran = answered(monkeypatch, crawled.path, "y\nn\n", count=2)
    assert ran.code == 0, ran.err
    assert "called on topic" in ran.out
    assert f"feedback {crawled.path} {asked[0].url} {asked[1].url} --undo" in ran.out
    said = sayings_of(crawled)
    assert [said.of(one.url) for one in asked] == [Saying.GOOD, Saying.NOT_GOOD]


def answered(monkeypatch: pytest.MonkeyPatch, path: Path, typed: str, *, count: int) -> Ran:
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    return scenthound("feedback", path, "--ask", str(count))
