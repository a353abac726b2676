"""What an export is asked for: the format, which pages, and what comes with them."""

import re
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from typing import Final

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.errors import UsageError
from scenthound.services.results.export_format import ExportFormat
from scenthound.store.sqlite.queries.corpus_rows import RowKind
from scenthound.store.sqlite.queries.page_search import PageOrder, PageQuery
from scenthound.topics.topic_names import find_topic

_AGO: Final = re.compile(r"(\d{1,6})\s*(min|h|d|w)")
_SECONDS: Final = {"min": 60, "h": 3_600, "d": 86_400, "w": 604_800}


class Partition(StrEnum):
    """What makes the folders of a Parquet corpus."""

    TOPIC = "topic"
    LANGUAGE = "language"
    MONTH = "month"
    NONE = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportWish:
    """An export. `query` says which pages; `everything` adds redirects and URLs without a page; `examples` adds
    examples whose links are not followed.

    `text` adds the main text and what pages say about their use; `sheet` a data sheet. None means: if the format is
    one for texts.
    """

    form: ExportFormat
    query: PageQuery = field(default_factory=lambda: PageQuery(order=PageOrder.OLDEST))
    unique: bool = False
    everything: bool = False
    examples: bool = False
    text: bool | None = None
    sheet: bool | None = None
    partition: Partition = Partition.TOPIC

    @property
    def with_text(self) -> bool:
        return self.form.takes_text and (self.form.is_corpus if self.text is None else self.text)

    @property
    def with_sheet(self) -> bool:
        return self.form.is_corpus or self.with_text if self.sheet is None else self.sheet

    @property
    def kind(self) -> RowKind:
        """What the rows are. An index without redirects would break the playback of pages reached through them."""
        if self.everything:
            return RowKind.EVERYTHING
        if self.examples:
            return RowKind.WITH_EXAMPLES
        if self.form is ExportFormat.CDXJ and not self.is_filtered:
            return RowKind.EVERYTHING
        lists = (ExportFormat.JSONL, ExportFormat.CSV)
        return RowKind.ANSWERS if self.form in lists and not self.with_text else RowKind.PAGES

    @property
    def is_filtered(self) -> bool:
        return self.unique or self.query != PageQuery(order=PageOrder.OLDEST)

    def check(self) -> None:
        """Refuse what contradicts itself."""
        by_relevance = PageQuery(order=PageOrder.OLDEST, min_relevance=self.query.min_relevance)
        if self.everything and (self.unique or self.query != by_relevance):
            raise UsageError("--all takes everything that was fetched; leave out --all or the filters")
        if self.everything and (self.form.is_corpus or self.with_text):
            raise UsageError(f"--all lists URLs without a page; --format {self.form} has pages only")
        if self.text and not self.form.takes_text:
            raise UsageError(f"--format {self.form} has no room for texts; leave out --text")
        if self.text is False and self.form.is_of_text:
            raise UsageError(f"--format {self.form} is made of texts; leave out --no-text")


def query_of(
    directory: CrawlDirectory,
    *,
    topic: str = "",
    min_relevance: float | None = None,
    language: str = "",
    since: str = "",
    now: float,
) -> PageQuery:
    """Return the query that a user types: a topic by its name, a date or a time span."""
    return PageQuery(
        topic=find_topic(directory.topics(), topic) if topic else "",
        min_relevance=min_relevance,
        language=language_code(language) if language else "",
        since=moment(since, now) if since else None,
        order=PageOrder.OLDEST,
    )


def language_code(typed: str) -> str:
    """Return a language as pages have it.

    >>> language_code("EN"), language_code("pt-BR")
    ('en', 'pt')
    """
    code = re.split("[-_]", typed.strip().lower())[0]
    if not re.fullmatch("[a-z]{2,3}", code):
        raise UsageError(f'--language {typed}: a language is a code of two or three letters, such as "en"')
    return code


def moment(typed: str, now: float) -> float:
    """Return the moment that a date in ISO 8601 (in UTC if it names no zone) or a span such as 7d stands for.

    >>> moment("2026-11-01", 0.0), moment("2h", 10_000.0), moment("1970-01-01T01:00+01:00", 0.0)
    (1793491200.0, 2800.0, 0.0)
    """
    if span := _AGO.fullmatch(typed.strip().lower()):
        return now - int(span[1]) * _SECONDS[span[2]]
    try:
        found = datetime.fromisoformat(typed.strip())
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        raise UsageError(
            f"--since {typed}: write a date such as 2026-11-01, or a time span such as 7d or 12h"
        ) from None
