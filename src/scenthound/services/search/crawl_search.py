"""Search over a crawl: what command line, API and window all call.

The index is built at the first question and caught up at each. While an indexer runs beside the crawl, a question waits
for it a moment, and says how many pages are still to come.
"""

import sqlite3
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Final

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.crawl.directory.trust_check import saved_critic
from scenthound.errors import DirectoryError, UrlError, UsageError
from scenthound.judge.critic import Page
from scenthound.parse.urls import canonical
from scenthound.parse.words.terms import Terms
from scenthound.parse.words.tokens import words_of
from scenthound.search.engine import MOST, answer
from scenthound.search.every_match import EveryMatch
from scenthound.search.index import SearchReader, open_index, sound
from scenthound.search.index_rows import State
from scenthound.search.meaning import is_worth_learning
from scenthound.search.text_spool import LONGEST
from scenthound.search.types import Answer, Filters, IndexBusyError, PageFacts, PageScores, Question, Weights
from scenthound.services.crawls.reader_store import reading
from scenthound.services.search.catch_up import GROWTH, Heard, Wish, catch_up
from scenthound.services.search.page_texts import portions, terms_in_order
from scenthound.services.sql.read_connection import asking
from scenthound.store.sqlite.queries.search_rows import Standing, best_authorities, facts_of, id_of, scores_of, standing
from scenthound.taxonomy import is_at_or_below
from scenthound.topics.topic_names import find_topic

