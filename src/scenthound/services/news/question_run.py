"""Runs the questions of a crawl: ask, remember, publish what is new, send it.

    questions.toml ─► answer ─► questions.db (seen, news) ─► news.atom, webhooks, commands, the window

The store takes an answer and its news in one transaction. All behind it follows from the store, and is made up for at
the next run: nothing is lost by a kill, and nothing is news twice.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final

from scenthound.counted import count
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.errors import ScenthoundError, UsageError
from scenthound.services.news.answer_of import Rows, answer_of, digest_of, finding_rows
from scenthound.services.news.atom_feed import ENTRIES, FILE, feed_of, write_feed
from scenthound.services.news.channels import send
from scenthound.services.news.delivery import Delivery, Post, Send
from scenthound.settings.file import nearest
from scenthound.settings.question_book import DIAGNOSIS, QuestionBook, SavedQuestion, load_questions
from scenthound.store.news.news_store import NewsStore, open_news
from scenthound.types.news import NewsItem

DATABASE: Final = "questions.db"


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionReport:
    """What came of a question: how many rows it has, what is new, what was only remembered, what went wrong."""

    question: str
    rows: int = 0
    news: tuple[NewsItem, ...] = ()
    remembered: bool = False
    note: str = ""
    error: str = ""

    @property
    def says(self) -> str:
        if self.error:
            return f"{self.question}: {self.error}"
        rest = f"; {self.note}" if self.note else ""
        if self.remembered:
            return f"{self.question}: {count(self.rows, 'row')} remembered; what comes from now on is new{rest}"
        return f"{self.question}: {len(self.news):,} new of {count(self.rows, 'row')}{rest}"


@dataclass(frozen=True, slots=True, kw_only=True)
class NewsReport:
    """What came of a run of all questions, or of some."""

    questions: tuple[QuestionReport, ...] = ()
    deliveries: tuple[Delivery, ...] = ()

    @property
    def news(self) -> list[NewsItem]:
        return [item for one in self.questions for item in one.news]

    @property
    def says(self) -> list[str]:
        return [*(one.says for one in self.questions), *(one.says for one in self.deliveries)]

    @property
    def failed(self) -> bool:
        return any(one.error for one in self.questions) or any(one.trouble for one in self.deliveries)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunWish:
    """Which questions to run, all if none is named; `insist` to send also over channels that rest after a failure.

    `answers` are those that were just asked for.
    """

    names: Sequence[str] = ()
    answers: Mapping[str, Rows] = field(default_factory=dict)
    insist: bool = False
    now: Callable[[], float] = time.time
    sending: Send = send


def run_questions(directory: CrawlDirectory, wish: RunWish | None = None) -> NewsReport:
    """Run questions and send what is new. What goes wrong with one is in its report, and stops no other."""
    wish = wish or RunWish()
    book = load_questions(directory.path)
    chosen = {name: found(book, name) for name in wish.names} if wish.names else book.question
    if not book.question and not book.news.findings and not book.channels:
        return NewsReport()
    with news_of(directory) as store:
        store.know_channels([channel.name for channel in book.channels])
        reports = [_run(directory, store, name, question, wish) for name, question in chosen.items()]
        if book.news.findings and not wish.names:
            reports += _findings(directory, store, wish)
        publish(directory, book, store)
        post = Post(directory=directory, store=store, now=wish.now, sending=wish.sending)
        return NewsReport(questions=tuple(reports), deliveries=tuple(post.deliver(book.channels, insist=wish.insist)))


def found(book: QuestionBook, name: str) -> SavedQuestion:
    """Return a question by its name."""
    if name not in book.question:
        guess = nearest(name, list(book.question))
        cure = f'did you mean "{guess}"?' if guess else "scenthound questions DIR lists them"
        raise UsageError(f'there is no question "{name}"; {cure}')
    return book.question[name]


@contextmanager
def news_of(directory: CrawlDirectory) -> Iterator[NewsStore]:
    """Open the memory of a crawl's questions."""
    with open_news(directory.path / DATABASE) as store:
        yield store


def publish(directory: CrawlDirectory, book: QuestionBook, store: NewsStore) -> None:
    """Write the feed, if it is wanted and has changed."""
    if book.news.feed:
        name = directory.path.resolve().name
        write_feed(directory.path / FILE, feed_of(name, store.feed, store.news(limit=ENTRIES)))


def _run(
    directory: CrawlDirectory, store: NewsStore, name: str, question: SavedQuestion, wish: RunWish
) -> QuestionReport:
    try:
        asked = wish.answers.get(name) or answer_of(directory, question)
    except ScenthoundError as error:
        store.fail(name, str(error), now=wish.now())
        return QuestionReport(question=name, error=str(error))
    silently = _begins(store, name, question)
    news = store.take(name, asked.rows, digest=digest_of(question), now=wish.now(), silently=silently, told=asked.told)
    return QuestionReport(question=name, rows=len(asked.rows), news=tuple(news), remembered=silently, note=asked.note)


def _begins(store: NewsStore, name: str, question: SavedQuestion) -> bool:
    """Tell whether what is there counts as seen: a new question begins so, if not told otherwise, and a changed one."""
    last = store.last_run(name)
    if last is None or not last.digest:
        return not question.report_first
    return last.digest != digest_of(question)


def _findings(directory: CrawlDirectory, store: NewsStore, wish: RunWish) -> list[QuestionReport]:
    try:
        rows = finding_rows(directory)
    except ScenthoundError as error:
        return [QuestionReport(question=DIAGNOSIS, error=str(error))]
    news = store.take_standing(DIAGNOSIS, rows, now=wish.now())
    return [QuestionReport(question=DIAGNOSIS, rows=len(rows), news=tuple(news))]
