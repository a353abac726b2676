"""Labels: the topics of pages, from a table of addresses and topics or from the examples of a crawl.

The table has a line `address <TAB> topic path` for each label; its first line may be the heading `url <TAB> topic`.
Addresses may hold anything but a tab and a line feed; they are converted to canonical form.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from scenthound.errors import LabError
from scenthound.parse.urls import canonical
from scenthound.taxonomy import Topics, ancestors
from scenthound.topics.topic_names import is_path

_HEADING = "url\ttopic"


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """One topic of one page, named by its canonical address."""

    url: str
    topic: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Labelling:
    """The labels of each page, sorted; the number of labels; and how many belong to addresses that are no page here."""

    topics: tuple[tuple[str, ...], ...]
    labels: int
    strays: int


def read_labels(path: Path) -> Iterator[Label]:
    """Yield the labels in a file; the error for an invalid line gives its number."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise LabError(f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise LabError(f"{path}: byte {error.start} is not UTF-8; save the file in that encoding") from None
    for number, line in enumerate(text.split("\n"), start=1):
        line = line.removesuffix("\r")
        if line and not (number == 1 and line.lower() == _HEADING):
            yield _label(line, f"{path.name}, line {number}")


def labels_of_examples(topics: Topics) -> tuple[Label, ...]:
    """Return the examples of a taxonomy that are web addresses, each as a label."""
    return tuple(
        Label(url=url, topic=topic.path)
        for topic in topics.topics
        for url in dict.fromkeys(map(canonical, topic.example_urls))
        if url is not None
    )


def labelling(labels: Iterable[Label], *, pages: int, find: Callable[[str], int | None]) -> Labelling:
    """Assign labels to the pages of their addresses, as `find` numbers them."""
    held: list[set[str]] = [set() for _ in range(pages)]
    count = strays = 0
    for label in labels:
        count += 1
        page = find(label.url)
        if page is None:
            strays += 1
        else:
            held[page].add(label.topic)
    return Labelling(topics=tuple(tuple(sorted(topics)) for topics in held), labels=count, strays=strays)


def by_topic(labels: Iterable[Iterable[str]]) -> dict[str, frozenset[int]]:
    """Return, for every topic of some pages and everything above it, which pages are about it.

    >>> found = by_topic([["Arts/Music"], [], ["Arts", "Sport"]])
    >>> [(topic, sorted(found[topic])) for topic in found]
    [('Arts', [0, 2]), ('Arts/Music', [0]), ('Sport', [2])]
    """
    found: dict[str, set[int]] = {}
    for page, topics in enumerate(labels):
        for topic in topics:
            for path in (*ancestors(topic), topic):
                found.setdefault(path, set()).add(page)
    return {topic: frozenset(found[topic]) for topic in sorted(found)}


def _label(line: str, place: str) -> Label:
    url, tab, topic = line.partition("\t")
    if not tab:
        raise LabError(f"{place}: an address, a tab and a topic must stand here")
    address = canonical(url.strip())
    if address is None:
        raise LabError(f'{place}: "{url[:100]}" is not a web address (http://… or https://…)')
    if not is_path(topic):
        raise LabError(
            f'{place}: "{topic[:100]}" is no topic; a topic is names with one / between them, as Sport/Cycling'
        )
    return Label(url=address, topic=topic)