_MOMENT: Final = 0.2  # seconds for an indexer beside a crawl, where an answer is wanted at once
PATIENCE: Final = 2.0  # seconds that a question waits for pages to be indexed, where not all of them are waited for


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchWish:
    """What is asked for, as users say it. `like` are addresses of pages in the crawl.

    Without `whole`, the answer comes within seconds, from what is indexed by then.
    """

    words: str = ""
    like: tuple[str, ...] = ()
    like_text: str = ""
    topic: str = ""
    vague: bool = False
    site: str = ""
    language: str = ""
    mime: str = ""
    month: str = ""
    weights: Weights = field(default_factory=Weights)
    limit: int = 10
    offset: int = 0
    facets: bool = True
    whole: bool = True
    rebuild: bool = False
    heard: Heard = field(default=lambda progress: None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """The answer, the topic that was meant, pages of the crawl that are not yet indexed, and the seconds it took."""

    answer: Answer
    topic: str = ""
    behind: int = 0
    seconds: float = 0.0


def search_crawl(directory: CrawlDirectory, wish: SearchWish) -> Found:
    """Search in a crawl; the index is brought up to date first."""
    if not 0 < wish.limit <= MOST or not 0 <= wish.offset <= MOST - wish.limit:
        raise UsageError(f"the best 1 to {MOST:,} pages can be shown; ask for another number")
    question = _question(directory, wish)
    topic = question.filters.topic
    reader, behind = up_to_date(directory, wish)
    with asking(directory) as con, sound(directory.search):
        facts = CrawlFacts(con)
        question = replace(question, like=tuple(_id(con, url) for url in wish.like))
        begun = time.perf_counter()
        found = answer(reader, facts, question, chances=_chances(directory, facts, topic) if wish.vague else None)
    return Found(answer=found, topic=topic, behind=behind, seconds=time.perf_counter() - begun)


def every_match(directory: CrawlDirectory, wish: SearchWish, *, most: int) -> list[PageFacts]:
    """Return all pages with the words that pass the filters, the last fetched first; `most` of them at most."""
    question = _question(directory, wish)
    reader, _ = up_to_date(directory, wish)
    with asking(directory) as con, sound(directory.search):
        ids = EveryMatch(reader, question).ids(most)
        facts = CrawlFacts(con)
        known = {id: page for some in portions(ids, 2_000) for id, page in facts.facts(some).items()}
    return [known[id] for id in ids if id in known]


def snippets_of(directory: CrawlDirectory, wish: SearchWish, ids: Sequence[int]) -> dict[int, str]:
    """Return a piece of the text of pages that every_match has found."""
    reader = reader_of(directory)
    if reader is None:
        return {}
    with sound(directory.search):
        return EveryMatch(reader, _question(directory, wish)).snippets(ids)


def _question(directory: CrawlDirectory, wish: SearchWish) -> Question:
    """Return what is asked for, as far as the words of the user say it; wrong ones are refused."""
    topic = find_topic(directory.topics(), wish.topic) if wish.topic else ""
    if wish.vague and not topic:
        raise UsageError("a vague filter needs a topic: --topic T --vague")
    like_text = wish.like_text[:LONGEST]
    if wish.like_text and not words_of(like_text):
        raise UsageError("the text to compare pages with has no words; give another text")
    filters = Filters(topic=topic, site=wish.site, language=wish.language, mime=wish.mime, month=wish.month)
    return Question(
        words=wish.words,
        like_text=like_text,
        filters=filters.checked(),
        vague=wish.vague,
        weights=wish.weights,
        limit=wish.limit,
        offset=wish.offset,
        facets=wish.facets,
    )


def up_to_date(directory: CrawlDirectory, wish: SearchWish) -> tuple[SearchReader, int]:
    """Return the index and how many pages it lacks, after catching up as far as the wish allows."""
    with asking(directory) as con:
        now = standing(con)
    if not now.n:
        raise DirectoryError(f"{directory.path} has no pages yet; fetch some with: scenthound crawl {directory.path}")
    known = reader_of(directory)
    whole = wish.whole or known is None or (known.state.n >= now.n and not known.state.learnt)
    if wish.rebuild or known is None or _is_behind(known.state, now, whole=whole):
        seconds = None if whole or wish.rebuild else PATIENCE
        try:
            catch_up(directory, Wish(seconds=seconds, rebuild=wish.rebuild, heard=wish.heard))
        except IndexBusyError:
            if wish.rebuild:
                raise
            _wait_for(directory, now.n, 600.0 if known is None else PATIENCE if wish.whole else _MOMENT)
    reader = reader_of(directory)
    if reader is None:
        raise IndexBusyError(f"{directory.search} is just being built; ask again in a moment")
    return reader, max(0, now.n - reader.state.n)


def _is_behind(state: State, now: Standing, *, whole: bool) -> bool:
    """Tell whether there is something to catch up with.

    An indexer that ended with its crawl may have indexed all pages, and not yet have learnt vectors from them.
    """
    learns = whole and is_worth_learning(state.rows, state.learnt, GROWTH)
    return state.n < now.n or state.relevance != now.relevance or learns


def _wait_for(directory: CrawlDirectory, n: int, seconds: float) -> None:
    """Wait until another process has indexed the crawl up to a page, or some seconds."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        reader = reader_of(directory)
        if reader is not None and (reader.state.n >= n or seconds > PATIENCE):
            return
        time.sleep(0.05)


class _Readers:
    """The indexes that this process has asked, so that the next question need not open them again."""

    def __init__(self) -> None:
        self._known: dict[Path, SearchReader] = {}
        self._lock = Lock()

    def get(self, folder: Path) -> SearchReader | None:
        with self._lock:
            found = open_index(folder, self._known.get(folder))
            if found is not None:
                self._known[folder] = found
            return found

    def drop(self, folder: Path) -> None:
        with self._lock:
            self._known.pop(folder, None)


@cache
def _readers() -> _Readers:
    return _Readers()


def reader_of(directory: CrawlDirectory) -> SearchReader | None:
    """Return the index of a crawl as it is now; None if there is none yet."""
    return _readers().get(directory.search.resolve())


def let_go(directory: CrawlDirectory) -> None:
    """Forget the index of a crawl, so that its files are closed; the next question opens them again."""
    _readers().drop(directory.search.resolve())


class CrawlFacts:
    """The crawl's database, as search asks it (`search.types.Facts`)."""

    def __init__(self, con: sqlite3.Connection) -> None:
        self._con = con

    def scores(self, ids: Sequence[int]) -> list[PageScores]:
        return [PageScores._make(row) for row in scores_of(self._con, ids)]

    def facts(self, ids: Sequence[int]) -> dict[int, PageFacts]:
        names = [part.name for part in fields(PageFacts)]
        return {row[0]: PageFacts(**dict(zip(names, row, strict=True))) for row in facts_of(self._con, ids)}

    def best_authorities(self, most: int) -> list[tuple[int, float]]:
        return best_authorities(self._con, most)

    def terms(self, ids: Sequence[int]) -> list[Terms]:
        return terms_in_order(self._con, ids)


def _id(con: sqlite3.Connection, typed: str) -> int:
    """Return the number of a page by its address."""
    url = canonical(typed)
    found = id_of(con, url) if url else None
    if found is None:
        raise UrlError(f"{typed} is not a page of this crawl; give the address of one, or its text")
    return found


def _chances(directory: CrawlDirectory, facts: CrawlFacts, topic: str) -> Callable[[Sequence[int]], Sequence[float]]:
    """Return what gives Pr(topic | page): the crawl's critic, from the words that are stored."""
    with reading(directory) as store:
        record = store.critic()
    critic = saved_critic(directory.path, record.model) if record is not None else None
    if critic is None or critic.wants_text:
        return lambda ids: [float(is_at_or_below(page.topic, topic)) for page in _in_order(facts, ids)]
    wanted = [place for place, path in enumerate(critic.classes) if is_at_or_below(path, topic)]

    def judged(ids: Sequence[int]) -> list[float]:
        pages = [
            Page(title=page.title, language=page.language, terms=terms)
            for page, terms in zip(_in_order(facts, ids), facts.terms(ids), strict=True)
        ]
        return [float(chance) for chance in critic.judge(pages)[:, wanted].sum(axis=1)]

    return judged


def _in_order(facts: CrawlFacts, ids: Sequence[int]) -> list[PageFacts]:
    known = facts.facts(ids)
    return [known[id] for id in ids]
