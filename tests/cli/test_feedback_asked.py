"""`scenthound feedback --ask`: a few pages are named, the answers say how right the critic is, and it learns from
them.
"""

import io
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from shutil import copytree

import pytest
from msgspec import structs

from scenthound import StopSwitch, ignore, run_crawl
from scenthound.crawl.diagnosis.reader_answers import (
    ANSWERS_FILE,
    Answers,
    answer_lines,
    keep_answers,
    latest_answers,
    share_of,
)
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.services.topics.page_feedback import Saying, sayings_of
from scenthound.services.topics.sample import Answer, draw_sample, in_words, pages_to_check, summary_of, take_answers
from scenthound.taxonomy import Topic, Topics
from tests.cli.conftest import Ran, one_line, scenthound
from tests.distill.small_crawls import MadeCrawl, directory_of, page
from tests.services.small_site import on_the_site

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


def test_pages_are_proposed_until_some_were_checked_and_again_when_the_crawl_has_grown(
    directory: CrawlDirectory, tmp_path: Path
) -> None:
    proposed = pages_to_check(directory, None)
    assert proposed == draw_sample(directory, count=10).asked
    sample = draw_sample(directory, count=10)
    answers = summary_of(sample, [Answer(page=one, good=True) for one in sample.asked], at=1.0)
    assert pages_to_check(directory, answers) == ()
    assert pages_to_check(directory, structs.replace(answers, pages=9)) == proposed
    assert pages_to_check(CrawlDirectory.create(tmp_path / "empty", topics=WANTED), None) == ()


def test_answers_are_compared_with_what_the_critic_said_then(directory: CrawlDirectory, tmp_path: Path) -> None:
    """It gave the five called on topic .9 and the five others .1; the reader finds all of them bad."""
    copy = copied(directory, tmp_path / "copy")
    sample = draw_sample(copy, count=10)
    said = take_answers(copy, sample, [Answer(page=one, good=False) for one in sample.asked])
    assert said[-1] == "So about 0 % of the 19 pages crawled are good; the harvest shown is 39 %."
    kept = latest_answers(copy.path)
    assert kept is not None
    assert kept.told_called == pytest.approx(0.9)
    assert kept.told == sample.harvest
    assert "The critic expected 90 % of them to be good: that is too high." in answer_lines(kept)
    assert "The critic showed a harvest of 39 %: your answers agree." in answer_lines(kept)  # none, or up to 45 %
    assert {sayings_of(copy).of(one.url) for one in sample.asked} == {Saying.NOT_GOOD}


def test_answers_of_earlier_versions_are_read() -> None:
    old = Answers(at=0.0, pages=90, called=5, good=4, precision=share_of(4, 5), harvest=share_of(3, 10))
    assert [line.partition(" ")[0] for line in answer_lines(old)] == ["When", "By"]


def test_other_programs_get_the_pages(directory: CrawlDirectory) -> None:
    rows = json.loads(scenthound("feedback", directory.path, "--ask", "4", "--json").out)
    assert len(rows) == 4
    assert set(rows[0]) == {"url", "title", "relevance"}


@pytest.mark.slow
def test_who_answers_nothing_changes_nothing(directory: CrawlDirectory, monkeypatch: pytest.MonkeyPatch) -> None:
    before = directory.topics()
    for typed in ("", "q\n", "what?\ns\nq\n"):
        ran = answered(monkeypatch, directory.path, typed, count=4)
        assert ran.code == 0
        assert ran.out.endswith("No answers, so nothing changes.\n")
    assert directory.topics() == before


def test_without_pages_or_a_crawl_it_says_what_to_do(directory: CrawlDirectory, tmp_path: Path) -> None:
    ran = scenthound("feedback", directory.path, "--good")
    assert (ran.code, one_line(ran.err)) == (2, "scenthound: name the pages, or use --ask to choose some")
    empty = CrawlDirectory.create(tmp_path / "empty", topics=WANTED)
    assert "has not been crawled yet" in one_line(scenthound("feedback", empty.path, "--ask", "3").err)


