"""`scenthound topics find` with the canonical topic tree, and `topics -`, which shows that tree."""

import sys
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from scenthound.cli.topics.tree import as_table, tree_of
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.errors import TopicsError
from scenthound.services.topics.canonical_places import (
    NO_CRAWL,
    answers_at_once,
    canonical_places,
    canonical_topics,
    how_to_go_on,
    pages_of,
    words,
)
from scenthound.settings.file import override
from scenthound.settings.schema import Settings
from scenthound.terminal import say, say_json


def is_asked(path: Path) -> bool:
    """Return whether the canonical tree answers: without a crawl, or for one that cannot answer itself."""
    return path == NO_CRAWL or answers_at_once(CrawlDirectory.open(path))


def show_canonical(path: Path, names: Sequence[str], overrides: Sequence[str], *, as_json: bool) -> int:
    """Print the canonical topics of pages or files, and how to continue."""
    directory = None if path == NO_CRAWL else CrawlDirectory.open(path)
    settings = override(Settings(), overrides) if directory is None else directory.settings(overrides)
    found = canonical_places(pages_of(names, settings, directory))
    if not found.pages and not found.unread:
        raise TopicsError("; ".join(f"{name} gave no page: {why}" for name, why in found.failed.items()))
    if as_json:
        say_json(found)
        return 0
    for line in (*words(found), *how_to_go_on(found, path)):
        say(line)
    return 0


def show_tree(*, as_json: bool) -> int:
    """Print the canonical tree."""
    topics = canonical_topics()
    if as_json:
        say_json(as_table(topics, seeds=[]))
        return 0
    console = Console(file=sys.stdout, highlight=False, width=None if sys.stdout.isatty() else 10_000)
    console.print(tree_of(topics, name="the canonical topic tree"))
    return 0
