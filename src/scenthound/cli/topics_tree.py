"""`scenthound topics DIR`: the tree with its marks, examples and pages, for people and as JSON for programs."""

import sys
from collections.abc import Mapping
from pathlib import Path

from rich.console import Console
from rich.text import Text
from rich.tree import Tree

from scenthound.crawl.directory import CrawlDirectory
from scenthound.crawl.stats import count
from scenthound.desk.topic_rows import pages_by_topic, rows_of, state_of
from scenthound.harmless import say_json, shown
from scenthound.taxonomy import Topic, Topics

_WIDE = 10_000  # a line is not broken where it is not a terminal that shows it
_MARKS = {"good": "✔", "below good": "✔", "path": "▸", "other": " "}
_STYLES = {"good": "bold green", "below good": "green", "path": "bold", "other": ""}


def show_topics(path: Path, *, as_json: bool) -> int:
    """Print the topics of a crawl, with the number of its pages by their most likely topic, where judged."""
    directory = CrawlDirectory.open(path)
    topics, pages = directory.topics(), pages_by_topic(directory)
    if as_json:
        say_json(as_table(topics, seeds=directory.seeds(), pages=pages))
        return 0
    console = Console(file=sys.stdout, highlight=False, width=None if sys.stdout.isatty() else _WIDE)
    console.print(tree_of(topics, name=str(path), pages=pages))
    console.print(_legend(topics, directory))
    return 0


def tree_of(topics: Topics, *, name: str, pages: Mapping[str, int] | None = None) -> Tree:
    """Draw the topics."""
    root = Tree(Text(shown(name)))
    branches = {"": root}
    for path in topics.nodes:
        above, _, own_name = path.rpartition("/")
        branches[path] = branches[above].add(_line(topics, path, own_name, pages))
    return root


def as_table(topics: Topics, *, seeds: list[str], pages: Mapping[str, int] | None = None) -> dict[str, object]:
    """Return the tree for other programs: every topic, parents before children."""
    return {"topics": rows_of(topics, pages), "seeds": seeds}


def _line(topics: Topics, path: str, name: str, pages: Mapping[str, int] | None) -> Text:
    topic, state = topics.find(path) or Topic(path=path), state_of(topics, path)
    says = [count(len(topic.examples), "example")] if topic.examples else []
    says += [f'query "{topic.query}"'] if topic.query else []
    says += [count(pages[path], "page")] if pages and pages.get(path) else []
    line = Text(f"{_MARKS[state]} ")
    line.append(shown(name), style=_STYLES[state])
    line.append(shown(f"  {', '.join(says)}") if says else "", style="dim")
    return line


def _legend(topics: Topics, directory: CrawlDirectory) -> Text:
    examples = sum(len(topic.examples) for topic in topics.topics)
    numbers = f"{count(len(topics.nodes), 'topic')}, {count(examples, 'example')}, {count(len(directory.seeds()), 'page')} to start from."
    marks = "✔ good, ▸ leads to a good one." if topics.good else "None is good yet: mark one with the form mark TOPIC."
    return Text(f"{numbers} {marks}")
