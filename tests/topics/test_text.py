"""A topics file that is changed keeps what its author wrote: comments, layout, order."""

import json
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.taxonomy import Topics
from scenthound.topics import edits
from scenthound.topics.edits import Edit
from scenthound.topics.topics_file import topics_in
from scenthound.topics.topics_text import rewritten, topics_text
from tests.often import often

FILE = """\
# My own file.

# Wheels of all kinds.
[[topic]]
path = "Sport/Cycling"  # not motor sport
good = true
examples = [
    # the best ones
    "https://a.example/",  # found in May
    "https://b.example/",
]

[[topic]]   # greens
path = 'Sport/Golf'
examples = ["https://golf.example/", "https://c.example/"]  # two are enough

# The end of it.
[[topic]]
path = "Arts"
"""


def after(edit: Callable[[Topics], Edit]) -> str:
    done = edit(topics_in(FILE))
    text = rewritten(FILE, done.topics, dict(done.renamed))
    assert topics_in(text) == done.topics
    return text


def test_nothing_changed_is_nothing_written() -> None:
    assert rewritten(FILE, topics_in(FILE)) == FILE


@pytest.mark.parametrize(
    ("edit", "old", "new"),
    [
        (
            lambda topics: edits.rename_topic(topics, "Sport/Cycling", "Bikes"),
            'path = "Sport/Cycling"  # not',
            'path = "Sport/Bikes"  # not',
        ),
        (lambda topics: edits.rename_topic(topics, "Arts", "Fine arts"), 'path = "Arts"', 'path = "Fine arts"'),
        (lambda topics: edits.unmark(topics, "Sport/Cycling"), "good = true", "good = false"),
        (
            lambda topics: edits.add_examples(topics, "Sport/Cycling", ["https://new.example/"]),
            '    "https://b.example/",\n',
            '    "https://b.example/",\n    "https://new.example/",\n',
        ),
        (
            lambda topics: edits.drop_examples(topics, "Sport/Cycling", ["HTTPS://B.example"]),
            '    "https://b.example/",\n',
            "",
        ),
        (
            lambda topics: edits.mark_good(edits.unmark(topics, "Sport/Cycling").topics, "Sport/Cycling"),
            "",
            "",
        ),
        (
            lambda topics: edits.remove_topic(topics, "Arts"),
            '# The end of it.\n[[topic]]\npath = "Arts"\n',
            "",
        ),
    ],
)
def test_only_the_line_that_changes_is_changed(edit: Callable[[Topics], Edit], old: str, new: str) -> None:
    assert after(edit) == FILE.replace(old, new)


def test_a_list_on_one_line_stays_on_one_line() -> None:
    text = after(lambda topics: edits.drop_examples(topics, "Sport/Golf", ["https://c.example/"]))
    assert text == FILE.replace(', "https://c.example/"', "")


def test_a_topic_without_a_list_gets_one_example_to_a_line() -> None:
    text = after(lambda topics: edits.add_examples(topics, "Arts", ["https://d.example/"]))
    assert text == FILE + 'examples = [\n    "https://d.example/",\n]\n'


def test_topics_in_one_inline_list_are_written_as_blocks() -> None:
    inline = '# mine\ntopic = [{path = "A", examples = ["https://a.example/"]}]\n'
    done = edits.add_examples(topics_in(inline), "A", ["https://b.example/"]).topics
    assert rewritten(inline, done) == topics_text(done)


NAMES = st.sampled_from(["a", "b", "c", "d", "e", "ü/x", 'q"uote'])
ADDRESSES = st.lists(st.sampled_from([f"https://{name}.example/" for name in "abcdefgh"]), unique=True, max_size=5)


@st.composite
def written_topics(draw: st.DrawFn) -> list[str]:
    """Topics as people write them: with comments anywhere, lists on one line or on several."""
    blocks = []
    for path in draw(st.lists(NAMES, unique=True, min_size=1, max_size=5)):
        examples = [f"{json.dumps(url)},{draw(st.sampled_from(['', '  # seen']))}" for url in draw(ADDRESSES)]
        shape = draw(st.sampled_from(["lines", "one", "none"]))
        lists = {
            "lines": "examples = [\n    # some\n" + "".join(f"\t{one}\n" for one in examples) + "]\n",
            "one": f"examples=[{' '.join(one.partition('  #')[0] for one in examples)}]  # all\n",
            "none": "",
        }
        above = draw(st.sampled_from(["", "# about it\n", "# about it\n# and more\n"]))
        good = draw(st.sampled_from(["", "good = false\n", "good   =   false # yet\n"]))
        blocks.append(f"{above}[[topic]]\npath = {json.dumps(path, ensure_ascii=False)}\n{good}{lists[shape]}\n")
    return blocks


@pytest.mark.slow
@often(200)
@given(written_topics(), st.data())
def test_an_edit_leaves_all_other_topics_as_they_are(blocks: list[str], data: st.DataObject) -> None:
    """Byte for byte, and it means what was asked for."""
    text = "# the head\n\n" + "".join(blocks)
    before = topics_in(text)
    place = data.draw(st.integers(0, len(blocks) - 1))
    topic = before.topics[place]
    new = replace(topic, good=data.draw(st.booleans()), examples=tuple(data.draw(ADDRESSES)), query=data.draw(NAMES))
    topics = Topics(topics=(*before.topics[:place], new, *before.topics[place + 1 :]))
    after = rewritten(text, topics)
    assert topics_in(after) == topics
    kept = [block for number, block in enumerate(blocks) if number != place]
    assert all(block in after for block in kept)
    head, tail = "# the head\n\n" + "".join(blocks[:place]), "".join(blocks[place + 1 :])
    assert after.startswith(head)
    assert after.endswith(tail)


def test_a_new_topic_comes_last() -> None:
    text = after(lambda topics: edits.add_topic(topics, "News", examples=["https://n.example/"]))
    assert text.startswith(FILE)
    assert text.endswith('\n[[topic]]\npath = "News"\ngood = false\nexamples = [\n    "https://n.example/",\n]\n')


def test_text_that_looks_like_the_beginning_of_a_topic_does_no_harm() -> None:
    tricky = 'topic = [{path = "A", query = """\n[[topic]]\n"""}]\n'
    done = edits.add_topic(topics_in(tricky), "B").topics
    assert rewritten(tricky, done) == topics_text(done)
