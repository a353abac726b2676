"""The taxonomy: a tree of topics with examples, some of them marked good (FOCUS §2.1).

A topic is identified by its path: names separated by slashes. Its ancestors are implied. A good topic is never above
another good one, because a page would count twice. The ancestors of a good topic are path topics. A lead is a topic
whose links are followed and whose pages are not collected (FOCUS §2.2); it may stand above good topics.
"""

from dataclasses import dataclass
from functools import cached_property

OTHERS = ""  # the class of pages that belong to no topic
NOT_WANTED = "Not wanted"  # the topic of pages that a reader has marked as not good


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """A topic as the user described it.

    `examples` are URLs and file names. `query` is an example in words (BINGO §2).
    """

    path: str
    good: bool = False
    examples: tuple[str, ...] = ()
    query: str = ""
    lead: bool = False

    @property
    def example_urls(self) -> tuple[str, ...]:
        return tuple(example for example in self.examples if is_address(example))

    @property
    def example_files(self) -> tuple[str, ...]:
        return tuple(example for example in self.examples if not is_address(example))


@dataclass(frozen=True, kw_only=True)
class Topics:
    """The topics of a crawl, wanted and unwanted.

    >>> topics = Topics(topics=(Topic(path="Sport/Cycling", good=True), Topic(path="Sport/Golf"), Topic(path="Arts")))
    >>> topics.children(""), topics.children("Sport")
    (('Sport', 'Arts'), ('Sport/Cycling', 'Sport/Golf'))
    >>> topics.is_good("Sport/Cycling/Touring"), topics.is_path("Sport"), topics.is_good("Sport")
    (True, True, False)
    """

    topics: tuple[Topic, ...]

    @property
    def good(self) -> tuple[Topic, ...]:
        return tuple(topic for topic in self.topics if topic.good)

    @cached_property
    def leads(self) -> tuple[Topic, ...]:
        return tuple(topic for topic in self.topics if topic.lead)

    @cached_property
    def nodes(self) -> tuple[str, ...]:
        """All paths with their implied ancestors, in file order, parents before children."""
        return tuple(dict.fromkeys(path for topic in self.topics for path in (*ancestors(topic.path), topic.path)))

    @cached_property
    def _children(self) -> dict[str, tuple[str, ...]]:
        below: dict[str, list[str]] = {}
        for path in self.nodes:
            below.setdefault(parent(path), []).append(path)
        return {path: tuple(paths) for path, paths in below.items()}

    def children(self, path: str) -> tuple[str, ...]:
        """Return the direct subtopics of a topic; for "" the topics at the top."""
        return self._children.get(path, ())

    def find(self, path: str) -> Topic | None:
        """Return a topic that the file lists, or None."""
        return next((topic for topic in self.topics if topic.path == path), None)

    def below(self, path: str) -> tuple[Topic, ...]:
        """Return the listed topics at a path and below it; for "" all of them."""
        return tuple(topic for topic in self.topics if is_at_or_below(topic.path, path))

    def is_good(self, path: str) -> bool:
        """Return whether a topic is good, or below a good one."""
        return any(is_at_or_below(path, topic.path) for topic in self.good)

    def is_lead(self, path: str) -> bool:
        """Return whether the links of a topic are followed though its pages are not wanted: a lead, or below one."""
        return any(is_at_or_below(path, topic.path) for topic in self.leads) and not self.is_good(path)

    def is_followed(self, path: str) -> bool:
        """Return whether a topic is good or a lead."""
        return self.is_good(path) or self.is_lead(path)

    def is_path(self, path: str) -> bool:
        """Return whether a topic is above a good one."""
        return any(topic.path.startswith(path + "/") for topic in self.good)


def type_of(topics: Topics, path: str) -> str:
    """Return the type of a topic, in the words of RELATIONAL (§1.1, §2.1.3).

    >>> topics = Topics(topics=(Topic(path="A/B", good=True), Topic(path="A/B/C"), Topic(path="D")))
    >>> [type_of(topics, path) for path in topics.nodes]
    ['path', 'good', 'subsumed', 'null']
    """
    topic = topics.find(path)
    if topic is not None and topic.good:
        return "good"
    return "subsumed" if topics.is_good(path) else "path" if topics.is_path(path) else "null"


def ancestors(path: str) -> tuple[str, ...]:
    """Return the ancestors of a path, from the top.

    >>> ancestors("a/b/c")
    ('a', 'a/b')
    """
    parts = path.split("/")
    return tuple("/".join(parts[:end]) for end in range(1, len(parts)))


def parent(path: str) -> str:
    """Return the parent of a path; "" at the top."""
    return path.rpartition("/")[0]


def is_at_or_below(path: str, upper: str) -> bool:
    """Return whether a path is equal to another or below it. Everything is below "".

    >>> is_at_or_below("a/b", "a"), is_at_or_below("ab", "a"), is_at_or_below("a", "")
    (True, False, True)
    """
    return path == upper or not upper or path.startswith(upper + "/")


def is_address(example: str) -> bool:
    """Return whether an example is a URL, not a file name."""
    return "://" in example
