"""A crawl as a Python object: what scripts and notebooks ask of it, and what they are told when they ask wrongly."""

import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

import scenthound as sh
from scenthound.errors import ScenthoundError, UsageError
from scenthound.events import Progress
from tests.crawl.topical_web import url
from tests.library.conftest import HOSTILE, Made
from tests.patience import PATIENCE

pytestmark = pytest.mark.slow


def test_a_crawl_made_and_run_from_python_ends_with_its_summary(made: Made) -> None:
    assert (made.summary.cause, made.summary.census.pages) == (sh.StopCause.PAGES, 40)
    assert made.crawl.name == "birds"
    assert any(isinstance(event, Progress) for event in made.heard)


def test_an_interrupt_stops_it_in_good_order_and_the_next_run_goes_on(made: Made) -> None:
    assert made.first.cause is sh.StopCause.INTERRUPTED
    assert 0 < made.first.census.pages < 40
    assert made.first.census.pages + made.summary.pages_this_run == 40


def test_it_is_found_by_its_folder_and_shown_in_one_line(birds: sh.Crawl) -> None:
    with sh.open(str(birds.path)) as crawl:
        assert repr(crawl).startswith(f"<Crawl {birds.path}: 40 pages; harvest 0.")
        assert repr(crawl).endswith("nature/birds; not running>")


def test_search_gives_hits_with_scores_and_snippets(birds: sh.Crawl) -> None:
    found = birds.search("warbler", topic="birds", most=3)
    assert len(found) == 3
    assert found.matches > 3
    assert [hit.page.topic for hit in found] == ["nature/birds"] * 3
    assert "warbler" in found[0].snippet.text
    assert found[0].score >= found[1].score
    assert repr(found).startswith("warbler: ")


def test_weights_are_a_mapping_a_text_or_a_value(birds: sh.Crawl) -> None:
    as_text = birds.search("nest", weights="text=1,relevance=.5")
    as_mapping = birds.search("nest", weights={"text": 1, "relevance": 0.5})
    assert [hit.page.url for hit in as_text] == [hit.page.url for hit in as_mapping]
    like = birds.search(like=url("birds", 1))
    assert url("birds", 1) not in [hit.page.url for hit in like]


def test_pages_are_filtered_and_come_in_the_order_of_fetching(birds: sh.Crawl) -> None:
    good = birds.pages(topic="birds", min_relevance=0.5)
    found = list(good)
    assert len(found) == len(good) > 10
    assert [page.n for page in found] == sorted(page.n for page in found)
    assert all(page.topic == "nature/birds" and (page.relevance or 0) >= 0.5 for page in found)
    assert len(birds.pages(language="de")) == 0
    assert len(birds.pages(since=datetime.now(UTC) + timedelta(days=1))) == 0
    assert len(birds.pages(since="2020-01-01")) == len(birds.pages()) > len(good)
    for wrong in ({"min_relevance": 2}, {"language": "german"}):
        with pytest.raises(UsageError):
            birds.pages(**wrong)


def test_pages_become_data_frames_with_types_that_do_not_depend_on_the_rows(birds: sh.Crawl) -> None:
    frame = birds.pages(topic="birds").to_pandas(text=True)
    empty = birds.pages(language="de").to_pandas()
    assert len(frame) == len(birds.pages(topic="birds"))
    assert "wren" in " ".join(frame["text"])
    for name, kind in (("n", "int64"), ("relevance", "float64"), ("fetched_at", "datetime64[us, UTC]")):
        assert str(frame[name].dtype) == str(empty[name].dtype) == kind
    table = birds.pages(topic="birds").to_arrow()
    assert table.schema == birds.pages(language="de").to_arrow().schema
    assert table.num_rows == len(frame)


def test_text_of_a_page_and_of_what_was_redirected(birds: sh.Crawl) -> None:
    assert "wren" in birds.text(url("birds", 0))
    assert birds.text("birds.test/page0.html") == birds.text(url("birds", 0))


def test_rankings_topics_and_sql_are_lists_and_tables(birds: sh.Crawl) -> None:
    assert [row.path for row in birds.topics if row.good] == ["nature/birds"]
    assert birds.sites(most=1)[0].site == "birds.test"
    hubs, authorities = birds.hubs(topic="birds", most=2), birds.authorities(most=2)
    assert len(hubs) <= 2
    assert authorities.columns == ["title", "url", "score", "relevance", "topic", "links"]
    counted = birds.sql("SELECT topic, count(*) AS pages FROM fetched WHERE relevance IS NOT NULL GROUP BY topic")
    assert {row["topic"]: row["pages"] for row in counted.as_dicts()}["nature/birds"] == counted.to_pandas().set_index(
        "topic"
    )["pages"]["nature/birds"]


