"""A topics file that is changed keeps what its author wrote: comments, layout, order."""

from collections.abc import Callable

import pytest

from scenthound.taxonomy import Topics
from scenthound.topics import edits
from scenthound.topics.edits import Edit
from scenthound.topics.file import topics_in
from scenthound.topics.text import rewritten, topics_text

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
        (lambda topics: edits.unmark_good(topics, "Sport/Cycling"), "good = true", "good = false"),
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
            lambda topics: edits.mark_good(edits.unmark_good(topics, "Sport/Cycling").topics, "Sport/Cycling"),
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


def test_a_topic_in_another_layout_is_written_anew_with_its_comments_above() -> None:
    text = after(lambda topics: edits.drop_examples(topics, "Sport/Golf", ["https://c.example/"]))
    assert '[[topic]]\npath = "Sport/Golf"\ngood = false\nexamples = [\n    "https://golf.example/",\n]\n' in text
    assert text.startswith(FILE.partition("[[topic]]   #")[0])
    assert text.endswith('# The end of it.\n[[topic]]\npath = "Arts"\n')


def test_a_new_topic_comes_last() -> None:
    text = after(lambda topics: edits.add_topic(topics, "News", examples=["https://n.example/"]))
    assert text.startswith(FILE)
    assert text.endswith('\n[[topic]]\npath = "News"\ngood = false\nexamples = [\n    "https://n.example/",\n]\n')


def test_text_that_looks_like_the_beginning_of_a_topic_does_no_harm() -> None:
    tricky = 'topic = [{path = "A", query = """\n[[topic]]\n"""}]\n'
    done = edits.add_topic(topics_in(tricky), "B").topics
    assert rewritten(tricky, done) == topics_text(done)
