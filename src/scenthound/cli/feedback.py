"""`scenthound feedback`: say of pages that they are good, not good, or about another topic, as the window's buttons do."""

import shlex
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from scenthound.cli.topics_critic import train_again
from scenthound.crawl.directory import CrawlDirectory
from scenthound.desk.feedback import Saying, change, placed, take_back
from scenthound.desk.feedback import say as say_of
from scenthound.errors import UsageError
from scenthound.harmless import say
from scenthound.taxonomy import Topics
from scenthound.topics.edits import Edit
from scenthound.topics.names import find_topic
from scenthound.topics.urls import checked_urls


def give_feedback(path: Path, urls: Sequence[str], *, good: bool, not_good: bool, topic: str, undo: bool) -> int:
    """Make examples of pages, and let the critic learn from them; a crawl that runs sees to that itself."""
    if sum((good, not_good, undo, bool(topic) and not good)) != 1:
        raise UsageError("say one of --good, --not-good, --topic TOPIC or --undo; --good may name its --topic")
    directory = CrawlDirectory.open(path)
    addresses = checked_urls(urls)
    for url in addresses:
        if undo:
            done = take_back(directory, url)
        elif good or not_good:
            done = say_of(directory, url, Saying.GOOD if good else Saying.NOT_GOOD, topic=topic if good else "")
        else:
            done = change(directory, partial(_filed, url=url, typed=topic))
        say(done.says)
    if directory.is_running():
        say("The running crawl follows.")
        return 0
    code = train_again(path, force=False) if directory.database.exists() else 0
    if not undo:
        say(f"To take it back: {shlex.join(['scenthound', 'feedback', str(path), *addresses, '--undo'])}")
    return code


def _filed(topics: Topics, *, url: str, typed: str) -> Edit:
    return placed(topics, url, find_topic(topics, typed))
