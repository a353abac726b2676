"""The work of `scenthound questions`: questions, news and channels as lines or JSON."""

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

from scenthound.counted import count
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.crawl.directory.named_code import channels_of
from scenthound.services.news.atom_feed import FILE
from scenthound.services.news.book_edits import add_channel, add_question, remove_channel, remove_question
from scenthound.services.news.feed_address import feed_path, renew_token
from scenthound.services.news.question_list import listed
from scenthound.services.news.question_run import NewsReport, RunWish, found, news_of, run_questions
from scenthound.services.news.watch_loop import moment
from scenthound.settings.question_book import DIAGNOSIS, Channel, SavedQuestion, load_questions
from scenthound.terminal import say, say_json
from scenthound.trust import require
from scenthound.types.news import NewsItem


def show_questions(path: Path, *, as_json: bool) -> int:
    """List questions and channels."""
    found = listed(CrawlDirectory.open(path))
    if as_json:
        say_json(found)
        return 0
    for one in found.questions:
        say(f"{one.name}: {one.words}")
        say(f"    {one.says}")
    if not found.questions:
        typed = shlex.join(["scenthound", "questions", str(path), "add", "NAME", "--search", "WORDS"])
        say(f"No question is saved in {path}. To add one: {typed}")
    for channel in found.channels:
        waiting = f", {count(channel.waiting, 'item')} waiting" if channel.waiting else ""
        said = f", {channel.said}" if channel.said else ""
        say(f"News goes to {channel.name}{waiting}{said}")
    return 0


def added(path: Path, name: str, question: SavedQuestion, *, as_json: bool) -> int:
    """Save a question and say what came of its first run."""
    report = add_question(CrawlDirectory.open(path), name, question)
    if as_json:
        say_json(report)
    else:
        say(report.says)
        say("\n".join(item_lines(report.news[:10])), end="\n" if report.news else "")
    return 0


def run_now(path: Path, names: Sequence[str], *, as_json: bool) -> int:
    """Run questions; 1 if one of them, or a channel, failed."""
    directory = CrawlDirectory.open(path)
    require(path, channels_of(load_questions(path)))
    report = run_questions(directory, RunWish(names=names, insist=True))
    if as_json:
        say_json({"questions": report.questions, "deliveries": report.deliveries})
    else:
        if not report.questions:
            say(f"No question is saved in {path}.")
        for line in report_lines(report):
            say(line)
    return 1 if report.failed else 0


def report_lines(report: NewsReport) -> Iterator[str]:
    """Yield what came of questions, with the news below each."""
    for one in report.questions:
        if one.question != DIAGNOSIS or one.news or one.error:
            yield one.says
        yield from item_lines(one.news[:10])
        if len(one.news) > 10:
            yield f"    … and {len(one.news) - 10:,} more"
    for sent in report.deliveries:
        yield sent.says[:1].upper() + sent.says[1:]


def show_news(path: Path, name: str, *, most: int, as_json: bool) -> int:
    """Show the latest news."""
    directory = CrawlDirectory.open(path)
    if name and name != DIAGNOSIS:
        found(load_questions(path), name)
    with news_of(directory) as store:
        items = store.news(question=name, limit=most)
    if as_json:
        say_json([asdict(item) for item in items])
        return 0
    for item in items:
        say(f"{moment(item.at)}  {item.question}")
        for line in item_lines([item]):
            say(line)
    if not items:
        say("There is no news yet.")
    return 0


def item_lines(items: Sequence[NewsItem]) -> Iterator[str]:
    """Yield two lines for each item: its title, and its address or summary."""
    for item in items:
        yield f"    {item.title}"
        yield f"      {item.url or item.summary}"


def removed(path: Path, name: str) -> int:
    """Remove a question, and say how to have it back."""
    gone = remove_question(CrawlDirectory.open(path), name)
    say(f'The question "{name}" is removed. To ask it again: {command_of(path, name, gone)}')
    return 0


def command_of(path: Path, name: str, question: SavedQuestion) -> str:
    """Return the command that adds a question."""
    words = ["scenthound", "questions", str(path), "add", name]
    for key, value in question.given.items():
        option = f"--{key.replace('_', '-')}"
        if value is True:
            words.append(option)
        elif isinstance(value, (list, tuple)):
            several = [",".join(value)] if key == "key" else value
            words += [word for one in several for word in (option, one)]
        else:
            words += [option, str(value)]
    return shlex.join(words)


def notified(path: Path, channel: Channel | None = None, *, stop: str = "") -> int:
    """Begin or end to send news somewhere."""
    directory = CrawlDirectory.open(path)
    if channel is None:
        say(f"No more news goes to {remove_channel(directory, stop)}.")
        return 0
    add_channel(directory, channel)
    say(f"What is new from now on goes to {channel.name}.")
    return 0


def show_feed(path: Path, *, renew: bool) -> int:
    """Say where the feed is."""
    directory = CrawlDirectory.open(path)
    if renew:
        renew_token(directory)
    say(f"The file: {path / FILE}")
    say(f"In the window, for readers that cannot log in: {feed_path(directory)}")
    return 0
