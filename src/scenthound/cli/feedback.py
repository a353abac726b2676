"""`scenthound feedback`: say of pages that they are good, not good, or about another topic, as the window's buttons do.

With `--ask` the program names a few pages, and the answers also say how right the critic is.
"""

import shlex
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from scenthound.cli.topics_critic import train_again
from scenthound.crawl.directory import CrawlDirectory
from scenthound.crawl.stats import count as count_of
from scenthound.desk.feedback import Saying, change, placed, take_back
from scenthound.desk.feedback import say as say_of
from scenthound.desk.sample import Answer, Sample, draw_sample, in_words
from scenthound.errors import UsageError
from scenthound.harmless import say, say_json
from scenthound.taxonomy import Topics
from scenthound.topics.edits import Edit
from scenthound.topics.names import find_topic
from scenthound.topics.urls import checked_urls


def give_feedback(path: Path, urls: Sequence[str], *, good: bool, not_good: bool, topic: str, undo: bool) -> int:
    """Make examples of pages, and let the critic learn from them; a crawl that runs sees to that itself."""
    if sum((good, not_good, undo, bool(topic) and not good)) != 1:
        raise UsageError("say one of --good, --not-good, --topic TOPIC or --undo; --good may name its --topic")
    if not urls:
        raise UsageError("name the pages, or let --ask choose some")
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
    return _learnt(directory, addresses, undo=undo)


def ask_for_feedback(path: Path, count: int, *, as_json: bool) -> int:
    """Ask about some pages, say what the answers mean, and let the critic learn from them."""
    directory = CrawlDirectory.open(path)
    sample = draw_sample(directory, count=count)
    if as_json:
        say_json([{"url": one.url, "title": one.title, "relevance": one.relevance} for one in sample.asked])
        return 0
    answers = list(_answers(sample))
    if not answers:
        say("Nothing was answered; nothing changes.")
        return 0
    for line in in_words(sample, answers):
        say(line)
    for answer in answers:
        say_of(directory, answer.page.url, Saying.GOOD if answer.good else Saying.NOT_GOOD)
    return _learnt(directory, [answer.page.url for answer in answers], undo=False)


def _answers(sample: Sample) -> Iterator[Answer]:
    """Ask page by page on the terminal, until the last or until the reader has had enough."""
    say(f"{count_of(len(sample.asked), 'page')} to look at. Is each what you want? y: yes, n: no, s: skip, q: enough.")
    for number, page in enumerate(sample.asked, 1):
        say(f"\n{number}. {page.title or '(no title)'}\n   {page.url}")
        said = _key()
        if said == "q":
            return
        if said != "s":
            yield Answer(page=page, good=said == "y")


def _key() -> str:
    while True:
        say("   y/n/s/q? ", end="", flush=True)
        line = sys.stdin.readline()
        if not line:  # no more input
            say("")
            return "q"
        if (said := line.strip().lower()[:1]) in ("y", "n", "s", "q"):
            return said


def _learnt(directory: CrawlDirectory, addresses: Sequence[str], *, undo: bool) -> int:
    """Let the critic learn what was said, unless a crawl that runs does it."""
    if directory.is_running():
        say("The running crawl follows.")
        return 0
    code = train_again(directory.path, force=False) if directory.database.exists() else 0
    if not undo:
        say(f"To take it back: {shlex.join(['scenthound', 'feedback', str(directory.path), *addresses, '--undo'])}")
    return code


def _filed(topics: Topics, *, url: str, typed: str) -> Edit:
    return placed(topics, url, find_topic(topics, typed))
