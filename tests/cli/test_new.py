"""`scenthound new` from each source of topics: what it makes, what it says, and what it asks for."""

import json
from pathlib import Path

import pytest

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.settings.file import load_settings
from scenthound.settings.schema import TopicsSettings
from scenthound.taxonomy import Topic
from tests.cli.conftest import Ran, scenthound
from tests.topics.dumps import dump

BOOKMARKS = """<DL><DT><H3>Sport</H3><DL>
<DT><H3>Cycling</H3><DL><DT><A HREF="https://bike.example/">Bike</A></DL>
<DT><H3>Golf</H3><DL><DT><A HREF="https://golf.example/">Golf</A><DT><A HREF="about:blank">x</A></DL>
</DL></DL>"""
TOPICS = """# two of them
[[topic]]
path = "Sport/Cycling"  # wheels
examples = ["https://bike.example/"]

[[topic]]
path = "Sport/Golf"
"""


def one_line(ran: Ran) -> str:
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1), ran
    return ran.err.strip()


def write(path: Path, text: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def good_of(path: Path) -> list[str]:
    return [topic.path for topic in CrawlDirectory.open(path).topics().good]


@pytest.mark.parametrize("name", ["Cycling", "Sport/Cycling", "cycling"])
def test_bookmarks_with_a_good_folder_named_by_its_end(tmp_path: Path, name: str) -> None:
    file = write(tmp_path / "b.html", BOOKMARKS)
    ran = scenthound("new", tmp_path / "c", "--bookmarks", file, "--good", name)
    assert (ran.code, ran.err) == (0, "")
    assert "with 1 page to start from" in ran.out
    assert "Skipped bookmarks that are not web pages: 1 about:." in ran.out
    assert '2 topics with 2 examples; good: "Sport/Cycling".' in ran.out
    assert good_of(tmp_path / "c") == ["Sport/Cycling"]
    assert CrawlDirectory.open(tmp_path / "c").seeds() == ["https://bike.example/"]


@pytest.mark.slow
def test_without_good_it_says_how_to_mark_and_crawl_says_it_again(tmp_path: Path) -> None:
    path = tmp_path / "c"
    ran = scenthound("new", path, "--bookmarks", write(tmp_path / "b.html", BOOKMARKS))
    assert ran.code == 0
    how = f"has no good topic; mark one with: scenthound topics {path} mark TOPIC"
    assert how in ran.out
    assert how in one_line(scenthound("crawl", path))
    assert scenthound("topics", path, "mark", "Golf").code == 0
    assert CrawlDirectory.open(path).seeds() == ["https://golf.example/"]


def test_a_mistyped_topic_is_answered_with_the_nearest(tmp_path: Path) -> None:
    file = write(tmp_path / "b.html", BOOKMARKS)
    told = one_line(scenthound("new", tmp_path / "c", "--bookmarks", file, "--good", "Cyclign"))
    assert 'there is no topic "Cyclign"; did you mean "Sport/Cycling"?' in told
    assert not (tmp_path / "c").exists()


def test_good_topics_cannot_stand_above_one_another(tmp_path: Path) -> None:
    file = write(tmp_path / "b.html", BOOKMARKS)
    ran = scenthound("new", tmp_path / "c", "--bookmarks", file, "--good", "Cycling", "--good", "Sport")
    assert '"Sport/Cycling" below "Sport" is good' in one_line(ran)


def test_a_single_topic_is_good_without_saying(tmp_path: Path) -> None:
    file = write(tmp_path / "b.html", '<DL><A HREF="https://bike.example/">')
    assert scenthound("new", tmp_path / "c", "--bookmarks", file).code == 0
    assert good_of(tmp_path / "c") == ["Bookmarks"]


@pytest.mark.slow
def test_addresses_beside_a_taxonomy_become_examples_of_the_good_topic(tmp_path: Path) -> None:
    file = write(tmp_path / "t.toml", TOPICS)
    told = one_line(scenthound("new", tmp_path / "c", "--topics", file, "https://more.example/"))
    assert "the URLs need exactly one good topic, but no topic is good" in told
    ran = scenthound("new", tmp_path / "c", "--topics", file, "--good", "Cycling", "https://more.example/")
    assert ran.code == 0, ran.err
    assert CrawlDirectory.open(tmp_path / "c").seeds() == ["https://bike.example/", "https://more.example/"]


def test_marking_keeps_the_comments_of_a_topics_file(tmp_path: Path) -> None:
    file = write(tmp_path / "t.toml", TOPICS)
    assert scenthound("new", tmp_path / "c", "--topics", file, "--good", "Golf").code == 0
    text = (tmp_path / "c" / "topics.toml").read_text()
    assert text == TOPICS.replace('path = "Sport/Golf"\n', 'path = "Sport/Golf"\ngood = true\n')


def test_a_folder_is_copied_and_the_links_of_good_pages_are_where_it_starts(tmp_path: Path) -> None:
    write(tmp_path / "d" / "Cycling" / "race.html", '<p>See <a href="https://race.example/x">this</a>')
    write(tmp_path / "d" / "Golf" / "club.html", '<p>See <a href="https://club.example/x">that</a>')
    path = tmp_path / "c"
    ran = scenthound("new", path, "--folder", tmp_path / "d", "--good", "Cycling")
    assert ran.code == 0, ran.err
    assert (path / "examples" / "Cycling" / "race.html").is_file()
    assert CrawlDirectory.open(path).seeds() == ["https://race.example/x"]


@pytest.mark.slow
def test_a_query_needs_an_address_and_says_which_command_adds_one(tmp_path: Path) -> None:
    path = tmp_path / "c"
    ran = scenthound("new", path, "--query", "long tours")
    how = f"has no URL to start from; add one with: scenthound topics {path} example add Interest https://www.example.org/page"
    assert f"It {how}" in ran.out
    assert one_line(scenthound("crawl", path)) == f"scenthound: {path} {how}"
    assert scenthound("topics", path, "example", "add", "Interest", "https://a.example/").code == 0
    assert CrawlDirectory.open(path).starting_points() == ["https://a.example/"]


def test_a_query_with_pages_to_begin_at_says_how_to_confirm_what_it_finds(tmp_path: Path) -> None:
    path = tmp_path / "c"
    ran = scenthound("new", path, "--query", "long tours", "--start", "https://a.example/")
    assert ran.out.splitlines()[-1].endswith(f"confirm a few: scenthound feedback {path} --ask 5")
    assert CrawlDirectory.open(path).topics().topics[0].examples == ()


@pytest.mark.slow
def test_good_names_the_topic_of_a_query_or_of_addresses(tmp_path: Path) -> None:
    ran = scenthound("new", tmp_path / "c", "--query", "long tours", "--good", "Sport/Cycling", "https://a.example/")
    assert ran.code == 0, ran.err
    assert CrawlDirectory.open(tmp_path / "c").topics().topics == (
        Topic(path="Sport/Cycling", good=True, query="long tours", examples=("https://a.example/",)),
    )
    assert scenthound("new", tmp_path / "d", "https://a.example/", "--good", "Mine").code == 0
    assert good_of(tmp_path / "d") == ["Mine"]
    assert "give --good once" in one_line(
        scenthound("new", tmp_path / "e", "--query", "x", "--good", "A", "--good", "B")
    )


DIRECTORY = {
    "Top/Sport/Cycling": [f"http://bike.example/{number}" for number in range(12)],
    "Top/Sport/Cycling/Unicycles": ["http://one.example/"],
    "Top/Sport/Golf": [f"http://golf.example/{number}" for number in range(12)],
    "Top/Arts": [f"http://arts.example/{number}" for number in range(12)],
}


def test_a_web_directory_in_part_and_with_settings(tmp_path: Path) -> None:
    file, path = write(tmp_path / "content.rdf.u8", dump(DIRECTORY)), tmp_path / "c"
    ran = scenthound(
        "new", path, "--dmoz", file, "--under", "Sport", "--good", "Cycling", "--set", "topics.max_examples=5"
    )
    assert ran.code == 0, ran.err
    assert "Kept 2 topics with 10 examples, of 3 topics with 25 pages" in ran.out
    assert load_settings(path / "crawl.toml").topics == TopicsSettings(max_examples=5)
    assert len(CrawlDirectory.open(path).seeds()) == 5


def test_a_good_topic_that_was_folded_is_told_of(tmp_path: Path) -> None:
    file = write(tmp_path / "content.rdf.u8", dump(DIRECTORY))
    told = one_line(scenthound("new", tmp_path / "c", "--dmoz", file, "--good", "Unicycles"))
    assert '"Sport/Cycling/Unicycles" had too few examples and was folded into "Sport/Cycling"' in told


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--bookmarks", "b.html", "--folder", "d"), "give one of --bookmarks and --folder, not both"),
        (("--under", "Sport", "https://a.example/"), "it belongs to --dmoz"),
        (("--query", " "), "a query needs words"),
        (("https://a.example/", "--good", "A//B"), "a topic is names with one / between them"),
        (("https://a.example/", "--set", "fetch.dealy=1"), "did you mean fetch.delay?"),
    ],
)
def test_what_does_not_fit_together_is_said_in_one_line(tmp_path: Path, arguments: tuple[str, ...], words: str) -> None:
    assert words in one_line(scenthound("new", tmp_path / "c", *arguments))
    assert not (tmp_path / "c").exists()


def test_the_seeds_are_in_the_json(tmp_path: Path) -> None:
    scenthound("new", tmp_path / "c", "https://a.example/x#y")
    assert json.loads(scenthound("topics", tmp_path / "c", "--json").out)["seeds"] == ["https://a.example/x"]
