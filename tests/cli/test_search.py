"""`scenthound search`: over a crawl of the demo web, and over crawls that have nothing to find."""

import io
import json
import shutil
from pathlib import Path

import pytest

from tests.cli.conftest import Crawled, Demo, one_line, scenthound

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def demo(demo_crawl: Demo, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the demo crawl: other tests only look at it, and search writes an index."""
    path = tmp_path_factory.mktemp("search") / "demo"
    shutil.copytree(demo_crawl.path, path)
    return path


def search(path: Path, *arguments: str) -> dict[str, object]:
    ran = scenthound("search", path, *arguments, "--json")
    assert ran.code == 0, ran.err
    found = json.loads(ran.out)
    assert isinstance(found, dict)
    return found


def test_people_see_titles_addresses_and_the_words_in_their_surroundings(demo: Path) -> None:
    ran = scenthound("search", demo, "chain", "--most", "3")
    assert ran.code == 0, ran.err
    assert " pages match, the best 3 of them" in ran.out
    assert "[chain]" in ran.out
    assert "topic: Recreation/Cycling " in ran.out


def test_programs_get_hits_facets_and_marks(demo: Path) -> None:
    found = search(demo, "chain", "--most", "2", "--weights", "text=1,relevance=.5,authority=.3")
    hits = found["hits"]
    assert isinstance(hits, list)
    assert len(hits) == 2
    assert hits[0]["score"] >= hits[1]["score"]
    start, end = hits[0]["marks"][0]
    assert hits[0]["snippet"][start:end].lower().startswith("chain")
    assert found["behind"] == 0


def test_a_topic_filters_exactly_or_vaguely(demo: Path) -> None:
    exact = search(demo, "chain", "--topic", "Cycling", "--exact")
    vague = search(demo, "chain", "--topic", "Cycling", "--vague")
    assert exact["topic"] == vague["topic"] == "Recreation/Cycling"
    assert int(str(exact["matches"])) < int(str(vague["matches"]))


def test_pages_like_one_of_the_crawl(demo: Path) -> None:
    hits = search(demo, "chain")["hits"]
    assert isinstance(hits, list)
    like = search(demo, "--like", hits[0]["url"])["hits"]
    assert isinstance(like, list)
    assert hits[0]["url"] not in [hit["url"] for hit in like]
    assert sum(hit["topic"] == "Recreation/Cycling" for hit in like) >= 0.8 * len(like) > 0


def test_an_index_built_again_answers_the_same(demo: Path) -> None:
    # An index that followed the crawl has pages with the links of their time: build it in one go for comparison.
    before = search(demo, "saddle OR pannier", "--weights", "text=1", "--most", "50", "--rebuild")
    shutil.rmtree(demo / "search" / "words")
    after = search(demo, "saddle OR pannier", "--weights", "text=1", "--most", "50", "--rebuild")
    assert [hit["url"] for hit in before["hits"]] == [hit["url"] for hit in after["hits"]]  # type: ignore[attr-defined]


def test_addresses_found_go_to_feedback(demo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ran = scenthound("search", demo, "saddle", "--most", "2", "--urls")
    urls = ran.out.split()
    assert len(urls) == 2
    topics = tmp_path / "topics.toml"
    shutil.copy(demo / "topics.toml", topics)
    monkeypatch.setattr("sys.stdin", io.StringIO(ran.out))
    said = scenthound("feedback", demo, "--not-good", "-")
    assert said.code == 0, said.err
    assert all(url in (demo / "topics.toml").read_text() for url in urls)
    shutil.copy(topics, demo / "topics.toml")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["chain AND"], 'cannot be read at character 10, after "chain AND": a word is missing here'),
        (["chain", "--topic", "Cyclin"], 'there is no topic "Cyclin"; did you mean "Recreation/Cycling"?'),
        (["chain", "--vague"], "a vague filter needs a topic"),
        (["chain", "--topic", "Cycling", "--vague", "--exact"], "--exact or --vague, not both"),
        (["chain", "--exact"], "an exact filter needs a topic; name one with --topic"),
        (["chain", "--weights", "txt=1"], 'weights: there is no part "txt"; there are text, meaning'),
        (["--like", "http://nowhere.test/"], "is not a page of this crawl"),
        (["--like-text", "/no/such/file"], "cannot be read: No such file"),
        (["chain", "--urls", "--json"], "--urls or --json, not both"),
        (["chain", "--weights", "text=1,text=2"], "weights: text is there twice"),
        (["chain", "--month", "2026-13"], 'month "2026-13": write the year and the month'),
        (["chain", "--language", "english"], "write a code of two or three letters"),
        (["chain", "--type", "pdf"], 'type "pdf": write it in full, such as text/html'),
        (["chain", "--site", ".."], "write a host or a domain"),
        (["--like-text", "/dev/null"], "has no text to compare pages with"),
        (["x" * 100_000], "it has more than 2,000 characters"),
        ([], "say what to search for"),
    ],
)
def test_wrong_input_gets_one_line(demo: Path, arguments: list[str], said: str) -> None:
    ran = scenthound("search", demo, *arguments)
    assert ran.code == 2
    assert said in one_line(ran.err)


def test_the_address_of_a_site_stands_for_its_host(demo: Path) -> None:
    host = search(demo, "--site", "roadbook.test")["matches"]
    assert search(demo, "--site", "http://roadbook.test/index.php")["matches"] == host != 0


def test_a_name_that_is_too_long_gets_one_line(tmp_path: Path) -> None:
    ran = scenthound("search", tmp_path / ("x" * 300), "chain")
    assert ran.code == 2
    assert "too long" in one_line(ran.err)


def test_a_crawl_that_was_never_started_says_so(tmp_path: Path) -> None:
    scenthound("new", tmp_path / "new", "http://a.example/")
    ran = scenthound("search", tmp_path / "new", "chain")
    assert ran.code == 2
    assert "start it with: scenthound crawl" in one_line(ran.err)


def test_a_crawl_without_a_critic_is_searched_too(crawled: Crawled, tmp_path: Path) -> None:
    shutil.copytree(crawled.path, tmp_path / "crawl")
    found = search(tmp_path / "crawl", "title:page words")
    assert found["matches"] == 12
    assert search(tmp_path / "crawl", "w7 site:a.example")["matches"] == 1
    assert search(tmp_path / "crawl", 'anchor:"see page 3"')["matches"] == 1