@pytest.mark.slow
def test_answers_stand_beside_the_harvest_and_contradict_it(directory: CrawlDirectory, tmp_path: Path) -> None:
    """The critic calls seven of nineteen pages on topic, and means .39; the reader finds none of them good."""
    copy = copied(directory, tmp_path / "copy")
    assert "by the critic's own judgement\n" in scenthound("status", copy.path).out
    sample = draw_sample(copy, count=19)
    assert latest_answers(copy.path) is None
    keep_answers(copy.path, summary_of(sample, [Answer(page=one, good=True) for one in sample.asked], at=1.0))
    keep_answers(copy.path, summary_of(sample, [Answer(page=one, good=False) for one in sample.asked], at=2.0))
    shown = scenthound("status", copy.path).out
    assert "you found 0 of 7 pages called on topic good (0 %, between 0 and 35 %)" in shown
    told = json.loads(scenthound("status", copy.path, "--json").out)
    assert (told["answers"]["called"], told["answers"]["good"]) == (7, 0)
    assert told["answers"]["precision"]["high"] == pytest.approx(0.348, abs=0.001)
    assert told["answers"]["harvest"]["value"] == 0.0
    [finding] = told["findings"]
    assert finding["kind"] == "critic-contradicted"
    assert "the harvest it shows is too high" in finding["sentence"]
    assert finding["command"] == f"scenthound feedback {copy.path} --ask 20"
    assert finding["command"] in shown


def test_answers_that_agree_with_the_critic_are_no_finding(directory: CrawlDirectory, tmp_path: Path) -> None:
    copy = copied(directory, tmp_path / "copy")
    sample = draw_sample(copy, count=19)
    right = [Answer(page=one, good=one.relevance > 0.5) for one in sample.asked]
    keep_answers(copy.path, summary_of(sample, right, at=1.0))
    assert json.loads(scenthound("status", copy.path, "--json").out)["findings"] == []


def test_answers_of_one_kind_say_nothing_about_the_harvest(directory: CrawlDirectory) -> None:
    sample = draw_sample(directory, count=10)
    on = [Answer(page=one, good=True) for one in sample.asked if one.relevance > 0.5]
    found = summary_of(sample, on, at=1.0)
    assert (found.good, found.called, found.harvest) == (5, 5, None)


def test_a_damaged_file_of_answers_is_ignored(tmp_path: Path) -> None:
    (tmp_path / ANSWERS_FILE).write_text('{"at": 1')
    assert latest_answers(tmp_path) is None


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
    before = scenthound("topics", crawled.path, "quality").out
    assert "Nobody has checked crawled pages so far.\n" in before
    assert f"To answer: scenthound feedback {crawled.path} --ask 10\n" in before
    assert all(f"  {one.url}  {one.title}\n" in before for one in draw_sample(crawled, count=10).asked)
    ran = answered(monkeypatch, crawled.path, "y\nn\n", count=2)
    assert ran.code == 0, ran.err
    assert "called on topic" in ran.out
    assert f"feedback {crawled.path} {asked[0].url} {asked[1].url} --undo" in ran.out
    kept = latest_answers(crawled.path)
    assert kept is not None
    assert (kept.called, kept.good) == (sum(one.relevance >= 0.5 for one in asked), int(asked[0].relevance >= 0.5))
    assert "What you said about crawled pages\nWhen " in (shown := scenthound("topics", crawled.path, "quality").out)
    assert "called on topic good" in shown or "By your answers about" in shown
    found = json.loads(scenthound("topics", crawled.path, "quality", "--json").out)
    assert (found["answers"]["called"], found["answers"]["good"]) == (kept.called, kept.good)
    assert found["to_check"] == []
    assert "The test on your examples expects " in shown or kept.precision is None
    said = sayings_of(crawled)
    assert [said.of(one.url) for one in asked] == [Saying.GOOD, Saying.NOT_GOOD]


def copied(directory: CrawlDirectory, path: Path) -> CrawlDirectory:
    """Return a copy with the totals that a crawl would have counted: nineteen judged pages, the example left out."""
    copy = CrawlDirectory.open(copytree(directory.path, path))
    with closing(sqlite3.connect(copy.database)) as con, con:
        con.executemany("INSERT OR REPLACE INTO counters VALUES (?, ?)", [("judged", 19), ("relevance_sum", 7.5)])
    return copy


def answered(monkeypatch: pytest.MonkeyPatch, path: Path, typed: str, *, count: int) -> Ran:
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    return scenthound("feedback", path, "--ask", str(count))
