"""The work of `scenthound feedback`: mark pages as good, not good or of another topic, like the window's buttons.

With `--ask` it asks about a few pages, and the answers also measure the critic.
"""

import shlex
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from scenthound.cli.topics.critic_forms import train_again
from scenthound.counted import count as count_of
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.errors import TopicsError, UsageError
from scenthound.services.topics.page_feedback import Saying, change, placed, take_back
from scenthound.services.topics.page_feedback import say as say_of
from scenthound.services.topics.sample import Answer, Sample, draw_sample, take_answers
from scenthound.taxonomy import Topics
from scenthound.terminal import say, say_json
from scenthound.topics.edits import Edit
from scenthound.topics.topic_names import find_topic
from scenthound.topics.url_topics import checked_urls


def give_feedback(path: Path, urls: Sequence[str], *, good: bool, not_good: bool, topic: str, undo: bool) -> int:
    """Make pages examples and train the critic on them. A running crawl does the training itself."""
    if sum((good, not_good, undo, bool(topic) and not good)) != 1:
        raise UsageError("use one of --good, --not-good, --topic TOPIC or --undo; --good may be combined with --topic")
    if not urls:
        raise UsageError("name the pages, or use --ask to choose some")
    directory = CrawlDirectory.open(path)
    addresses = checked_urls(_named(urls))
    if not addresses:
        raise UsageError("there is no address on stdin; put one on each line")
    said, problem = list[str](), None
    for url in addresses:
        try:
            if undo:
                done = take_back(directory, url)
            elif good or not_good:
                done = say_of(directory, url, Saying.GOOD if good else Saying.NOT_GOOD, topic=topic if good else "")
            else:
                done = change(directory, partial(_filed, url=url, typed=topic))
        except TopicsError as error:  # an example already: the others count all the same
            problem = error
            if len(addresses) > 1:
                say(f"left out: {error}")
            continue
        say(done.says)
        said.append(url)
    if problem is not None and not said:
        raise problem
    return _learnt(directory, said, undo=undo)


def _named(urls: Sequence[str]) -> list[str]:
    """Return the addresses that are meant: - stands for those on stdin."""
    lines = [line.strip() for line in sys.stdin] if "-" in urls else []
    return [*(url for url in urls if url != "-"), *filter(None, lines)]


def ask_for_feedback(path: Path, count: int, *, as_json: bool) -> int:
    """Ask about some pages, say what the answers mean, and train the critic on them."""
    directory = CrawlDirectory.open(path)
    sample = draw_sample(directory, count=count)
    if as_json:
        say_json([{"url": one.url, "title": one.title, "relevance": one.relevance} for one in sample.asked])
        return 0
    answers = list(_answers(sample))
    if not answers:
        say("No answers, so nothing changes.")
        return 0
    for line in take_answers(directory, sample, answers):
        say(line)
    return _learnt(directory, [answer.page.url for answer in answers], undo=False)


def _answers(sample: Sample) -> Iterator[Answer]:
    """Ask about each page on the terminal, until the last one or until the reader quits."""
    say(
        f"{count_of(len(sample.asked), 'page')} to look at. Is each one what you want? y: yes, n: no, s: skip, q: quit."
    )
    for number, page in enumerate(sample.asked, 1):
        say(f"\n{number}. {page.title or '(no title)'}\n   {page.url}")
        said = read_key("y/n/s/q", "ynsq")
        if said == "q":
            return
        if said != "s":
            yield Answer(page=page, good=said == "y")


def read_key(offer: str, keys: str) -> str:
    """Ask until one of the keys is typed; the end of the input is q."""
    while True:
        say(f"   {offer}? ", end="", flush=True)
        line = sys.stdin.readline()
        if not line:  # no more input
            say("")
            return "q"
        if (said := line.strip().lower()[:1]) and said in keys:
            return said


def _learnt(directory: CrawlDirectory, addresses: Sequence[str], *, undo: bool) -> int:
    """Train the critic on the feedback, unless a running crawl does it."""
    code = learn_from(directory)
    if not undo and not directory.is_running():
        say(f"To undo: {shlex.join(['scenthound', 'feedback', str(directory.path), *addresses, '--undo'])}")
    return code


def learn_from(directory: CrawlDirectory) -> int:
    """Train the critic on changed topics, unless a running crawl does it."""
    if directory.is_running():
        say("The running crawl will use it.")
        return 0
    return train_again(directory.path, force=False) if directory.begun else 0


def _filed(topics: Topics, *, url: str, typed: str) -> Edit:
    return placed(topics, url, find_topic(topics, typed))
