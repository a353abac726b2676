"""The topics file: a tree of topics, some marked good, with examples; read, checked, and every mistake said in one line.

    [[topic]]
    path = "Recreation/Cycling"
    good = true
    examples = ["https://www.example.org/touring.html", "race-report.html"]

Web addresses among the examples of good topics are the seeds of the crawl. Good topics never lie above one
another, as in Chakrabarti, van den Berg, Dom: "Focused crawling" (1999), §2.1: a page would count twice.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from scenthound.errors import TopicsError, UrlError
from scenthound.parse.urls import canonical
from scenthound.settings_file import nearest, read_toml
from scenthound.settings_help import toml_value

_KEYS = ("path", "good", "examples")


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """A node of the taxonomy; its ancestors are implied by its path."""

    path: str
    good: bool = False
    examples: tuple[str, ...] = ()

    @property
    def example_urls(self) -> tuple[str, ...]:
        return tuple(example for example in self.examples if is_address(example))

    @property
    def example_files(self) -> tuple[str, ...]:
        return tuple(example for example in self.examples if not is_address(example))


@dataclass(frozen=True, slots=True, kw_only=True)
class Topics:
    """What the user is interested in, and what not."""

    topics: tuple[Topic, ...]

    @property
    def good(self) -> tuple[Topic, ...]:
        return tuple(topic for topic in self.topics if topic.good)

    def seeds(self) -> list[str]:
        """Return the addresses that the crawl starts from, in canonical form, each once, in the file's order."""
        found = (canonical(url) for topic in self.good for url in topic.example_urls)
        return list(dict.fromkeys(url for url in found if url))


def load_topics(path: Path) -> Topics:
    """Read and check a topics file; files among the examples are looked for beside it."""
    table = read_toml(path, TopicsError)
    try:
        topics = Topics(topics=tuple(_topics(table)))
        check_topics(topics, folder=path.parent)
    except TopicsError as error:
        raise TopicsError(f"{path.name}: {error}") from None
    return topics


def topics_of_urls(urls: Sequence[str], *, path: str = "Interest") -> Topics:
    """Make one good topic of addresses typed on the command line."""
    for url in urls:
        if not is_address(url) or canonical(url) is None:
            raise UrlError(f"{url} is not the address of a web page; write it in full, as https://www.example.org/page")
    return Topics(topics=(Topic(path=path, good=True, examples=tuple(dict.fromkeys(urls))),))


def topics_text(topics: Topics) -> str:
    """Write topics as the file that `load_topics` reads."""
    parts = [
        "# What this crawl looks for. Pages like the examples of good topics are wanted;",
        "# the web addresses among those examples are where the crawl starts.",
    ]
    for topic in topics.topics:
        parts += ["", "[[topic]]", f"path = {toml_value(topic.path)}", f"good = {toml_value(topic.good)}"]
        parts += ["examples = [", *(f"    {toml_value(example)}," for example in topic.examples), "]"]
    return "\n".join(parts) + "\n"


def check_topics(topics: Topics, *, folder: Path) -> None:
    """Refuse topics that contradict each other, lead nowhere, or name examples that do not exist."""
    _refuse_duplicates(topics)
    _refuse_nested_good(topics)
    for topic in topics.topics:
        for example in topic.examples:
            _check_example(topic, example, folder)
    if not topics.good:
        raise TopicsError("no topic is good, so that nothing would be looked for; add good = true to one of them")
    if not topics.seeds():
        name = topics.good[0].path
        raise TopicsError(f'no good topic has a web address to start from; add one to the examples of "{name}"')


def is_address(example: str) -> bool:
    """Tell an address from a file name."""
    return "://" in example


def _topics(table: dict[str, object]) -> Iterator[Topic]:
    unknown = [key for key in table if key != "topic"]
    if unknown:
        raise TopicsError(f"{unknown[0]} does not exist here; every topic begins with a line [[topic]]")
    entries = table.get("topic", [])
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise TopicsError("a topic begins with [[topic]], in double brackets")
    if not entries:
        raise TopicsError(
            'it holds no topic; add [[topic]] with path = "Your/Topic", good = true and examples = ["https://…"]'
        )
    for number, entry in enumerate(entries, start=1):
        yield _topic(entry, number)


def _topic(entry: dict[str, object], number: int) -> Topic:
    name = f'topic "{entry["path"]}"' if isinstance(entry.get("path"), str) else f"topic {number}"
    for key in entry:
        if key not in _KEYS:
            guess = nearest(key, _KEYS)
            known = f"did you mean {guess}?" if guess else "a topic has path, good and examples"
            raise TopicsError(f"{name}: {key} does not exist; {known}")
    return Topic(path=_path(entry, name), good=_good(entry, name), examples=_examples(entry, name))


def _path(entry: dict[str, object], name: str) -> str:
    if "path" not in entry:
        raise TopicsError(f'{name} has no path; add path = "Recreation/Cycling" or the like')
    path = entry["path"]
    if not isinstance(path, str):
        raise TopicsError(f'{name}: path takes a text such as "Recreation/Cycling"')
    if not path.isprintable() or any(not part or part != part.strip() for part in path.split("/")):
        raise TopicsError(f'{name}: a path is names with one / between them, such as "Recreation/Cycling"')
    return path


def _good(entry: dict[str, object], name: str) -> bool:
    good = entry.get("good", False)
    if not isinstance(good, bool):
        raise TopicsError(f"{name}: good takes true or false")
    return good


def _examples(entry: dict[str, object], name: str) -> tuple[str, ...]:
    examples = entry.get("examples", [])
    if not isinstance(examples, list) or not all(isinstance(example, str) for example in examples):
        raise TopicsError(f'{name}: examples takes a list such as ["https://www.example.org/page", "file.html"]')
    return tuple(dict.fromkeys(examples))


def _refuse_duplicates(topics: Topics) -> None:
    seen: set[str] = set()
    for topic in topics.topics:
        if topic.path in seen:
            raise TopicsError(f'topic "{topic.path}" stands here twice; join the examples under one of them')
        seen.add(topic.path)


def _refuse_nested_good(topics: Topics) -> None:
    for upper in topics.good:
        for lower in topics.good:
            if lower.path.startswith(upper.path + "/"):
                raise TopicsError(
                    f'good topic "{upper.path}" lies above good topic "{lower.path}"; keep good = true at one of them'
                )


def _check_example(topic: Topic, example: str, folder: Path) -> None:
    name = f'topic "{topic.path}"'
    if is_address(example):
        if canonical(example) is None:
            raise TopicsError(f'{name}: example "{example}" is not a web address (http://… or https://…)')
    elif not (folder / example).is_file():
        raise TopicsError(
            f'{name}: example "{example}" is neither a web address (http://… or https://…) nor a file beside the topics file'
        )
