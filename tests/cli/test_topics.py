"""`scenthound topics`: the tree as it is shown, and every form that changes it, as a user types them."""

import json
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from scenthound.cli.topics.tree import as_table, tree_of
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.services.topics.topic_rows import state_of
from scenthound.taxonomy import Topic, Topics
from tests.cli.conftest import Ran, scenthound
from tests.patience import PATIENCE

TOPICS = """\
[[topic]]
path = "Sport/Cycling"
good = true
examples = ["https://bike.example/"]

[[topic]]
path = "Sport/Cycling/[bold]Touring"
query = "long tours"

[[topic]]
path = "Sport/Golf"
examples = [
    "https://golf.example/",
    "https://wheels.example/",
]
"""


@pytest.fixture
def crawl(tmp_path: Path) -> Path:
    (tmp_path / "t.toml").write_text(TOPICS)
    made = scenthound("new", tmp_path / "crawl", "--topics", tmp_path / "t.toml")
    assert made.code == 0, made.err
    return tmp_path / "crawl"


def topics_of(crawl: Path) -> Topics:
    return CrawlDirectory.open(crawl).topics()


def change(crawl: Path, *arguments: str | Path) -> Ran:
    ran = scenthound("topics", crawl, *arguments)
    assert (ran.code, ran.err) == (0, ""), ran.err
    return ran


def test_the_tree_with_marks_and_examples(crawl: Path) -> None:
    assert change(crawl).out.splitlines() == [
        str(crawl),
        "└── ▸ Sport",
        "    ├── ✔ Cycling  1 example",
        '    │   └── ✔ [bold]Touring  query "long tours"',
        "    └──   Golf  2 examples",
        "4 topics, 3 examples, 1 page to start from. ✔ good, ▸ above a good topic.",
    ]


@pytest.mark.parametrize("arguments", [("topics", "{}", "--json"), ("topics", "--json", "{}")])
def test_json_wherever_it_is_typed(crawl: Path, arguments: tuple[str, ...]) -> None:
    told = json.loads(scenthound(*(argument.format(crawl) for argument in arguments)).out)
    assert [(row["path"], row["state"], row["pages"]) for row in told["topics"]] == [
        ("Sport", "path", None),
        ("Sport/Cycling", "good", None),
        ("Sport/Cycling/[bold]Touring", "below good", None),
        ("Sport/Golf", "other", None),
    ]
    assert told["topics"][3]["examples"] == ["https://golf.example/", "https://wheels.example/"]


def test_pages_of_a_crawl_are_counted_by_topic() -> None:
    topics = Topics(topics=(Topic(path="A", good=True), Topic(path="B")))
    assert [str(branch.label) for branch in tree_of(topics, name="c", pages={"A": 7}).children] == [
        "✔ A  7 pages",
        "  B",
    ]
    rows = json.loads(msgspec.json.encode(as_table(topics, seeds=[], pages={"A": 7})))["topics"]
    assert [row["pages"] for row in rows] == [7, 0]
    assert state_of(topics, "A/new") == "below good"


def test_every_change_says_what_it_means_and_where_the_version_before_is(crawl: Path) -> None:
    ran = change(crawl, "rename", "Golf", "Minigolf")
    assert ran.out.splitlines() == [
        '"Sport/Golf" was renamed and is "Sport/Minigolf" now; nothing has to be learnt again.',
        f"The previous version is {crawl}/history/topics-000001.toml; to restore it: scenthound topics {crawl} undo",
    ]
    assert topics_of(crawl).find("Sport/Minigolf") is not None


@pytest.mark.slow
def test_topics_are_added_moved_and_removed(crawl: Path) -> None:
    change(crawl, "add", "Arts/Music", "https://song.example/", "--query", "old songs")
    assert topics_of(crawl).find("Arts/Music") == Topic(
        path="Arts/Music", examples=("https://song.example/",), query="old songs"
    )
    change(crawl, "move", "Music", "/")
    change(crawl, "move", "Golf", "Music")
    assert "Music/Golf" in topics_of(crawl).nodes
    change(crawl, "remove", "Music")
    assert topics_of(crawl).nodes == ("Sport", "Sport/Cycling", "Sport/Cycling/[bold]Touring")


