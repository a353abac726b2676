"""The questions of a crawl with their last runs, and the channels with what waits for them: what every list shows."""

from dataclasses import dataclass

from scenthound.counted import count
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.services.news.question_run import DATABASE, news_of
from scenthound.settings.question_book import QuestionBook, load_questions
from scenthound.store.news.news_store import NewsStore


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionLine:
    """A question, when it ran last (None if never), the rows and news of that run, and what went wrong."""

    name: str
    words: str
    sql: bool
    at: float | None = None
    rows: int = 0
    new: int = 0
    error: str = ""

    @property
    def says(self) -> str:
        if self.at is None:
            return "not asked yet"
        return self.error or f"{count(self.rows, 'row')}, {self.new:,} new at the last run"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelLine:
    """Where news goes, how many items wait for it, and what went wrong last."""

    name: str
    waiting: int = 0
    said: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionList:
    questions: tuple[QuestionLine, ...] = ()
    channels: tuple[ChannelLine, ...] = ()


def listed(directory: CrawlDirectory) -> QuestionList:
    """Return the questions and channels of a crawl. Nothing is written, not even a database."""
    book = load_questions(directory.path)
    if not (directory.path / DATABASE).exists():
        return QuestionList(
            questions=tuple(
                QuestionLine(name=name, words=one.words, sql=bool(one.sql)) for name, one in book.question.items()
            ),
            channels=tuple(ChannelLine(name=channel.name) for channel in book.channels),
        )
    with news_of(directory) as store:
        return QuestionList(
            questions=tuple(_line(store, book, name) for name in book.question),
            channels=tuple(_channel(store, channel.name) for channel in book.channels),
        )


def _line(store: NewsStore, book: QuestionBook, name: str) -> QuestionLine:
    question, last = book.question[name], store.last_run(name)
    if last is None:
        return QuestionLine(name=name, words=question.words, sql=bool(question.sql))
    return QuestionLine(
        name=name,
        words=question.words,
        sql=bool(question.sql),
        at=last.at,
        rows=last.rows,
        new=last.new,
        error=last.error,
    )


def _channel(store: NewsStore, name: str) -> ChannelLine:
    state = store.channel(name)
    return ChannelLine(name=name, waiting=store.count_after(state.sent), said=state.said)
