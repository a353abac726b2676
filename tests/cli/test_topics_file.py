"""topics.toml: what it gives, and the one line that answers a mistake."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.crawl.topics_file import Topic, Topics, load_topics, topics_of_urls, topics_text
from scenthound.errors import TopicsError, UrlError

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
    assert topics.seeds() == ["https://www.example.org/touring", "http://www.example.org/"]
    assert topics.good[0].example_files == ("race.html",)
    assert [topic.path for topic in topics.topics] == ["Recreation/Cycling", "Recreation/Sailing"]


URL = 'examples = ["https://a.example/"]\n'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "it holds no topic; add [[topic]]"),
        ("[topic]\npath = 'A'", "a topic begins with [[topic]], in double brackets"),
        ("[[topics]]\npath = 'A'", "topics does not exist here; every topic begins with a line [[topic]]"),
        ("[[topic]]\ngood = true\n" + URL, 'topic 1 has no path; add path = "Recreation/Cycling" or the like'),
        ("[[topic]]\npath = 'A'\nexample = []", 'topic "A": example does not exist; did you mean examples?'),
        ("[[topic]]\npath = 'A'\nxyz = []", 'topic "A": xyz does not exist; a topic has path, good and examples'),
        ("[[topic]]\npath = 3", 'topic 1: path takes a text such as "Recreation/Cycling"'),
        ("[[topic]]\npath = 'A//B'", 'topic "A//B": a path is names with one / between them'),
        ("[[topic]]\npath = ''", 'topic "": a path is names with one / between them'),
        ("[[topic]]\npath = 'A'\ngood = 'yes'", 'topic "A": good takes true or false'),
        ("[[topic]]\npath = 'A'\nexamples = 'x'", 'topic "A": examples takes a list such as'),
        ("[[topic]]\npath = 'A'\n[[topic]]\npath = 'A'", 'topic "A" stands here twice'),
        (
            "[[topic]]\npath = 'A'\ngood = true\n[[topic]]\npath = 'A/B'\ngood = true",
            'good topic "A" lies above good topic "A/B"; keep good = true at one of them',
        ),
        ("[[topic]]\npath = 'A'\n" + URL, "no topic is good, so that nothing would be looked for; add good = true"),
        ("[[topic]]\npath = 'A'\ngood = true", 'no good topic has a web address to start from; add one to the examples of "A"'),
        ("[[topic]]\npath = 'A'\nexamples = ['ftp://a.example/']", 'example "ftp://a.example/" is not a web address'),
        ("[[topic]]\npath = 'A'\nexamples = ['www.a.example']", '"www.a.example" is neither a web address'),
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


def test_typed_addresses_become_one_good_topic() -> None:
    topics = topics_of_urls(["https://a.example/x", "https://b.example/"])
    assert topics.seeds() == ["https://a.example/x", "https://b.example/"]
    assert [topic.path for topic in topics.good] == ["Interest"]


@pytest.mark.parametrize("text", ["a.example", "mailto:me@a.example", "ftp://a.example/", "https://"])
def test_what_is_typed_must_be_an_address(text: str) -> None:
    with pytest.raises(UrlError, match="is not the address of a web page"):
        topics_of_urls([text])


names = st.text(st.characters(exclude_characters="/"), min_size=1).filter(
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
