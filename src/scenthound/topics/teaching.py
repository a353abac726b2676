"""What an edit of the taxonomy means for training: at which nodes other examples stand below than before.

A critic decides at each node between its children, from all that stands below each of them (FOCUS §3.1), so that only
the nodes for which one of these sets has changed are learnt anew. Names and marks play no part in it.
"""

from collections.abc import Mapping

from scenthound.taxonomy import Topics, ancestors
from scenthound.topics.wording import quoted

_Lessons = dict[str, frozenset[str]]


def to_learn_anew(before: Topics, after: Topics, renamed: Mapping[str, str]) -> frozenset[str]:
    """Return the nodes, as they are called now, whose children have other examples below them than they had.

    >>> from scenthound.taxonomy import Topic
    >>> old = Topics(topics=(Topic(path="A/X", examples=("1",)), Topic(path="A/Y", examples=("2", "3"))))
    >>> new = Topics(topics=(Topic(path="A/X", examples=("1", "2")), Topic(path="A/Y", examples=("3",))))
    >>> sorted(to_learn_anew(old, new, {}))
    ['A']
    """
    were = _lessons(before, renamed)
    return frozenset(node for node, lessons in _lessons(after, {}).items() if were.get(node) != lessons)


def in_words(nodes: frozenset[str]) -> str:
    """Say what has to be learnt anew.

    >>> print(in_words(frozenset({"", "Sport"})))
    to be learnt anew: how the topmost topics, and those below "Sport", are told apart
    """
    if not nodes:
        return "nothing has to be learnt anew"
    below = sorted(nodes - {""})
    top = "the topmost topics" if "" in nodes else ""
    lower = f"those below {quoted(below)}"
    which = f"{top}, and {lower}," if top and below else top or lower
    return f"to be learnt anew: how {which} are told apart"


def _lessons(topics: Topics, renamed: Mapping[str, str]) -> dict[str, _Lessons]:
    """Return for each node with something to tell apart what stands below each child, and on the node itself.

    At the root one class is enough: it is told apart from the pages of no topic.
    """
    below: dict[str, set[str]] = {node: set() for node in topics.nodes}
    own: dict[str, frozenset[str]] = {}
    for topic in topics.topics:
        own[topic.path] = frozenset((*topic.examples, *filter(None, [topic.query and f"query {topic.query}"])))
        for node in (*ancestors(topic.path), topic.path):
            below[node] |= own[topic.path]
    lessons: dict[str, _Lessons] = {}
    for node in ("", *topics.nodes):
        here = {node: own.get(node, frozenset()), **{child: frozenset(below[child]) for child in topics.children(node)}}
        classes = {renamed.get(path, path): examples for path, examples in here.items() if examples}
        if len(classes) > 1 or (classes and not node):
            lessons[renamed.get(node, node)] = classes
    return lessons
