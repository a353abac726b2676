"""What an edit of the taxonomy means for training: the nodes whose examples have changed.

At each node a critic decides between the children, from all examples below each of them (FOCUS §3.1). So only nodes
with a changed set of examples are learnt again. Names and marks do not matter.
"""

from collections.abc import Mapping

from scenthound.taxonomy import Topics, ancestors
from scenthound.topics.sentences import quoted

_Lessons = dict[str, frozenset[str]]


def nodes_to_learn(before: Topics, after: Topics, renamed: Mapping[str, str]) -> frozenset[str]:
    """Return the nodes (by their new names) whose children have different examples below them.

    >>> from scenthound.taxonomy import Topic
    >>> old = Topics(topics=(Topic(path="A/X", examples=("1",)), Topic(path="A/Y", examples=("2", "3"))))
    >>> new = Topics(topics=(Topic(path="A/X", examples=("1", "2")), Topic(path="A/Y", examples=("3",))))
    >>> sorted(nodes_to_learn(old, new, {}))
    ['A']
    """
    were = _lessons(before, renamed)
    return frozenset(node for node, lessons in _lessons(after, {}).items() if were.get(node) != lessons)


def in_words(nodes: frozenset[str]) -> str:
    """Say what has to be learnt again.

    >>> print(in_words(frozenset({""})))
    the critic must learn again
    >>> print(in_words(frozenset({"", "Sport"})))
    the critic must learn again, also to tell apart what is below "Sport"
    """
    if not nodes:
        return "nothing has to be learnt again"
    below = sorted(nodes - {""})
    also = ", also" if "" in nodes else ""
    return "the critic must learn again" + (f"{also} to tell apart what is below {quoted(below)}" if below else "")


def _lessons(topics: Topics, renamed: Mapping[str, str]) -> dict[str, _Lessons]:
    """Return for each node the examples below each child and on the node itself, if there is a choice to learn.

    At the root one class is enough: the alternative is a page of no topic.
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
