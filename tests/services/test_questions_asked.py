"""Saved questions: what is new is said once, whatever is asked, edited, failed or restarted in between."""

import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from scenthound.crawl.diagnosis.advice import FINDINGS
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.crawl.directory.open_store import open_store
from scenthound.errors import SettingError, StoreError, UsageError
from scenthound.services.news.book_edits import add_question, remove_question
from scenthound.services.news.question_list import listed
from scenthound.services.news.question_run import QuestionReport, news_of, run_questions
from scenthound.settings.question_book import SavedQuestion, load_questions
from scenthound.taxonomy import Topic, Topics
from tests.distill.small_crawls import add_pages, page
from tests.services.asked_crawl import CYCLING, PAGES_SQL, asked_crawl, grow

pytestmark = pytest.mark.slow

ATOM = "{http://www.w3.org/2005/Atom}"


@pytest.fixture
def directory(tmp_path: Path) -> CrawlDirectory:
    return asked_crawl(tmp_path / "mine")


def titles(directory: CrawlDirectory) -> list[str]:
    """Run all questions and return the titles of what is new."""
    return [item.title for item in run_questions(directory).news]


def test_a_search_says_what_came_since(directory: CrawlDirectory) -> None:
    first = add_question(directory, "tours", SavedQuestion(search="tours"))
    assert first.says == "tours: 2 rows remembered; what comes from now on is new"
    assert titles(directory) == []
    grow(directory, "alps", "Tours of the Alps")
    grow(directory, "oven", "An oven")
    assert titles(directory) == ["Tours of the Alps"]
    assert titles(directory) == []


def test_a_search_sees_every_new_page_whatever_its_rank(directory: CrawlDirectory) -> None:
    """More pages match than a ranking shows: one that comes last, and matches least, is new all the same."""
    add_question(directory, "tours", SavedQuestion(search="tours"))
    made = [
        page(f"http://many{number}.test/", 0.8, topic=CYCLING, title="Tours tours tours") for number in range(1_050)
    ]
    add_pages(directory.path, made)
    assert len(run_questions(directory).news) == 1_050
    grow(directory, "last", "A page about bread, ovens, flour and, in the end, about tours too")
    [new] = run_questions(directory).news
    assert new.url == "http://last.test/"


def test_the_best_alone_count_where_that_is_asked_for(directory: CrawlDirectory) -> None:
    report = add_question(directory, "tours", SavedQuestion(search="tours", most=1))
    assert "2 pages match, and only the best 1 are compared" in report.says


def test_a_search_has_filters(directory: CrawlDirectory) -> None:
    add_question(directory, "good tours", SavedQuestion(search="tours", topic="Cycling", min_relevance=0.7))
    grow(directory, "alps", "Tours of the Alps", relevance=0.9)
    grow(directory, "dull", "Tours of a car park", relevance=0.3)
    assert titles(directory) == ["Tours of the Alps"]


def test_a_row_of_sql_is_known_by_its_address(directory: CrawlDirectory) -> None:
    first = add_question(directory, "pages", SavedQuestion(sql=PAGES_SQL, report_first=True))
    assert [item.title for item in first.news] == ["Tours by bicycle", "Tours of bakeries", "A shop"]
    grow(directory, "alps", "Tours of the Alps")
    [new] = run_questions(directory).news
    assert (new.url, new.values["relevance"]) == ("http://alps.test/", 0.8)


def test_a_row_without_address_is_known_as_a_whole_or_by_its_key(directory: CrawlDirectory) -> None:
    counted = "SELECT p.topic, count(*) AS pages FROM pages p GROUP BY p.topic"
    add_question(directory, "whole", SavedQuestion(sql=counted))
    add_question(directory, "by topic", SavedQuestion(sql=counted, key=("topic",)))
    grow(directory, "alps", "Tours of the Alps")
    [new] = run_questions(directory).news
    assert (new.question, new.title, new.summary) == ("whole", CYCLING, f"topic: {CYCLING}, pages: 2")


def test_before_the_first_crawl_nothing_is_seen_and_so_all_is_new_after_it(tmp_path: Path) -> None:
    topics = Topics(topics=(Topic(path=CYCLING, good=True, examples=("http://tour.test/",)),))
    empty = CrawlDirectory.create(tmp_path / "empty", topics=topics)
    assert add_question(empty, "tours", SavedQuestion(search="tours")).rows == 0
    asked_crawl(tmp_path / "full").database.rename(empty.database)
    assert sorted(titles(empty)) == ["Tours by bicycle", "Tours of bakeries"]


def test_a_failure_is_said_and_forgets_nothing(directory: CrawlDirectory) -> None:
    none_yet = "SELECT f.url FROM finds f WHERE f.url LIKE '%alps%'"
    add_question(directory, "alps", SavedQuestion(sql=none_yet))
    away = directory.database.rename(directory.path / "away")
    directory.database.write_text("no database")
    assert "crawl.db" in run_questions(directory).questions[0].error
    assert "crawl.db" in listed(directory).questions[0].says
    away.rename(directory.database)
    grow(directory, "alps", "Tours of the Alps")
    assert titles(directory) == ["http://alps.test/"]


