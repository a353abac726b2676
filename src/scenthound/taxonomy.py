"""The taxonomy: a tree of topics with examples, some of them marked good (FOCUS §2.1).

A topic is known by its path, names with a slash between them; its ancestors are implied. Good topics never stand above
one another, for a page would count twice; the ancestors of a good topic are path topics.
"""

from dataclasses import dataclass
from functools import cached_property

OTHERS = ""  # the class of pages that belong to no topic: the tree's root, and nothing below it
NOT_WANTED = "Not wanted"  # the topic of pages that a reader of the results has said not to be good


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """A node of the taxonomy, with what the user has said about it.

    `examples` are web addresses and names of files; `query` is a virtual example in words (BINGO §2).
    """

    path: str
    good: bool = False
    examples: tuple[str, ...] = ()
    query: str = ""

    @property
    def example_urls(self) -> tuple[str, ...]:
        return tuple(example for example in self.examples if is_address(example))

    @property
    def example_files(self) -> tuple[str, ...]:
        return tuple(example for example in self.examples if not is_address(example))


@dataclass(frozen=True, kw_only=True)
class Topics:
    """What the user is interested in, and what not.

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
    def nodes(self) -> tuple[str, ...]:
        """All paths, implied ancestors included, parents before their children, in the order of the file."""
        return tuple(dict.fromkeys(path for topic in self.topics for path in (*ancestors(topic.path), topic.path)))

    @cached_property
    def _children(self) -> dict[str, tuple[str, ...]]:
        below: dict[str, list[str]] = {}
        for path in self.nodes:
            below.setdefault(parent(path), []).append(path)
        return {path: tuple(paths) for path, paths in below.items()}

    def children(self, path: str) -> tuple[str, ...]:
        """Return the topics right below one, or (for "") the topmost ones."""
        return self._children.get(path, ())

    def find(self, path: str) -> Topic | None:
        """Return a topic that the file names; None for one that is only implied, or unknown."""
        return next((topic for topic in self.topics if topic.path == path), None)

    def below(self, path: str) -> tuple[Topic, ...]:
        """Return the topics that the file names at a path and below it, all of them for ""."""
        return tuple(topic for topic in self.topics if is_at_or_below(topic.path, path))

    def is_good(self, path: str) -> bool:
        """Tell whether a topic is good itself or stands below one that is."""
        return any(is_at_or_below(path, topic.path) for topic in self.good)

    def is_path(self, path: str) -> bool:
        """Tell whether a topic stands above a good one."""
        return any(topic.path.startswith(path + "/") for topic in self.good)


def type_of(topics: Topics, path: str) -> str:
    """Tell what a topic is to the crawl, in RELATIONAL's words (§1.1, §2.1.3).

    >>> topics = Topics(topics=(Topic(path="A/B", good=True), Topic(path="A/B/C"), Topic(path="D")))
    >>> [type_of(topics, path) for path in topics.nodes]
    ['path', 'good', 'subsumed', 'null']
    """
    topic = topics.find(path)
    if topic is not None and topic.good:
        return "good"
    return "subsumed" if topics.is_good(path) else "path" if topics.is_path(path) else "null"


def ancestors(path: str) -> tuple[str, ...]:
    """Return the paths above one, topmost first.

    >>> ancestors("a/b/c")
    ('a', 'a/b')
    """
    parts = path.split("/")
    return tuple("/".join(parts[:end]) for end in range(1, len(parts)))


def parent(path: str) -> str:
    """Return the path right above one, "" for a topmost topic."""
    return path.rpartition("/")[0]


def is_at_or_below(path: str, upper: str) -> bool:
    """Tell whether a topic is another one or stands below it; everything is below "".

    >>> is_at_or_below("a/b", "a"), is_at_or_below("ab", "a"), is_at_or_below("a", "")
    (True, False, True)
    """
    return path == upper or not upper or path.startswith(upper + "/")


def is_address(example: str) -> bool:
    """Tell an address from a file name."""
    return "://" in example
