"""`scenthound topics DIR`: the topic tree with marks, examples and page counts, as text or JSON."""

import shlex
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from rich.console import Console
from rich.text import Text
from rich.tree import Tree

from scenthound.counted import count
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.services.topics.archetype_list import ArchetypeRow, archetypes_of
from scenthound.services.topics.topic_rows import pages_by_topic, rows_of, state_of
from scenthound.taxonomy import Topic, Topics
from scenthound.terminal import say, say_json, shown

_WIDE = 10_000  # no line breaks outside a terminal
_MARKS = {"good": "✔", "below good": "✔", "lead": "→", "below lead": "→", "path": "▸", "other": " "}
_STYLES = {"good": "bold green", "below good": "green", "lead": "bold cyan", "below lead": "cyan", "path": "bold"}


def show_topics(path: Path, *, as_json: bool) -> int:
    """Print the topics of a crawl with the number of pages in each."""
    directory = CrawlDirectory.open(path)
    topics, pages, archetypes = directory.topics(), pages_by_topic(directory), archetypes_of(directory)
    if as_json:
        say_json(as_table(topics, seeds=directory.seeds(), pages=pages, archetypes=archetypes))
        return 0
    console = Console(file=sys.stdout, highlight=False, width=None if sys.stdout.isatty() else _WIDE)
    console.print(tree_of(topics, name=str(path), pages=pages, archetypes=archetypes))
    console.print(_legend(topics, directory))
    return 0


def show_archetypes(path: Path, *, as_json: bool) -> int:
    """Print the archetypes of a crawl with their reasons, and how to judge them."""
    directory = CrawlDirectory.open(path)
    found = archetypes_of(directory)
    if as_json:
        say_json(found)
        return 0
    if not found:
        crawl = directory.settings().crawl
        off = crawl.archetypes == 0 or crawl.phases != "auto"
        why = "crawl.phases or crawl.archetypes is off" if off else "the crawl has added none so far"
        say(f"There are no archetypes: {why}.")
        return 0
    for topic in dict.fromkeys(one.topic for one in found):
        own = [one for one in found if one.topic == topic]
        say(f"{topic}: {count(len(own), 'archetype')}")
        for one in own:
            say(f"  {one.url}  {one.title}".rstrip())
            say(f"      {one.reason}")
    words = ["scenthound", "feedback", str(path), found[0].url]
    say(f"To confirm the first one: {shlex.join([*words, '--good'])}")
    say(f"To refuse it: {shlex.join([*words, '--not-good'])}")
    say(f"To use only a part of it: {shlex.join(['scenthound', 'teach', str(path), '--trim', found[0].url])}")
    return 0


def tree_of(
    topics: Topics,
    *,
    name: str,
    pages: Mapping[str, int] | None = None,
    archetypes: Sequence[ArchetypeRow] = (),
) -> Tree:
    """Draw the topics."""
    root = Tree(Text(shown(name)))
    branches = {"": root}
    learnt = Counter(one.topic for one in archetypes)
    for path in topics.nodes:
        above, _, own_name = path.rpartition("/")
        branches[path] = branches[above].add(_line(topics, path, own_name, pages, learnt[path]))
    return root


def as_table(
    topics: Topics,
    *,
    seeds: list[str],
    pages: Mapping[str, int] | None = None,
    archetypes: Sequence[ArchetypeRow] = (),
) -> dict[str, object]:
    """Return the tree for other programs: every topic, parents before children."""
    return {"topics": rows_of(topics, pages, archetypes), "seeds": seeds}


def _line(topics: Topics, path: str, name: str, pages: Mapping[str, int] | None, learnt: int) -> Text:
    topic, state = topics.find(path) or Topic(path=path), state_of(topics, path)
    says = [count(len(topic.examples), "example")] if topic.examples else []
    says += [count(learnt, "archetype")] if learnt else []
    says += [f'query "{topic.query}"'] if topic.query else []
    says += [count(pages[path], "page")] if pages and pages.get(path) else []
    line = Text(f"{_MARKS[state]} ")
    line.append(shown(name), style=_STYLES.get(state, ""))
    line.append(shown(f"  {', '.join(says)}") if says else "", style="dim")
    return line


def _legend(topics: Topics, directory: CrawlDirectory) -> Text:
    examples = sum(len(topic.examples) for topic in topics.topics)
    starts = f"{count(len(directory.seeds()), 'page')} to start from"
    numbers = f"{count(len(topics.nodes), 'topic')}, {count(examples, 'example')}, {starts}."
    if not topics.good:
        return Text(f"{numbers} No topic is good yet: mark one with mark TOPIC.")
    leads = "→ lead: followed, not collected, " if topics.leads else ""
    return Text(f"{numbers} ✔ good, {leads}▸ above a good topic.")
