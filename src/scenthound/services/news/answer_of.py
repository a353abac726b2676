"""The answer to a saved question, as rows that are known again next time.

A page of a search is known by its address. A row of SQL is known by the columns that the question names as its key,
else by its column `url`, else as a whole.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from itertools import islice
from typing import Final

import msgspec

from scenthound.crawl.diagnosis.advice import FINDINGS, findings_in, sameness_of
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.errors import UsageError
from scenthound.search.query_language import parse_query
from scenthound.search.types import Hit, PageFacts, Weights
from scenthound.services.crawls.reader_store import reading
from scenthound.services.search.crawl_search import SearchWish, every_match, search_crawl, snippets_of
from scenthound.services.sql.answer_text import distinct, plain
from scenthound.services.sql.ask import answered
from scenthound.services.sql.read_connection import asking
from scenthound.settings.question_book import MOST, SavedQuestion
from scenthound.store.sqlite.queries.search_rows import standing
from scenthound.types.news import AnswerRow, Told

MOST_ROWS: Final = 100_000  # of an answer
_LONGEST: Final = 2_000  # characters of a value that are kept
_WORDS_ALONE: Final = "text=1"  # weights with which only pages count that have the words
_WITH_MEANING: Final = "text=1,meaning=2"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """The rows of an answer, and a sentence if they are not all. `told` adds details to new rows."""

    rows: Sequence[AnswerRow] = ()
    note: str = ""
    told: Told = list


def answer_of(directory: CrawlDirectory, question: SavedQuestion) -> Rows:
    """Ask a question now. A crawl without pages answers with nothing, and is no error."""
    check(question)
    if not directory.begun:
        return Rows()
    return _sql_rows(directory, question) if question.sql else _search_rows(directory, question)


def check(question: SavedQuestion) -> None:
    """Say what is wrong with the words of a question, before there is anything to ask."""
    if question.search:
        parse_query(question.search)
    if question.weights:
        Weights.parse(question.weights)


def digest_of(question: SavedQuestion) -> str:
    """Return what stands for the question asked: another digest is another question."""
    asked = msgspec.structs.replace(question, report_first=False)
    return blake2b(msgspec.json.encode(asked), digest_size=12).hexdigest()


def finding_rows(directory: CrawlDirectory) -> list[AnswerRow]:
    """Return what the crawl has noticed about itself and still holds."""
    if not directory.begun:
        return []
    with reading(directory) as store:
        found = findings_in(store.note(FINDINGS))
    return [
        AnswerRow(
            key="\0".join(sameness_of(one)),
            title=one.sentence[:1].upper() + one.sentence[1:],
            summary=" ".join(filter(None, (*one.evidence, one.command))),
            values={"kind": str(one.kind), "evidence": list(one.evidence), "command": one.command, "undo": one.undo},
        )
        for one in found
    ]


def _search_rows(directory: CrawlDirectory, question: SavedQuestion) -> Rows:
    with asking(directory) as con:
        if not standing(con).n:
            return Rows()
    default = _WORDS_ALONE if question.search and not question.near else _WITH_MEANING
    wish = SearchWish(
        words=question.search,
        like=question.like,
        topic=question.topic,
        vague=question.vague,
        site=question.site,
        language=question.language,
        mime=question.type,
        weights=Weights.parse(question.weights or default),
        limit=question.most,
        facets=False,
    )
    return _best_rows(directory, question, wish) if _is_ranked(question) else _all_rows(directory, question, wish)


def _is_ranked(question: SavedQuestion) -> bool:
    """Tell whether only the best pages count: likeness and meaning have no border, and `most` sets one."""
    return bool(question.near or question.like) or question.most < MOST


def _best_rows(directory: CrawlDirectory, question: SavedQuestion, wish: SearchWish) -> Rows:
    found = search_crawl(directory, wish)
    matches = found.answer.matches
    few = f"{matches:,} pages match, and only the best {question.most:,} are compared; ask for fewer"
    return Rows(
        rows=[_hit_row(hit) for hit in found.answer.hits if _counts(hit, question)],
        note=few if matches > question.most else "",
    )


def _all_rows(directory: CrawlDirectory, question: SavedQuestion, wish: SearchWish) -> Rows:
    """Return all pages, whatever their rank. Their texts are read when it is known which are new."""
    pages = every_match(directory, wish, most=MOST_ROWS)
    few = f"more than {MOST_ROWS:,} pages match, and only the last fetched are compared; ask for fewer"
    counting = {page.url: page for page in pages if (page.relevance or 0.0) >= question.min_relevance}

    def told(rows: Sequence[AnswerRow]) -> list[AnswerRow]:
        texts = snippets_of(directory, wish, [counting[row.url].id for row in rows])
        return [replace(row, summary=_cut(texts.get(counting[row.url].id, ""))) for row in rows]

    return Rows(
        rows=[_page_row(page) for page in counting.values()], note=few if len(pages) >= MOST_ROWS else "", told=told
    )


def _counts(hit: Hit, question: SavedQuestion) -> bool:
    has_words = hit.by_words or question.near or not question.search
    return has_words and (hit.page.relevance or 0.0) >= question.min_relevance


def _hit_row(hit: Hit) -> AnswerRow:
    row = _page_row(hit.page)
    return replace(row, summary=_cut(hit.snippet.text), values={**row.values, "score": round(hit.score, 4)})


def _page_row(page: PageFacts) -> AnswerRow:
    return AnswerRow(
        key=page.url,
        url=page.url,
        title=_cut(page.title or page.url),
        values={
            "topic": page.topic,
            "relevance": page.relevance,
            "language": page.language,
            "fetched_at": page.fetched_at,
        },
    )


def _sql_rows(directory: CrawlDirectory, question: SavedQuestion) -> Rows:
    with answered(directory, question.sql) as answer:
        names = distinct(answer.columns)
        keys = key_columns(names, question.key)
        some = islice(answer.rows, MOST_ROWS + 1)
        rows = [_row_of(dict(zip(names, map(plain, values), strict=True)), keys) for values in some]
    if len(rows) > MOST_ROWS:
        raise UsageError(f"the answer has more than {MOST_ROWS:,} rows; ask for less (WHERE, LIMIT)")
    return Rows(rows=rows)


def key_columns(names: Sequence[str], wanted: Sequence[str]) -> list[str]:
    """Return the columns by which a row is known again.

    >>> key_columns(["seen", "URL"], []), key_columns(["host", "pages"], ["host"]), key_columns(["host", "pages"], [])
    (['URL'], ['host'], ['host', 'pages'])
    """
    by_letters = {name.lower(): name for name in names}
    missing = [name for name in wanted if name.lower() not in by_letters]
    if missing:
        raise UsageError(f'the key "{missing[0]}" is no column of the answer; its columns are {", ".join(names)}')
    if wanted:
        return [by_letters[name.lower()] for name in wanted]
    return [by_letters["url"]] if "url" in by_letters else list(names)


def _row_of(values: dict[str, object], keys: Sequence[str]) -> AnswerRow:
    by_letters = {name.lower(): str(value) for name, value in values.items() if value is not None}
    url = by_letters.get("url", "")
    url = url if url.startswith(("http://", "https://")) else ""
    first = next((str(value) for value in values.values() if value is not None), "")
    others = [f"{name}: {value}" for name, value in values.items() if name.lower() not in ("url", "title")]
    return AnswerRow(
        key=msgspec.json.encode([values[name] for name in keys]).decode(),
        url=url,
        title=_cut(by_letters.get("title") or url or first),
        summary=_cut(", ".join(others)),
        values={name: _cut(value) if isinstance(value, str) else value for name, value in values.items()},
    )


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
