"""A page's card: what it is, why it was judged so, why its link was followed, who cites it and what it cites."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import msgspec
import numpy as np

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.crawl.directory.trust_check import saved_critic
from scenthound.errors import ScenthoundError, UrlError
from scenthound.judge.critic import Critic, Page
from scenthound.judge.relevance import judgements
from scenthound.parse.words.terms import Terms, unpack
from scenthound.services.crawls.reader_store import reading
from scenthound.services.sql.read_connection import asking
from scenthound.services.topics.page_feedback import sayings_of
from scenthound.services.why.url_story import Known, known_of
from scenthound.store.sqlite.queries.linked_pages import LinkedPage, cited_pages, citing_pages, page_url
from scenthound.taxonomy import Topics
from scenthound.types import HeldPage, PageRow

NEIGHBOURS: Final = 30  # citing and cited pages shown of each
WORDS: Final = 8  # that speak for and against, each
_ASKED: Final = 400  # words of a page about which the critic is asked, the most frequent ones


@dataclass(frozen=True, slots=True, kw_only=True)
class WordSaid:
    """A word of a page, and by how much a page with nothing but this word is more relevant than one without any."""

    word: str
    weight: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """What a reader wants to know of a page. `why` is its story in lines; `said` what the reader has said of it,
    `example` the topic that it is an example of, if any.
    """

    page: PageRow
    said: str
    example: str
    why: tuple[str, ...]
    words_for: tuple[WordSaid, ...]
    words_against: tuple[WordSaid, ...]
    cited_by: tuple[LinkedPage, ...]
    cites: tuple[LinkedPage, ...]

    def as_table(self) -> dict[str, object]:
        """Return it for other programs."""
        table: dict[str, object] = msgspec.to_builtins(self)
        return table


def card_of(directory: CrawlDirectory, url: str) -> Card:
    """Put together the card of a page that was fetched."""
    known = known_of(directory, url)
    if isinstance(known, str):
        raise UrlError(known)
    page = known.story.page
    if page is None:
        raise UrlError(f"{known.story.url} has no page: {_last_line(known)}")
    sayings = sayings_of(directory)
    with asking(directory) as con:
        cited_by, cites = citing_pages(con, page.n, NEIGHBOURS), cited_pages(con, page.n, NEIGHBOURS)
    spoken = words_of(directory, page.url, sayings.topics)
    return Card(
        page=page,
        said=str(sayings.of(page.url) or ""),
        example=sayings.example_of(page.url),
        why=tuple(line.strip() for line in known.lines())[1:],
        words_for=tuple(word for word in spoken if word.weight > 0)[:WORDS],
        words_against=tuple(word for word in reversed(spoken) if word.weight < 0)[:WORDS],
        cited_by=cited_by,
        cites=cites,
    )


def url_of_page(directory: CrawlDirectory, n: int) -> str:
    """Return the address of the page with a number."""
    with asking(directory) as con:
        url = page_url(con, n)
    if url is None:
        raise UrlError(f"there is no page {n}; it may have been fetched again since, under another number")
    return url


def words_of(directory: CrawlDirectory, url: str, topics: Topics) -> list[WordSaid]:
    """Return the words of a page, those that speak most for it first; none where the critic cannot be asked word by
    word.
    """
    with reading(directory) as store:
        record, held = store.critic(), next(iter(store.held([url]).values()), None)
    if record is None or held is None or not held.terms:
        return []
    try:
        critic = saved_critic(directory.path, record.model)
    except (ScenthoundError, OSError):  # it is being written, or of another version
        return []
    return [] if critic.wants_text else _asked(critic, held, topics)


def _asked(critic: Critic, held: HeldPage, topics: Topics) -> list[WordSaid]:
    terms = unpack(held.terms)
    often = sorted(zip((terms.title + terms.main + terms.rest).tolist(), terms.terms, strict=True), reverse=True)
    words = [word for _, word in often[:_ASKED]]
    judged = judgements(critic.judge([Page(), *map(_word_page, words)]), critic.classes, topics)
    without = judged[0].relevance
    weights = [one.relevance - without for one in judged[1:]]
    said = [WordSaid(word=word, weight=weight) for word, weight in zip(words, weights, strict=True)]
    return sorted((one for one in said if abs(one.weight) > 0.005), key=lambda one: -one.weight)


def _word_page(term: str) -> Page:
    """Return a page with nothing but one word, which is a stem already."""
    once, never = np.ones(1, dtype=np.uint16), np.zeros(1, dtype=np.uint16)
    return Page(terms=Terms(terms=(term,), title=never, main=once, rest=never), text=term)


def _last_line(known: Known) -> str:
    lines: Sequence[str] = list(known.lines())
    return lines[-1].strip()