@pytest.mark.slow
def test_examples_are_added_moved_and_dropped(crawl: Path) -> None:
    change(crawl, "example", "move", "Golf", "Cycling", "https://wheels.example/")
    change(crawl, "example", "add", "golf", "https://holes.example/", "https://greens.example/")
    change(crawl, "example", "drop", "Golf", "https://golf.example")
    topics = topics_of(crawl)
    assert [topic.examples for topic in topics.topics if topic.examples] == [
        ("https://bike.example/", "https://wheels.example/"),
        ("https://holes.example/", "https://greens.example/"),
    ]


def test_a_file_becomes_an_example_by_being_copied(crawl: Path, tmp_path: Path) -> None:
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "race.html").write_text(f"<p>{folder}</p>")
        change(crawl, "example", "add", "Cycling", tmp_path / folder / "race.html")
    found = topics_of(crawl).find("Sport/Cycling")
    assert found is not None
    assert found.example_files == ("examples/Sport/Cycling/race.html", "examples/Sport/Cycling/race-2.html")
    assert [(crawl / name).read_text() for name in found.example_files] == ["<p>one</p>", "<p>two</p>"]


def test_marks_are_set_and_taken(crawl: Path) -> None:
    change(crawl, "unmark", "Cycling")
    change(crawl, "mark", "Sport")
    assert [topic.path for topic in topics_of(crawl).good] == ["Sport"]
    assert CrawlDirectory.open(crawl).seeds()[0] == "https://bike.example/"


@pytest.mark.slow
def test_undo_goes_back_step_by_step_and_loses_nothing(crawl: Path) -> None:
    before = (crawl / "topics.toml").read_text()
    change(crawl, "mark", "Golf")
    between = (crawl / "topics.toml").read_text()
    change(crawl, "remove", "Cycling")
    assert change(crawl, "undo").out.endswith(f"The undone version is {crawl}/history/undone.toml.\n")
    assert (crawl / "topics.toml").read_text() == between
    change(crawl, "undo")
    assert (crawl / "topics.toml").read_text() == before
    ran = scenthound("topics", crawl, "undo")
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert "there is nothing to undo" in ran.err


@pytest.mark.slow
def test_undo_helps_where_the_file_was_spoilt_by_hand(crawl: Path) -> None:
    change(crawl, "mark", "Golf")
    (crawl / "topics.toml").write_bytes(b"[[topic\xff")
    assert scenthound("topics", crawl).code == 2
    change(crawl, "undo")
    assert len(topics_of(crawl).good) == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("mark", "Sport"), 'below "Sport" is good; to widen: scenthound topics DIR mark PATH --widen'),
        (("mark", "Glof"), 'did you mean "Sport/Golf"?'),
        (("add", "Sport/Golf"), '"Sport/Golf" already exists'),
        (("example", "add", "Golf", "nowhere.html"), "neither a web address (https://…) nor a file"),
        (("example", "add", "Golf", "ftp://a.example/"), "is not the URL of a web page"),
        (("example", "drop", "Golf", "https://other.example/"), 'is not an example of "Sport/Golf"'),
        (("example", "drop", "Golf"), "Missing argument"),
        (("nonsense",), "No such command 'nonsense'"),
        (("move", "Golf", "Nowhere"), 'there is no topic "Nowhere"'),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line_and_changes_nothing(
    crawl: Path, arguments: tuple[str, ...], words: str
) -> None:
    before = (crawl / "topics.toml").read_text()
    ran = scenthound("topics", crawl, *arguments)
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1), ran
    assert words in ran.err
    assert (crawl / "topics.toml").read_text() == before


ADD = """
import sys
from scenthound.cli.main import main
for number in range(5):
    assert main(["topics", sys.argv[1], "add", f"{sys.argv[2]}/{number}"]) == 0
"""


@pytest.mark.slow
def test_two_who_change_the_topics_at_once_lose_nothing(crawl: Path) -> None:
    command = [sys.executable, "-c", ADD, str(crawl)]
    with (
        subprocess.Popen([*command, "left"], stdout=subprocess.DEVNULL) as one,
        subprocess.Popen([*command, "right"], stdout=subprocess.DEVNULL) as other,
    ):
        assert [both.wait(timeout=PATIENCE) for both in (one, other)] == [0, 0]
    assert {node for node in topics_of(crawl).nodes if node.startswith(("left/", "right/"))} == {
        f"{side}/{number}" for side in ("left", "right") for number in range(5)
    }