def test_status_and_story_speak_in_lines(birds: sh.Crawl) -> None:
    status = birds.status()
    assert status.census.pages == 40
    assert "40 pages" in repr(status)
    story = birds.why(url("birds", 1))
    assert story.story.url == url("birds", 1)
    assert "robots.txt" in repr(story)


def test_what_strangers_wrote_is_escaped_in_notebooks(birds: sh.Crawl) -> None:
    found = birds.search("alert wren")
    assert HOSTILE in [hit.page.url for hit in found]
    shown: list[Any] = [
        found,
        birds.pages(),
        birds.sql("SELECT title FROM fetched"),
        birds.why(HOSTILE),
        birds.hubs(),
        birds,
    ]
    for one in shown:
        text = one._repr_html_()
        assert "<script" not in text
    assert "&lt;script&gt;" in found._repr_html_()
    assert "<mark>" in found._repr_html_()


@pytest.mark.slow
def test_feedback_trains_the_critic_and_can_be_taken_back(own_birds: sh.Crawl) -> None:
    examples = {example for topic in own_birds.topics for example in topic.examples}
    page = min(
        (page for page in own_birds.pages() if page.url not in examples), key=lambda page: page.relevance or 0
    ).url
    heard = own_birds.feedback(page, good=False)
    assert "not wanted" in heard.says[0].lower()
    assert heard.effect is not None
    assert heard.effect.said in repr(heard)
    assert any(page in topic.examples for topic in own_birds.topics)
    own_birds.undo_feedback(page, learn=False)
    assert not any(page in topic.examples for topic in own_birds.topics)


Asked = Callable[[sh.Crawl], object]


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda crawl: crawl.search("wren AND"), "a word is missing here"),
        (lambda crawl: crawl.search(), "say what to search for"),
        (lambda crawl: crawl.search("wren", topic="bords"), 'did you mean "nature/birds"'),
        (lambda crawl: crawl.search("wren", weights={"txt": 1}), 'no part "txt"'),
        (lambda crawl: crawl.search("wren", most=5000), "the best 1 to 1,000 pages"),
        (lambda crawl: crawl.pages(topic="bords"), "did you mean"),
        (lambda crawl: crawl.pages(since="yesterday"), '"yesterday" is not a date'),
        (lambda crawl: crawl.text("http://nowhere.test/"), "was never seen"),
        (lambda crawl: crawl.text("\x00"), "is not the address of a web page"),
        (lambda crawl: crawl.why("http://nowhere.test/"), "was never seen"),
        (lambda crawl: crawl.sql("DROP TABLE pages"), "questions only read"),
        (lambda crawl: crawl.sql("SELECT n FROM pages", most=3), "more than 3 rows"),
        (lambda crawl: crawl.hubs(most=0), "at least 1"),
        (lambda crawl: crawl.feedback(), "name the pages"),
        (lambda crawl: crawl.run(settings={"fetch.dealy": 1}), "fetch.delay"),
        (lambda crawl: crawl.run(settings={"fetch.delay": {1, 2}}), "set has no form in crawl.toml"),
        (lambda crawl: sh.new(crawl.path, ["http://a.test/"]), "is a crawl already"),
        (lambda crawl: sh.new(crawl.path / "new"), "nothing to crawl"),
        (lambda crawl: sh.open(crawl.path / "nothing"), "does not exist"),
    ],
)
def test_what_is_asked_wrongly_is_answered_in_one_line(birds: sh.Crawl, ask: Asked, said: str) -> None:
    with pytest.raises(ScenthoundError) as raised:
        ask(birds)
    assert said in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_missing_package_is_named(birds: sh.Crawl, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(UsageError, match="pip install pandas"):
        birds.pages().to_pandas()
    with pytest.raises(UsageError, match="pip install pyarrow"):
        birds.topics.to_arrow()


def test_a_crawl_that_cannot_be_read_still_shows_itself(tmp_path: Path) -> None:
    crawl = sh.new(tmp_path / "new", ["http://a.test/"])
    assert "0 pages" in repr(crawl)
    (tmp_path / "new" / "topics.toml").write_text("[[topic", encoding="utf-8")
    assert "cannot be read" in crawl._repr_html_()


def test_to_open_a_crawl_imports_neither_engine_nor_window() -> None:
    program = "import sys, scenthound; scenthound.open; print([n for n in ('aiohttp', 'nicegui', 'pandas', 'scipy.stats') if n in sys.modules])"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=PATIENCE)
    assert ran.stdout == "[]\n"
