"""topics.toml: what it gives, and the one line that answers a mistake."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.errors import TopicsError, UrlError
from scenthound.taxonomy import Topic, Topics
from scenthound.topics.query_topic import topics_of_query
from scenthound.topics.start_pages import seeds_of
from scenthound.topics.topics_file import load_topics
from scenthound.topics.topics_text import topics_text
from scenthound.topics.url_topics import topics_of_urls, with_urls

CYCLING = """
[[topic]]
path = "Recreation/Cycling"
good = true
examples = ["https://www.example.org/touring", "HTTP://WWW.example.org:80/#top", "race.html"]

[[topic]]
path = "Recreation/Sailing"
examples = ["https://sail.example/"]
"""


def load(tmp_path: Path, text: str) -> Topics:
    (tmp_path / "race.html").write_text("<p>race</p>")
    file = tmp_path / "my-topics.toml"
    file.write_text(text, encoding="utf-8")
    return load_topics(file)


def test_addresses_of_good_topics_are_the_seeds_in_canonical_form(tmp_path: Path) -> None:
    topics = load(tmp_path, CYCLING)
    assert seeds_of(topics, folder=tmp_path) == ["https://www.example.org/touring", "http://www.example.org/"]
    assert topics.good[0].example_files == ("race.html",)
    assert [topic.path for topic in topics.topics] == ["Recreation/Cycling", "Recreation/Sailing"]


URL = 'examples = ["https://a.example/"]\n'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "it has no topic; add [[topic]]"),
        ("[topic]\npath = 'A'", "a topic starts with [[topic]], in double brackets"),
        ("[[topics]]\npath = 'A'", "topics is not allowed here; every topic starts with a line [[topic]]"),
        ("[[topic]]\ngood = true\n" + URL, 'topic 1 has no path; add one such as path = "Recreation/Cycling"'),
        ("[[topic]]\npath = 'A'\nexample = []", 'topic "A": example does not exist; did you mean examples?'),
        ("[[topic]]\npath = 'A'\nxyz = []", 'topic "A": xyz does not exist; a topic has path, good, lead, query and examples'),
        ("[[topic]]\npath = 3", 'topic 1: path takes a text such as "Recreation/Cycling"'),
        ("[[topic]]\npath = 'A//B'", 'topic "A//B": a path is names separated by /'),
        ("[[topic]]\npath = ''", 'topic "": a path is names separated by /'),
        ("[[topic]]\npath = 'A'\ngood = 'yes'", 'topic "A": good takes true or false'),
        ("[[topic]]\npath = 'A'\nlead = 1", 'topic "A": lead takes true or false'),
        ("[[topic]]\npath = 'A'\ngood = true\nlead = true", 'topic "A" is good and a lead; keep good = true, or lead = true'),
        ("[[topic]]\npath = 'A'\nexamples = 'x'", 'topic "A": examples takes a list such as'),
        ("[[topic]]\npath = 'A'\n[[topic]]\npath = 'A'", 'topic "A" occurs twice'),
        (
            "[[topic]]\npath = 'A'\ngood = true\n[[topic]]\npath = 'A/B'\ngood = true",
            'good topic "A" is above good topic "A/B"; keep good = true for one of them',
        ),
        ("[[topic]]\npath = 'A'\nquery = ['x']", 'topic "A": query takes words such as'),
        ("[[topic]]\npath = 'A'\nexamples = ['ftp://a.example/']", 'example "ftp://a.example/" is not a URL'),
        ("[[topic]]\npath = 'A'\nexamples = ['www.a.example']", '"www.a.example" is neither a URL'),
        ("[[topic]]\npath = 'A'\npath = 'B'", "line 3 is not TOML"),
    ],
)  # fmt: skip
def test_a_mistake_is_answered_in_one_line_that_names_the_file(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(TopicsError) as caught:
        load(tmp_path, text)
    assert str(caught.value).startswith("my-topics.toml: ")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_good_topic_may_have_a_neighbour_whose_name_begins_alike(tmp_path: Path) -> None:
    text = f"[[topic]]\npath = 'A/Cycle'\ngood = true\n{URL}[[topic]]\npath = 'A/Cycleways'\ngood = true"
    assert len(load(tmp_path, text).good) == 2


def test_topics_may_be_read_before_one_is_good_or_has_an_address(tmp_path: Path) -> None:
    topics = load(tmp_path, "[[topic]]\npath = 'A'\nquery = ' long  tours '\n[[topic]]\npath = 'B'")
    assert (topics.good, seeds_of(topics, folder=tmp_path)) == ((), [])
    assert topics.topics[0].query == "long tours"


def test_what_stands_below_a_good_topic_is_a_seed_too(tmp_path: Path) -> None:
    text = f"[[topic]]\npath = 'A'\ngood = true\n[[topic]]\npath = 'A/B'\n{URL}[[topic]]\npath = 'C'\nexamples = ['https://c.example/']"
    assert seeds_of(load(tmp_path, text), folder=tmp_path) == ["https://a.example/"]


PAGE = """<html><head><base href="https://base.example/dir/"><link rel=canonical href="https://me.example/"></head>
<a href="https://far.example/x?utm_source=1">x</a> <a href=near.html>n</a> <a href="mailto:a@b.example">m</a>
<a rel=nofollow href="https://advert.example/">buy</a></html>"""


def test_links_of_example_files_are_seeds_as_far_as_their_address_is_known(tmp_path: Path) -> None:
    (tmp_path / "saved.html").write_text(PAGE)
    (tmp_path / "plain.html").write_text('<a href="near.html">n</a> <a href="https://far.example/y">y</a>')
    (tmp_path / "notes.txt").write_text("see https://text.example/ and <a href='https://text.example/'>this</a>")
    text = (
        "[[topic]]\npath = 'A'\ngood = true\nexamples = ['saved.html', 'plain.html', 'notes.txt', 'https://a.example/']"
    )
    found = seeds_of(load(tmp_path, text), folder=tmp_path)
    assert found == [
        "https://a.example/",
        "https://me.example/",
        "https://far.example/x",
        "https://base.example/dir/near.html",
        "https://far.example/y",
    ]


def test_typed_addresses_become_one_good_topic(tmp_path: Path) -> None:
    topics = topics_of_urls(["https://a.example/x", "https://b.example/"])
    assert seeds_of(topics, folder=tmp_path) == ["https://a.example/x", "https://b.example/"]
    assert [topic.path for topic in topics.good] == ["Interest"]


@pytest.mark.parametrize("text", ["cycling", "mailto:me@a.example", "ftp://a.example/", "https://"])
def test_what_is_typed_must_be_an_address(text: str) -> None:
    with pytest.raises(UrlError, match="is not the URL of a web page"):
        topics_of_urls([text])


def test_typed_addresses_join_the_one_good_topic() -> None:
    good, other = Topic(path="A", good=True, examples=("https://a.example/",)), Topic(path="B")
    joined = with_urls(Topics(topics=(good, other)), ["https://b.example/", "https://a.example/"])
    assert joined.topics[0].examples == ("https://a.example/", "https://b.example/")
    for topics in (Topics(topics=(other,)), Topics(topics=(good, Topic(path="C", good=True)))):
        with pytest.raises(TopicsError, match="the URLs need exactly one good topic"):
            with_urls(topics, ["https://b.example/"])


@pytest.mark.parametrize("words", ["", "  ", "?!"])
def test_a_query_needs_words(words: str) -> None:
    with pytest.raises(TopicsError, match="a query needs words"):
        topics_of_query(words)


names = st.text(st.characters(exclude_characters="/"), min_size=1, max_size=200).filter(
    lambda name: name == name.strip() and name.isprintable()
)
urls = st.integers(0, 10**6).map(lambda number: f"https://a.example/{number}?q=%22")


@given(st.lists(names, min_size=1, unique=True), st.lists(urls, min_size=1, unique=True))
def test_topics_survive_being_written_and_read(paths: list[str], examples: list[str]) -> None:
    topics = Topics(topics=tuple(Topic(path=path, good=True, examples=tuple(examples)) for path in paths))
    with TemporaryDirectory() as folder:
        file = Path(folder) / "topics.toml"
        file.write_text(topics_text(topics), encoding="utf-8")
        assert load_topics(file) == topics
