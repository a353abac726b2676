"""The choice of archetypes: the crawled pages of a topic that may join its examples (BINGO §2.6, §3.2).

Candidates are the best authorities and the pages that the critic is surest of. One that is taken is surer than the mean
of the examples so far, is like the user's own examples, has a text of its own, and says what no example says yet.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from scenthound.crawl.learning.learnt_note import Archetype, Source
from scenthound.judge.critic import Example, Page
from scenthound.judge.likeness import alike
from scenthound.parse.markup.status_pages import is_status_page

# Words of a page that its site does not repeat. A menu, a login page and a list of links have fewer.
LEAST_WORDS: Final = 50
SEVERAL: Final = 4  # candidates for each page that is taken: those that are likest to the examples are


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A crawled page of a topic, without the text that its site repeats."""

    page: Page
    confidence: float
    authority: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """What a round looks for: at most `most` new archetypes of a topic, with a confidence above `mean`.

    `own` are the user's examples of the topic, `known` all pages that are examples or archetypes already.
    """

    topic: str
    candidates: Sequence[Candidate]
    own: Sequence[Example]
    known: Sequence[Page]
    mean: float
    most: int
    round: int


Choice = Callable[[Search], tuple[Archetype, ...]]


def choose(search: Search) -> tuple[Archetype, ...]:
    """Choose new archetypes, best first."""
    known, most = search.known, search.most
    fit = {one.page.url: one for one in search.candidates if one.confidence > search.mean and has_own_text(one.page)}
    surest = sorted(fit.values(), key=lambda one: (-one.confidence, one.page.url))[: SEVERAL * most]
    best = sorted(fit.values(), key=lambda one: (-one.authority, one.page.url))[: SEVERAL * most]
    sources = _sources(surest, [one for one in best if one.authority > 0])
    pages = [fit[url].page for url in sources]
    # those that are known come first, so that of two pages that say the same it is the new one that is left out
    likest = alike([one.page for one in search.own], [*known, *pages], topic=search.topic, most=len(known) + len(pages))
    likeness = {one.page.url: one.cosine for one in likest if one.page.url in sources}
    ranked = sorted(likeness, key=lambda url: (-fit[url].confidence - likeness[url], url))
    taken = [url for url in ranked if url not in {page.url for page in known}][:most]
    return tuple(
        Archetype(
            topic=search.topic,
            url=url,
            confidence=fit[url].confidence,
            mean=search.mean,
            source=sources[url],
            round=search.round,
        )
        for url in taken
    )


def has_own_text(page: Page) -> bool:
    """Tell whether a page says something itself: it is no menu, no error page, no list of links."""
    words = int(page.terms.main.sum()) + int(page.terms.title.sum())
    return words >= LEAST_WORDS and not is_status_page(page.title, len(page.terms))


def _sources(surest: Sequence[Candidate], best: Sequence[Candidate]) -> Mapping[str, Source]:
    """Return why each page is a candidate."""
    sure, cited = ({one.page.url for one in part} for part in (surest, best))
    found: dict[str, Source] = dict.fromkeys([*sure, *cited], "confidence")
    found |= dict.fromkeys(cited, "authority")
    return found | dict.fromkeys(sure & cited, "both")
