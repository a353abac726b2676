"""`scenthound clusters` and `scenthound company`: what people and programs see, topics made of groups, wrong input."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import one_line, scenthound
from tests.services.grouped_crawl import grouped_crawl

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return grouped_crawl(tmp_path_factory.mktemp("clusters") / "crawl")


def test_people_see_names_and_best_pages(crawl: Path) -> None:
    ran = scenthound("clusters", crawl, "--topic", "Home", "--groups", "2")
    assert ran.code == 0, ran.err
    assert ran.out.startswith("28 pages fall into 2 groups.\nLeft out: 1 without text.\n")
    assert "   1. " in ran.out
    assert "(12 pages, de, mostly Home)" in ran.out
    assert "http://brot" in ran.out


def test_programs_get_groups_and_the_way_into_them(crawl: Path) -> None:
    ran = scenthound("clusters", crawl, "--groups", "3", "--into", "1", "--json")
    found = json.loads(ran.out)
    assert [group["place"] for group in found["above"]] == ["1"]
    assert sum(group["pages"] for group in found["groups"]) == found["pages"]
    assert found["groups"][0]["best"][0]["url"].startswith("http://")


def test_a_group_becomes_a_topic_and_that_is_undone(crawl: Path) -> None:
    ran = scenthound("clusters", crawl, "--topic", "Home", "--groups", "2", "--make", "2", "--name", "Brot")
    assert ran.code == 0, ran.err
    assert '"Home/Brot" was added with ' in ran.out
    assert "Home/Brot" in (crawl / "topics.toml").read_text(encoding="utf-8")
    again = scenthound("clusters", crawl, "--topic", "Home", "--groups", "2", "--make", "2", "--name", "Brot")
    assert (again.code, "already exists" in one_line(again.err)) == (2, True)
    assert scenthound("topics", crawl, "undo").code == 0
    assert "Home/Brot" not in (crawl / "topics.toml").read_text(encoding="utf-8")


def test_whose_company_topics_keep(crawl: Path) -> None:
    ran = scenthound("company", crawl)
    assert ran.code == 0, ran.err
    assert ran.out.startswith("3 links between sites, 49 judged pages, 2 topics with links.")
    assert "Home → Sport/Cycling" in ran.out
    found = json.loads(scenthound("company", crawl, "--json").out)
    assert {(pair["citing"], pair["cited"]) for pair in found["pairs"]} == {
        ("Home", "Sport/Cycling"),
        ("Sport/Cycling", "Home"),
    }
    assert "b.kcid = 'Sport/Cycling'" in scenthound("company", crawl, "--recipes").out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["clusters", "--into", "x"], '"x" is no place of a group'),
        (["clusters", "--into", "9" * 5000], "is no place of a group"),
        (["clusters", "--groups", "3", "--into", "7"], "there is no group 7; there are 3"),
        (["clusters", "--groups", "3", "--make", "0"], '"0" is no place of a group'),
        (["clusters", "--into", "1", "--make", "1"], "--into or --make, not both"),
        (["clusters", "--name", "x"], "--name goes with --make"),
        (["clusters", "--groups", "99"], "groups: from 2 to 50"),
        (["clusters", "--topic", "Hom"], 'there is no topic "Hom"; did you mean "Home"?'),
        (["clusters", "--query", "chain AND"], "a word is missing here"),
        (["clusters", "--groups", "2", "--make", "1", "--name", "a/b"], "it must not contain /"),
        (["company", "--over", "year"], "there are progress, month"),
        (["company", "--topic", "Hom"], 'there is no topic "Hom"'),
    ],
)
def test_wrong_input_gets_one_line(crawl: Path, arguments: list[str], said: str) -> None:
    command, *rest = arguments
    ran = scenthound(command, crawl, *rest)
    assert ran.code == 2
    assert said in one_line(ran.err)


def test_a_crawl_that_was_never_started_says_so(tmp_path: Path) -> None:
    scenthound("new", tmp_path / "new", "http://a.example/")
    for command in ("clusters", "company"):
        ran = scenthound(command, tmp_path / "new")
        assert ran.code == 2
        assert "start it with: scenthound crawl" in one_line(ran.err)
