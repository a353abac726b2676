"""`scenthound topics find` without a crawl, or in a crawl without a critic: the canonical topic tree answers."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.demo.server import ServedWeb
from scenthound.judge.canonical.canon import canon
from tests.cli.conftest import one_line, scenthound
from tests.services.planets import BREAD, SOLAR, answer, url

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def settings() -> Iterator[list[str]]:
    with ServedWeb(answer) as web:
        keys = (f'fetch.resolve={{"*.example" = "127.0.0.1:{web.port}"}}', "fetch.delay=0", "read.workers=1")
        yield [part for key in keys for part in ("--set", key)]


def test_pages_are_placed_before_there_is_any_crawl(settings: list[str]) -> None:
    names = [url(path) for path in ("saturn", "moon", "mond", "missing", "private/diary")]
    ran = scenthound("topics", "find", *names, *settings)
    assert (ran.code, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert lines[0] == "Where they belong in the canonical topic tree:"
    assert lines[1].startswith(f"  {SOLAR}: 2 of 2 pages fall here (")
    assert f'{names[2]} has no place: its language is "de"; the tree reads English only.' in lines
    assert any(line.startswith(f"{names[3]} gave no page: http-error") for line in lines)
    assert any(line.startswith(f"{names[4]} gave no page: robots") for line in lines)
    assert lines[-1] == f"To look for such pages: scenthound new DIR {names[0]} {names[1]} --good '{SOLAR}'"


def test_the_same_for_other_programs(settings: list[str]) -> None:
    told = json.loads(scenthound("topics", "-", "find", "--json", *settings, url("saturn"), url("blank")).out)
    assert told["tree"] == "canonical"
    assert told["places"][0] | {"probability": 0} == {
        "path": SOLAR,
        "holds": 1,
        "of": 1,
        "probability": 0,
        "mark": True,
        "good": False,
        "urls": [url("saturn")],
    }
    [page] = told["pages"]
    assert (page["name"], page["title"], page["leaves"][0]["leaf"]) == (url("saturn"), "Saturn", SOLAR)
    assert told["unread"] == {url("blank"): "it has no text"}
    assert told["failed"] == {}


def test_a_file_is_placed_too(tmp_path: Path) -> None:
    (tmp_path / "bread.txt").write_text(
        "Knead the dough with flour, yeast and water. Let the dough rise and bake the bread in a hot oven until the crust is "
        "brown. A sweet dough with butter, sugar and eggs makes a cake, and so do cream and chocolate with a biscuit."
    )
    ran = scenthound("topics", "find", tmp_path / "bread.txt")
    assert ran.code == 0
    assert f"{BREAD}: 1 of 1 page" in ran.out
    assert ran.out.splitlines()[-1].endswith(f"scenthound new DIR URL… --good '{BREAD}'")


def test_pages_that_the_tree_cannot_read_get_a_topic_of_their_own(settings: list[str]) -> None:
    ran = scenthound("topics", "find", url("mond"), *settings)
    assert ran.code == 0
    assert ran.out.splitlines()[-1].startswith("None of the pages has a place in the canonical topic tree.")
    assert f"scenthound new DIR {url('mond')} --good NAME" in ran.out


def test_no_page_at_all_is_an_error_in_one_line(settings: list[str], tmp_path: Path) -> None:
    gone = scenthound("topics", "find", url("missing"), *settings)
    assert (gone.code, gone.out) == (2, "")
    assert "gave no page: http-error" in one_line(gone.err)
    typo = scenthound("topics", "find", "http://", *settings)
    assert "is not the URL of a web page" in one_line(typo.err)
    assert "Missing argument 'URL|FILE'" in one_line(scenthound("topics", "find").err)


def test_a_crawl_of_one_topic_without_a_critic_answers_at_once(settings: list[str], tmp_path: Path) -> None:
    assert scenthound("new", tmp_path / "mine", url("saturn"), *settings).code == 0
    ran = scenthound("topics", tmp_path / "mine", "find", url("moon"))
    assert ran.code == 0, ran.err
    assert f"  {SOLAR}: 1 of 1 page" in ran.out
    go_on = ran.out.splitlines()[-1].removeprefix("To look for such pages: ")
    assert go_on == f"scenthound topics {tmp_path / 'mine'} add '{SOLAR}' {url('moon')} --good"
    assert not CrawlDirectory.open(tmp_path / "mine").database.exists()


def test_settings_of_a_crawl_are_not_set_beside_it(tmp_path: Path) -> None:
    (tmp_path / "t.toml").write_text('[[topic]]\npath = "A"\nquery = "one"\n[[topic]]\npath = "B"\nquery = "two"\n')
    assert scenthound("new", tmp_path / "two", "--topics", tmp_path / "t.toml", "--good", "A").code == 0
    ran = scenthound("topics", tmp_path / "two", "find", url("moon"), "--set", "fetch.delay=0")
    assert ran.code == 2
    assert "crawl.toml" in one_line(ran.err)


def test_a_crawl_called_find_is_still_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert scenthound("new", "find", url("saturn")).code == 0
    assert scenthound("topics", "find").out.startswith("find\n")


def test_the_tree_is_shown_in_place_of_a_crawl() -> None:
    ran = scenthound("topics", "-")
    assert ran.code == 0
    assert "│   ├──   Film\n" in ran.out
    rows = json.loads(scenthound("topics", "-", "--json").out)["topics"]
    assert set(canon().leaves) < {row["path"] for row in rows}


@pytest.mark.parametrize("leaf", [SOLAR, BREAD, "Computing/Human–computer interaction"])
def test_pages_of_a_new_crawl_may_stand_under_a_topic_of_the_tree(tmp_path: Path, leaf: str) -> None:
    assert scenthound("new", tmp_path / "mine", url("saturn"), "--good", leaf).code == 0
    [topic] = CrawlDirectory.open(tmp_path / "mine").topics().good
    assert (topic.path, topic.examples) == (leaf, (url("saturn"),))


def test_a_page_that_the_crawl_has_is_not_fetched_again(settings: list[str], tmp_path: Path) -> None:
    assert scenthound("new", tmp_path / "mine", url("saturn")).code == 0
    off = ["--set", "critic.kind=none", "--set", "crawl.order=breadth"]
    assert scenthound("crawl", tmp_path / "mine", "--pages", "1", *off, *settings).code == 0
    # crawl.toml does not say where the server is: only a page that is stored can be placed
    ran = scenthound("topics", tmp_path / "mine", "find", "http://PLANETS.example/saturn#rings")
    assert ran.code == 0, ran.err
    assert f"  {SOLAR}: 1 of 1 page" in ran.out