def test_a_question_that_was_changed_begins_again_in_silence(directory: CrawlDirectory) -> None:
    add_question(directory, "tours", SavedQuestion(search="bicycle"))
    file = directory.path / "questions.toml"
    file.write_text("# mine\n" + file.read_text().replace('"bicycle"', '"tours"'))
    assert run_questions(directory).questions[0] == QuestionReport(question="tours", rows=2, remembered=True)
    grow(directory, "alps", "Tours of the Alps")
    assert titles(directory) == ["Tours of the Alps"]
    remove_question(directory, "tours")
    assert file.read_text().startswith("# mine\n")


def test_a_removed_question_leaves_nothing(directory: CrawlDirectory) -> None:
    add_question(directory, "pages", SavedQuestion(sql=PAGES_SQL, report_first=True))
    assert "Tours by bicycle" in (directory.path / "news.atom").read_text()
    remove_question(directory, "pages")
    assert "Tours by bicycle" not in (directory.path / "news.atom").read_text()
    assert load_questions(directory.path).question == {}


@pytest.mark.parametrize(
    ("question", "said"),
    [
        (SavedQuestion(search="tours AND"), "cannot be read at character 10"),
        (SavedQuestion(sql="SELECT nowhere FROM pages"), "no such column: nowhere"),
        (SavedQuestion(sql="DELETE FROM pages"), "only read"),
        (SavedQuestion(sql="SELECT 1 AS one", key=("two",)), 'the key "two" is no column'),
        (SavedQuestion(search="a", sql="SELECT 1"), "a search or SQL, not both"),
        (SavedQuestion(search="a", weights="texts=1"), 'there is no part "texts"'),
        (SavedQuestion(), "say what to ask"),
    ],
)
def test_what_cannot_be_asked_is_not_saved(directory: CrawlDirectory, question: SavedQuestion, said: str) -> None:
    with pytest.raises(UsageError, match=re.escape(said)):
        add_question(directory, "wrong", question)
    assert not (directory.path / "questions.toml").exists()


@pytest.mark.parametrize("name", ["", "diagnosis", "a/b", 'a"b', "x" * 81, " a", "two\nlines"])
def test_what_cannot_be_a_name_is_refused(directory: CrawlDirectory, name: str) -> None:
    with pytest.raises(UsageError, match="choose another name"):
        add_question(directory, name, SavedQuestion(search="tours"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[question.a]\nserch = 'x'", 'there is no setting "serch"; did you mean "search"?'),
        ("[question.a]\nmost = 0", "question.most"),
        ("[[webhook]]\nurl = 'ftp://x'", "give a whole address"),
        ("[news]\nevery = '6x'", "such as 30m, 6h, 1d or 1w"),
        ("[question", "line 1 is not TOML"),
    ],
)
def test_a_mistake_in_the_file_is_one_line(directory: CrawlDirectory, text: str, said: str) -> None:
    (directory.path / "questions.toml").write_text(text)
    with pytest.raises(SettingError, match=re.escape(said)):
        run_questions(directory)


def test_findings_are_news_when_they_begin_to_hold_and_when_they_come_back(directory: CrawlDirectory) -> None:
    (directory.path / "questions.toml").write_text("[news]\n")
    finding = (
        '[{"kind": "stagnation", "sentence": "almost nothing of 40 pages is on topic", "text": "", "evidence": ["40"]}]'
    )

    def noted(text: str) -> list[str]:
        with open_store(directory) as store:
            store.note(FINDINGS, text)
        return titles(directory)

    assert noted(finding) == ["Almost nothing of 40 pages is on topic"]
    assert noted(finding.replace("40", "60")) == []
    assert noted("[]") == []
    assert noted(finding) == ["Almost nothing of 40 pages is on topic"]
    with news_of(directory) as store:
        assert len({item.id for item in store.news()}) == 2


def test_the_feed_is_atom_with_ids_that_stay(directory: CrawlDirectory) -> None:
    add_question(directory, "pages", SavedQuestion(sql=PAGES_SQL, report_first=True))
    grow(directory, "odd", "Bells \x07 & <b>whistles</b> \x1b[31m")
    run_questions(directory)
    before = ET.parse(directory.path / "news.atom").getroot()
    (directory.path / "news.atom").unlink()
    grow(directory, "alps", "Tours of the Alps")
    run_questions(directory)
    after = ET.parse(directory.path / "news.atom").getroot()
    assert after.tag == f"{ATOM}feed"
    assert after.findtext(f"{ATOM}id") == before.findtext(f"{ATOM}id")
    assert entries(after)[1:] == entries(before)
    assert [title for _, title in entries(after)[:2]] == ["Tours of the Alps", "Bells � & <b>whistles</b> �[31m"]
    for entry in [after, *after.findall(f"{ATOM}entry")]:
        assert re.fullmatch(r"urn:uuid:[0-9a-f-]{36}", entry.findtext(f"{ATOM}id") or "")
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", entry.findtext(f"{ATOM}updated") or "")
        assert entry.findtext(f"{ATOM}title")
    assert after.find(f"{ATOM}author/{ATOM}name") is not None


def entries(feed: ET.Element) -> list[tuple[str | None, str | None]]:
    found = [(entry.findtext(f"{ATOM}id"), entry.findtext(f"{ATOM}title")) for entry in feed.findall(f"{ATOM}entry")]
    assert len(set(found)) == len(found)
    return found


def test_a_memory_that_is_none_is_said_so(directory: CrawlDirectory) -> None:
    (directory.path / "questions.toml").write_text("[news]\n")
    (directory.path / "questions.db").write_text("something else, and quite a lot of it " * 100)
    with pytest.raises(StoreError, match=r"questions\.db.*move it away"):
        run_questions(directory)
