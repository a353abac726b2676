"""The wiki of mentions: which words of a text are links, where they lead, and that it is the same each time."""

import gzip
import json
import re
from pathlib import Path

import pytest

from bench.mention_wiki import Article, Page, Wiki, main

TEXTS = {
    "Ring (mathematics)": "In algebra, a ring is a set. It has an identity element. Emmy Noether Lane knew rings.",
    "Ring (jewellery)": "A ring is worn on a finger, as people in Emmy Noether Lane do. The Ring is a film.",
    "The Ring": "The Ring is a film that was shot near Emmy Noether Lane.",
    "Identity element": "An identity element of a group or a ring changes nothing, and no identity element is two.",
    "Group": "A group is a set with an identity element, an identity element and an inverse.\nHistory\nIt is old.",
}
TOPICS = {"Ring (mathematics)": "Mathematics/Algebra", "The Ring": "Arts/Film"}


@pytest.fixture(scope="module")
def wiki() -> dict[str, Page]:
    articles = [Article(title=title, topics=(TOPICS.get(title, "Other"),), text=text) for title, text in TEXTS.items()]
    return {page.url.rpartition("/")[2]: page for page in Wiki(articles).pages()}


def links(page: Page) -> list[tuple[str, str]]:
    """Return where the links of a page lead and their words, those of the menu left out."""
    found = re.findall(r'<a href="http://wiki\.example/wiki/([^"]*)">([^<]*)</a>', page.html)
    return [(name, words) for name, words in found]


def test_the_first_mention_of_each_other_article_is_a_link(wiki: dict[str, Page]) -> None:
    text = wiki["Group"].html.partition("See also")[0]
    assert text.count("<a href") == 2  # that of the menu, and one
    assert ("Identity_element", "identity element") in links(wiki["Group"])
    assert not any(name == "Group" for name, _ in links(wiki["Group"]))


def test_a_name_with_capitals_is_that_of_a_work_and_several_things_of_one_name_have_a_list(
    wiki: dict[str, Page],
) -> None:
    assert ("The_Ring", "The Ring") in links(wiki["Ring_(jewellery)"])
    assert ("Ring_(disambiguation)", "ring") in links(wiki["Identity_element"])
    named = [name for name, _ in links(wiki["Ring_(disambiguation)"])]
    assert named == ["Ring_(mathematics)", "Ring_(jewellery)"]


def test_articles_that_mention_this_one_are_listed_below_unless_it_mentions_them(wiki: dict[str, Page]) -> None:
    below = wiki["Identity_element"].html.partition("See also")[2]
    assert "Ring_(mathematics)" in below
    assert "wiki/Group" not in below
    assert "<h2>History</h2>" in wiki["Group"].html


def test_it_is_written_the_same_each_time_with_labels_for_articles_alone(tmp_path: Path) -> None:
    source = tmp_path / "source.jsonl.gz"
    rows = [{"title": title, "topics": [TOPICS.get(title, "Other")], "text": text} for title, text in TEXTS.items()]
    source.write_bytes(gzip.compress("".join(json.dumps(row) + "\n" for row in rows).encode()))
    for folder in ("one", "two"):
        main(["--source", str(source), "--out", str(tmp_path / folder)])
    assert (tmp_path / "one/wiki.warc.gz").read_bytes() == (tmp_path / "two/wiki.warc.gz").read_bytes()
    labels = (tmp_path / "one/wiki.labels.tsv").read_text(encoding="utf-8").splitlines()
    assert len(labels) == 1 + len(TEXTS)
    assert "http://wiki.example/wiki/The_Ring\tArts/Film" in labels
