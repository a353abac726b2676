"""News that nobody has looked at yet in the window. How far it was read is kept in questions.db."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.services.news.question_run import DATABASE, news_of
from scenthound.types.news import NewsItem

_FACT: Final = "read"


@dataclass(frozen=True, slots=True, kw_only=True)
class Unread:
    """How many items are unread, and the newest of them."""

    count: int = 0
    newest: str = ""
    question: str = ""


def latest_news(directory: CrawlDirectory, *, question: str = "", limit: int = 100) -> list[NewsItem]:
    """Return the latest news; nothing is written for a crawl that has none."""
    if not (directory.path / DATABASE).exists():
        return []
    with news_of(directory) as store:
        return store.news(question=question, limit=limit)


def unread_news(directory: CrawlDirectory) -> Unread:
    """Return what came since somebody looked at the news in the window."""
    if not (directory.path / DATABASE).exists():
        return Unread()
    with news_of(directory) as store:
        number = store.count_after(int(store.fact(_FACT) or 0))
        newest = store.news(limit=1)
    if not number or not newest:
        return Unread()
    return Unread(count=number, newest=newest[0].title, question=newest[0].question)


def mark_read(directory: CrawlDirectory, items: Sequence[NewsItem]) -> None:
    """Note that these items, newest first, were looked at."""
    if not items:
        return
    with news_of(directory) as store:
        if items[0].n > int(store.fact(_FACT) or 0):
            store.fact(_FACT, str(items[0].n))
