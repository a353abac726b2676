"""Reads and checks the topics file: a tree of topics with examples, some of them marked good.

    [[topic]]
    path = "Recreation/Cycling"
    good = true
    query = "touring by bicycle"
    examples = ["https://www.example.org/touring.html", "race-report.html"]

`lead = true` in place of `good = true` marks a topic whose links are followed and whose pages are not collected. The
URLs among the examples of good topics and leads are the seeds of the crawl. A good topic is never above another one,
because a page would count twice (Chakrabarti, van den Berg, Dom: "Focused crawling", 1999, §2.1).
"""

import tomllib
from collections.abc import Collection, Iterator
from pathlib import Path, PurePath

from scenthound.errors import TopicsError
from scenthound.parse.urls import canonical
from scenthound.settings.file import nearest, read_toml
from scenthound.taxonomy import Topic, Topics, is_address
from scenthound.topics.imported import ExampleFile, Imported
from scenthound.topics.topic_names import is_path

_KEYS = ("path", "good", "lead", "query", "examples")
# Names that a crawl directory uses itself, so examples cannot have them.
OWN_NAMES = (
    "crawl.toml",
    "topics.toml",
    "crawl.db",
    "crawl.lock",
    "archive",
    "models",
    "logs",
    "history",
    "search",
    "extracts",
    "learnt",
    "answers.jsonl",
    "questions.toml",
    "questions.db",
    "questions.lock",
    "watch.lock",
    "shared.json",
    "news.atom",
)


def load_topics(path: Path, *, confined: bool = False) -> Topics:
    """Read and check a topics file. Example files are relative to it; with `confined` they may not lie elsewhere."""
    table = read_toml(path, TopicsError)
    try:
        topics = Topics(topics=tuple(_topics(table)))
        check_topics(topics, folder=path.parent)
        if confined:
            _refuse_links_out(topics, path.parent)
    except TopicsError as error:
        raise TopicsError(f"{path.name}: {error}") from None
    return topics


def import_file(path: Path) -> Imported:
    """Read a topics file for a new crawl, with the files that it names."""
    topics = load_topics(path)
    names = dict.fromkeys(name for topic in topics.topics for name in topic.example_files)
    for name in names:
        _refuse_outside(path, name)
    files = tuple(ExampleFile(name=name, source=path.parent / name) for name in names)
    return Imported(topics=topics, files=files, text=path.read_text(encoding="utf-8-sig"))


def topics_in(text: str) -> Topics:
    """Read topics from the text of a topics file, without checking them."""
    return Topics(topics=tuple(_topics(tomllib.loads(text))))


def check_topics(topics: Topics, *, folder: Path, coming: Collection[str] = ()) -> None:
    """Raise an error if topics contradict each other, or if an example neither exists nor is `coming`."""
    check_tree(topics)
    for topic in topics.topics:
        for example in topic.examples:
            if example not in coming:
                _check_example(topic, example, folder)


def check_tree(topics: Topics) -> None:
    """Raise an error if a path occurs twice, if a topic is good and a lead, or if a good topic is above another one."""
    seen: set[str] = set()
    for topic in topics.topics:
        if topic.good and topic.lead:
            raise TopicsError(f'topic "{topic.path}" is good and a lead; keep good = true, or lead = true')
        if topic.path in seen:
            raise TopicsError(f'topic "{topic.path}" occurs twice; merge its examples into one entry')
        seen.add(topic.path)
    for upper in topics.good:
        for lower in topics.good:
            if lower.path.startswith(upper.path + "/"):
                raise TopicsError(
                    f'good topic "{upper.path}" is above good topic "{lower.path}"; keep good = true for one of them'
                )


def _topics(table: dict[str, object]) -> Iterator[Topic]:
    unknown = [key for key in table if key != "topic"]
    if unknown:
        raise TopicsError(f"{unknown[0]} is not allowed here; every topic starts with a line [[topic]]")
    entries = table.get("topic", [])
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise TopicsError("a topic starts with [[topic]], in double brackets")
    if not entries:
        raise TopicsError(
            'it has no topic; add [[topic]] with path = "Your/Topic", good = true and examples = ["https://…"]'
        )
    for number, entry in enumerate(entries, start=1):
        yield _topic(entry, number)


def _topic(entry: dict[str, object], number: int) -> Topic:
    name = f'topic "{entry["path"]}"' if isinstance(entry.get("path"), str) else f"topic {number}"
    for key in entry:
        if key not in _KEYS:
            guess = nearest(key, _KEYS)
            known = f"did you mean {guess}?" if guess else "a topic has path, good, lead, query and examples"
            raise TopicsError(f"{name}: {key} does not exist; {known}")
    return Topic(
        path=_path(entry, name),
        good=_mark(entry, name, "good"),
        examples=_examples(entry, name),
        query=_query(entry, name),
        lead=_mark(entry, name, "lead"),
    )


def _path(entry: dict[str, object], name: str) -> str:
    if "path" not in entry:
        raise TopicsError(f'{name} has no path; add one such as path = "Recreation/Cycling"')
    path = entry["path"]
    if not isinstance(path, str):
        raise TopicsError(f'{name}: path takes a text such as "Recreation/Cycling"')
    if not is_path(path):
        raise TopicsError(
            f'{name}: a path is names separated by /, such as "Recreation/Cycling"; a name has at most 200 characters'
        )
    return path


def _mark(entry: dict[str, object], name: str, key: str) -> bool:
    mark = entry.get(key, False)
    if not isinstance(mark, bool):
        raise TopicsError(f"{name}: {key} takes true or false")
    return mark


def _query(entry: dict[str, object], name: str) -> str:
    query = entry.get("query", "")
    if not isinstance(query, str):
        raise TopicsError(f'{name}: query takes words such as "touring by bicycle"')
    return " ".join(query.split())


def _examples(entry: dict[str, object], name: str) -> tuple[str, ...]:
    examples = entry.get("examples", [])
    if not isinstance(examples, list) or not all(isinstance(example, str) for example in examples):
        raise TopicsError(f'{name}: examples takes a list such as ["https://www.example.org/page", "file.html"]')
    return tuple(dict.fromkeys(examples))


def _check_example(topic: Topic, example: str, folder: Path) -> None:
    name = f'topic "{topic.path}"'
    if is_address(example):
        if canonical(example) is None:
            raise TopicsError(f'{name}: example "{example}" is not a URL (http://… or https://…)')
    elif not (folder / example).is_file():
        raise TopicsError(
            f'{name}: example "{example}" is neither a URL (http://… or https://…) nor a file beside the topics file'
        )


def _refuse_links_out(topics: Topics, folder: Path) -> None:
    home = folder.resolve()
    for topic in topics.topics:
        for name in topic.example_files:
            if not (folder / name).resolve().is_relative_to(home):
                raise TopicsError(
                    f'topic "{topic.path}": example "{name}" lies outside the crawl directory; copy it into the '
                    f"directory and name the copy"
                )


def _refuse_outside(topics_file: Path, name: str) -> None:
    parts = PurePath(name).parts
    if PurePath(name).is_absolute() or ".." in parts:
        raise TopicsError(
            f'{topics_file.name}: example "{name}" lies outside the folder of the topics file; move it there'
        )
    if parts[0] in OWN_NAMES:
        raise TopicsError(
            f'{topics_file.name}: example "{name}" has a name that the crawl directory uses itself; rename it'
        )
