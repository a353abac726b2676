"""Edits of questions.toml with tomlkit, which keeps comments and layout, as its author wrote them.

Questions may be added from the command line, the window and the API. Webhooks and commands send what was found
elsewhere or run programs: these functions are called by the command line alone.
"""

import os
import shutil
import time
import tomllib
from collections.abc import Callable
from typing import Any, Final

import msgspec
import tomlkit
from tomlkit.exceptions import TOMLKitError

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.crawl.directory.named_code import thing_of
from scenthound.errors import DirectoryError, SettingError, UsageError
from scenthound.services.news.answer_of import answer_of
from scenthound.services.news.question_run import QuestionReport, RunWish, found, news_of, publish, run_questions
from scenthound.settings.question_book import (
    FILE,
    Channel,
    NewsCommand,
    QuestionBook,
    SavedQuestion,
    Webhook,
    book_of,
    faults_of,
    load_questions,
)
from scenthound.trust import remember
from scenthound.whole_file import replacing

_HEAD: Final = """\
# Saved questions: they run after each crawl, and what is new goes where [news], [[webhook]] and [[command]]
# say. docs/how-to/watch-a-topic.md explains all of it.

[news]
#feed = true        # write news.atom
#findings = true    # what the crawl notices about itself is news too
#every = "10m"      # also run the questions so often while a crawl runs
"""


def add_question(
    directory: CrawlDirectory, name: str, question: SavedQuestion, *, now: Callable[[], float] = time.time
) -> QuestionReport:
    """Save a question and run it once. One that cannot be answered is not saved."""
    for fault in faults_of(name, question):
        raise UsageError(f'question "{name}": {fault}')
    if name in load_questions(directory.path).question:
        raise UsageError(f'there is a question "{name}" already; choose another name, or remove it first')
    answers = {name: answer_of(directory, question)}
    with news_of(directory) as store:
        store.forget(name)  # of one that was removed with an editor
    _edit(directory, lambda text: f"{text}\n{_question_text(name, question)}")
    return run_questions(directory, RunWish(names=[name], answers=answers, now=now)).questions[0]


def remove_question(directory: CrawlDirectory, name: str) -> SavedQuestion:
    """Remove a question with all that it has seen and said; return what it was."""
    gone = found(load_questions(directory.path), name)
    _edit(directory, lambda text: _without(text, "question", name))
    with news_of(directory) as store:
        store.forget(name)
        publish(directory, load_questions(directory.path), store)
    return gone


def add_channel(directory: CrawlDirectory, channel: Channel) -> None:
    """Send news over one more channel, from the next item on. Who types the command trusts it."""
    if channel.name in [one.name for one in load_questions(directory.path).channels]:
        raise UsageError(f"{channel.name} gets the news already")
    kind = "webhook" if isinstance(channel, Webhook) else "command"
    if isinstance(channel, NewsCommand) and not _can_run(directory, channel):
        raise UsageError(f"there is no program {channel.run[0]}; give the whole path of one that can be run")
    _edit(directory, lambda text: f"{text}\n{_channel_text(kind, channel)}")
    try:
        remember(directory.path, [thing_of(channel)])
    except OSError as error:
        raise DirectoryError(f"{error.filename}: {error.strerror}; trust is stored there") from None
    _know(directory)


def _can_run(directory: CrawlDirectory, command: NewsCommand) -> bool:
    """Tell whether there is such a program; it runs in the crawl directory."""
    program = command.run[0]
    if "\0" in "".join(command.run):
        return False
    return shutil.which(program) is not None or os.access(directory.path / program, os.X_OK)


def remove_channel(directory: CrawlDirectory, typed: str) -> str:
    """Send no more news to an address or a command; return its name."""
    book = load_questions(directory.path)
    gone = next((one for one in book.channels if typed in (_typed(one), one.name)), None)
    if gone is None:
        known = ", ".join(_typed(one) for one in book.channels) or "none"
        raise UsageError(f'"{typed}" gets no news; those that do: {known}')
    if isinstance(gone, Webhook):
        _edit(directory, lambda text: _without(text, "webhook", book.webhook.index(gone)))
    else:
        _edit(directory, lambda text: _without(text, "command", book.command.index(gone)))
    _know(directory)
    return gone.name


def _know(directory: CrawlDirectory) -> None:
    with news_of(directory) as store:
        store.know_channels([one.name for one in load_questions(directory.path).channels])


def _typed(channel: Channel) -> str:
    return channel.url if isinstance(channel, Webhook) else " ".join(channel.run)


def _question_text(name: str, question: SavedQuestion) -> str:
    table = tomlkit.table()
    for key, value in question.given.items():
        lines = isinstance(value, str) and "\n" in value
        table[key] = tomlkit.string(str(value), multiline=True) if lines else value
    return tomlkit.dumps({"question": {name: table}})


def _channel_text(kind: str, channel: Channel) -> str:
    given = {key: value for key, value in msgspec.to_builtins(channel).items() if value != _DEFAULTS.get(key)}
    headers = given.pop("headers", None)
    table = tomlkit.table()
    table.update(given)
    if headers:
        table["headers"] = tomlkit.inline_table()
        table["headers"].update(headers)
    tables = tomlkit.aot()
    tables.append(table)
    return tomlkit.dumps({kind: tables})


_DEFAULTS: Final = {"headers": {}, "private": False}


def _without(text: str, kind: str, place: str | int) -> str:
    document = tomlkit.parse(text)
    tables: Any = document[kind]
    del tables[place]
    if not tables:
        del document[kind]
    return tomlkit.dumps(document)


def _edit(directory: CrawlDirectory, change: Callable[[str], str]) -> QuestionBook:
    """Change the file: all of it is checked again before anything is written."""
    path = directory.path / FILE
    load_questions(directory.path)  # what is wrong with it already is said first
    try:
        before = path.read_text(encoding="utf-8-sig") if path.exists() else _HEAD
        text = change(before if before.endswith("\n") else f"{before}\n").rstrip("\n") + "\n"
        book = book_of(tomllib.loads(text))
    except (TOMLKitError, ValueError, KeyError, AttributeError):
        raise SettingError(f"{path.name} has an unusual layout; edit it yourself") from None
    mode = path.stat().st_mode & 0o777 if path.exists() else 0o600  # it may hold secrets of webhooks
    try:
        with replacing(path) as aside:
            aside.touch(mode)
            aside.write_text(text, encoding="utf-8")
            aside.chmod(mode)
    except OSError as error:
        raise DirectoryError.unwritable(directory.path, error) from None
    return book
