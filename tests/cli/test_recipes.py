"""The recipes of docs/how-to/ask-in-sql.md: each gives the right answer on a crawl that can be checked by hand, and on
the demo's.
"""

import json
import re
from pathlib import Path

import pytest

from scenthound.taxonomy import Topic, Topics
from tests.cli.conftest import Demo, scenthound
from tests.distill.small_crawls import MadeCrawl, directory_of, link, page

pytestmark = pytest.mark.slow

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "ask-in-sql.md"
CYCLING, BAKING, HISTORY = "Recreation/Cycling", "Home/Baking", "Society/Local_History"
TOPICS = Topics(topics=(Topic(path=CYCLING, good=True), Topic(path=BAKING), Topic(path=HISTORY)))


def day(text: str) -> str:
    """Return a date as servers send it; the day of the week is not looked at."""
    return f"Mon, {text} 12:00:00 GMT"


CRAWL = MadeCrawl(
    urls=[
        page("http://hub.test/", 0.9, topic=CYCLING, fetched_at=30.0, last_modified=day("01 Mar 2020")),
        page("http://tour.test/", 0.99, topic=CYCLING, fetched_at=61.0, last_modified=day("01 Jan 2019")),
        page("http://bread.test/", 0.1, topic=BAKING, fetched_at=62.0, last_modified=day("05 Mar 2020")),
        page("http://cake.test/", 0.2, topic=BAKING, fetched_at=63.0, last_modified=day("11 Mar 2020")),
        page("http://castle.test/", 0.0, topic=HISTORY, fetched_at=64.0, last_modified=day("21 Mar 2020")),
        page("http://abbey.test/", 0.0, topic=HISTORY, fetched_at=65.0, last_modified=day("31 Mar 2020")),
        page("http://mill.test/", 0.0, topic=HISTORY, fetched_at=66.0),
        page("http://new.test/", ending="waiting"),
        page("http://hub.test/more", ending="waiting"),
    ],
    links=[
        link(0, 1), link(0, 7), link(0, 8), link(0, 4),  # the hub: a tour, two URLs never asked for, a castle
        link(2, 1), link(3, 1),  # bread and cake cite the tour
        link(4, 1), link(5, 1),  # and so do the castle and the abbey
    ],
)  # fmt: skip
ANSWERS: dict[str, list[list[object]]] = {
    "Harvest by minute": [["00:00", 1, 0.9], ["00:01", 6, 0.215]],
    "Census of topics": [[HISTORY, "null", 3], [BAKING, "null", 2], [CYCLING, "good", 2]],
    "Unvisited links of great hubs": [["http://new.test/", 1, 0.0]],
    # Of five pages off topic four are near, both about baking and two of three about history.
    "Citation sociology": [[BAKING, 2, 2, 1.25], [HISTORY, 2, 3, 0.83]],
    "Typed links": [
        ["http://bread.test/", "words", "http://tour.test/"],
        ["http://cake.test/", "words", "http://tour.test/"],
    ],
    "Spam filter": [["http://tour.test/", 0.99, 2]],
    "Community evolution": [["2020-03", 1]],
    "First links, and the time to become popular": [["http://tour.test/", "hub.test", "2020-03-01", 30]],
}


SCARCE = ("Spam filter", "Community evolution")  # a crawl of 600 pages may have none


def recipes() -> dict[str, tuple[str, list[str]]]:
    """Return the question of each recipe, and the columns of the answer that the page shows."""
    found = re.findall(r"^### (.+?)\n.*?```sql\n(.*?)```\n\n\| (.*?) \|\n", PAGE.read_text("utf-8"), re.DOTALL | re.M)
    return {title: (statement, columns.split(" | ")) for title, statement, columns in found}


def test_every_recipe_has_an_answer_here() -> None:
    assert set(recipes()) == set(ANSWERS)


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return directory_of(CRAWL, tmp_path_factory.mktemp("recipes") / "crawl", TOPICS)


@pytest.mark.parametrize("title", ANSWERS)
def test_a_recipe_gives_the_right_answer(crawl: Path, title: str) -> None:
    statement, columns = recipes()[title]
    ran = scenthound("sql", crawl, statement, "--json")
    assert (ran.code, ran.err) == (0, "")
    answer = json.loads(ran.out)
    assert list(answer[0]) == columns
    assert [list(row.values()) for row in answer] == ANSWERS[title]


@pytest.fixture
def demo(demo_crawl: Demo) -> Path:
    return demo_crawl.path


@pytest.mark.slow
@pytest.mark.parametrize("title", ANSWERS)
def test_a_recipe_finds_something_in_the_demo(demo: Path, title: str) -> None:
    statement, columns = recipes()[title]
    ran = scenthound("sql", demo, statement, "--csv")
    assert (ran.code, ran.err) == (0, "")
    first, *rows = ran.out.splitlines()
    assert first.split(",") == columns
    assert rows or title in SCARCE


@pytest.mark.slow
def test_pages_are_counted_without_examples_or_it_is_said_that_they_are_among_them(demo: Path) -> None:
    assert "pages      600, examples not counted" in scenthound("status", demo).out
    tree = re.findall(r"examples, ([\d,]+) pages$", scenthound("topics", demo).out, re.M)
    asked = "SELECT count(*) FROM pages p JOIN urls u ON u.id = p.url_id WHERE p.ending = 'page' AND p.topic = '' AND NOT u.example"
    [of_no_topic] = re.findall(r"\d+", scenthound("sql", demo, asked, "--csv").out)
    assert sum(int(number.replace(",", "")) for number in tree) + int(of_no_topic) == 600
    assert "different pages, examples included" in scenthound("hubs", demo).out


@pytest.mark.slow
def test_the_best_hubs_of_the_demo_are_about_its_topic(demo: Path) -> None:
    hubs = json.loads(scenthound("hubs", demo, "--most", "10", "--json").out)["hubs"]
    assert sum(hub["topic"] == CYCLING for hub in hubs) >= 8
    # Which pages are crawled hangs on how fast the machine is; most have two good neighbours each.
    assert sum(len(hub["neighbours"]) for hub in hubs) >= 10


@pytest.mark.slow
def test_a_topic_that_is_not_good_has_authorities_by_the_critic(demo: Path) -> None:
    answer = json.loads(scenthound("authorities", demo, "--topic", "Baking", "--json").out)
    best = answer["authorities"][0]
    assert answer["topics"] == [BAKING]
    assert best["topic"] == BAKING
    assert 0.5 < best["relevance"] < 1.0


@pytest.mark.slow
def test_words_of_documents_can_be_counted(demo: Path) -> None:
    statement = f"SELECT tid, sum(freq) FROM DOCUMENT JOIN CRAWL ON oid = did WHERE kcid = '{CYCLING}' AND tid IN ('bicycl', 'tyre') GROUP BY tid ORDER BY tid"
    found = json.loads(scenthound("sql", demo, statement, "--json").out)
    assert [row["tid"] for row in found] == ["bicycl", "tyre"]
    assert all(row["sum(freq)"] > 10 for row in found)
