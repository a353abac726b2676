"""Made-up pages without a topic: training data for the class OTHERS when no other topics compete.

BINGO §3.1 fills OTHERS with documents of common vocabulary. Here the pages are drawn from the word frequencies of the
examples' language. They are as long as the examples, and their words come in bursts, as in real pages (a Dirichlet
process, that is a Pólya urn; Madsen, Kauchak and Elkan, ICML 2005, explain why). Text that surrounds all examples, such
as a site's navigation, surrounds these pages too, so that it speaks for nothing.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from scenthound.judge.critic import Example, Page
from scenthound.parse.words.stems import STOP, stems
from scenthound.parse.words.terms import Counts, Terms
from scenthound.parse.words.tokens import tokens_of

Shares = NDArray[np.float64]
_Zone = Mapping[str, int]

# 12 topics of the schools web and 6 genres of WebKB set these constants, with 10 examples each and a plain logistic
# regression, tested on all other pages of the topic and 1,500 off it; they were chosen on these same webs. Those of
# COUNT, _OF_EXAMPLES and _URN were measured with wordfreq's large list, which is no better than the small one here.
COUNT: Final = 150  # with 50, pages off topic get 0.17 on average instead of 0.07; 300 do not raise average precision
_FALLBACK: Final = "en"
_LISTED_AS: Final = {"no": "nb", "nn": "nb", "hr": "sh", "sr": "sh", "bs": "sh"}  # one list for several languages
# Word lists reflect chat more than articles. A power below 1 raises the middling words, of which topics consist: .674
# average precision on the schools web instead of .658, and on WebKB .687 instead of .679; .6 gives no more.
_FLATTENED: Final = 0.8
# This share of a page is drawn from the examples' own words, so that no single word of one example decides: mean
# relevance of pages off topic .07 instead of .09 on the schools web, .10 instead of .17 on WebKB.
_OF_EXAMPLES: Final = 0.1
_URN: Final = (
    # concentration: a greater value gives fewer bursts; 200 lowers average precision by .01, 1,500 does not change it
    500.0
)
_STICKS: Final = int(6 * _URN)  # the rest of the stick after so many pieces is e⁻⁶
_MOST_SHARE: Final = 0.8  # share of the examples whose surroundings must have a term, to put it around all pages
_SHORTEST: Final = 50  # a query of three words is an example too, but no page is that short
_MOST: Final = 65_535


@dataclass(frozen=True, slots=True, kw_only=True)
class _Urn:
    """Terms to draw from; `heaped` holds the cumulative shares."""

    terms: tuple[str, ...]
    heaped: Shares


def others(examples: Sequence[Example], *, seed: int, count: int = COUNT) -> tuple[Page, ...]:
    """Make `count` pages without a topic, in the image of these examples; the same seed gives the same pages."""
    if not examples:
        return ()
    rng = np.random.default_rng(seed)
    around = common_surroundings(examples)
    urns = {language: _urn(language, examples) for language in _languages(examples)}
    models = rng.integers(len(examples), size=count)
    return tuple(_page(examples[model].page, urns, around, rng, number) for number, model in enumerate(models))


def describe(examples: Sequence[Example], *, count: int = COUNT) -> str:
    """Describe the source of the pages that `others` makes.

    >>> describe([])
    'No pages of no topic, for there are no examples.'
    """
    if not examples:
        return "No pages of no topic, for there are no examples."
    languages = _languages(examples)
    unknown = sorted({_said(example.page) for example in examples} - set(languages) - {""})
    sentences = [
        f"{count} pages of no topic were made up from the word frequencies of {' and '.join(languages)} "
        f"(wordfreq), as long as the examples, a tenth of them the examples' own words.",
        f"{len(common_surroundings(examples))} terms that surround most examples stand around them too.",
        *(f"There are no word frequencies of {language}: {_FALLBACK} was used." for language in unknown),
    ]
    return " ".join(sentences)


def common_surroundings(examples: Sequence[Example]) -> frozenset[str]:
    """Return the terms in the surroundings of most examples of each topic."""
    by_topic: dict[str, list[Terms]] = {}
    for example in examples:
        by_topic.setdefault(example.topic, []).append(example.page.terms)
    shared = [_shared(pages) for pages in by_topic.values()]
    return frozenset.intersection(*shared) if shared else frozenset()


def _shared(pages: Sequence[Terms]) -> frozenset[str]:
    if len(pages) < 2:
        return frozenset()
    spread = Counter(term for terms in pages for term, count in zip(terms.terms, terms.rest, strict=True) if count)
    return frozenset(term for term, number in spread.items() if number >= _MOST_SHARE * len(pages))


def _page(model: Page, urns: Mapping[str, _Urn], around: frozenset[str], rng: Generator, number: int) -> Page:
    """Make a page in the image of an example: its length in each zone, its language, the common surroundings."""
    terms = model.terms
    urn = urns[_known(_said(model))]
    frame = {term: int(count) for term, count in zip(terms.terms, terms.rest, strict=True) if count and term in around}
    title = _drawn(urn, int(terms.title.sum()), rng)
    main = _drawn(urn, max(_SHORTEST, int(terms.main.sum())), rng)
    rest = _drawn(urn, int(terms.rest.sum()) - sum(frame.values()), rng)
    rest.update(frame)
    language = _known(_said(model))
    return Page(url=f"background:{language}/{number}", language=language, terms=_terms(language, title, main, rest))


def _drawn(urn: _Urn, length: int, rng: Generator) -> Counter[str]:
    """Draw `count` terms with stick-breaking (Sethuraman 1994).

    Each piece of the stick is a term's share of the page. This equals an urn to which each drawn term returns with
    another of its kind, in one step.
    """
    broken = rng.beta(1.0, _URN, _STICKS)
    shares = broken * np.concatenate(([1.0], np.cumprod(1.0 - broken[:-1])))
    counts = rng.multinomial(max(length, 0), shares / shares.sum())
    counts = counts[counts > 0]
    places = np.searchsorted(urn.heaped, rng.random(len(counts)) * urn.heaped[-1], side="right")
    drawn: Counter[str] = Counter()
    for place, count in zip(places.tolist(), counts.tolist(), strict=True):
        drawn[urn.terms[min(place, len(urn.terms) - 1)]] += count
    return drawn


def _urn(language: str, examples: Sequence[Example]) -> _Urn:
    """Mix the words of a language with those of the examples in it."""
    shares = {term: (1 - _OF_EXAMPLES) * share for term, share in frequencies(language).items()}
    own = [example.page.terms for example in examples if _known(_said(example.page)) == language]
    for term, share in _pool_shares(own):
        shares[term] = shares.get(term, 0.0) + _OF_EXAMPLES * share
    return _Urn(terms=tuple(shares), heaped=np.cumsum(list(shares.values())))


def _pool_shares(pages: Sequence[Terms]) -> Iterator[tuple[str, float]]:
    """Yield the share of each term in each page; all pages weigh the same."""
    for terms in pages:
        counts = terms.title.astype(np.float64) + terms.main + terms.rest
        yield from zip(terms.terms, (counts / max(counts.sum(), 1.0) / len(pages)).tolist(), strict=True)


@cache
def frequencies(language: str) -> Mapping[str, float]:
    """Return the flattened share of each term of a language in general text; the shares sum to 1."""
    import wordfreq  # the import takes a quarter of a second, and only training needs it

    table = stems(language)
    counted: defaultdict[str, float] = defaultdict(float)
    for word, frequency in wordfreq.get_frequency_dict(_LISTED_AS.get(language, language), wordlist="small").items():
        for token in tokens_of(word):
            for term in table[token].split():
                counted[term] += frequency
    counted.pop(STOP, None)
    flattened: dict[str, float] = {term: frequency**_FLATTENED for term, frequency in counted.items()}
    total = sum(flattened.values())
    return {term: share / total for term, share in flattened.items()}


def _terms(language: str, title: _Zone, main: _Zone, rest: _Zone) -> Terms:
    terms = tuple(dict.fromkeys((*title, *main, *rest)))
    return Terms(
        language=language,
        terms=terms,
        title=_counts(title, terms),
        main=_counts(main, terms),
        rest=_counts(rest, terms),
    )


def _counts(zone: _Zone, terms: Sequence[str]) -> Counts:
    return np.minimum([zone.get(term, 0) for term in terms], _MOST).astype(np.uint16)


def _languages(examples: Sequence[Example]) -> tuple[str, ...]:
    """Return the languages to draw words from, the most frequent one first."""
    return tuple(language for language, _ in Counter(_known(_said(example.page)) for example in examples).most_common())


def _said(page: Page) -> str:
    return page.terms.language or page.language


def _known(language: str) -> str:
    """Return the language if it has word frequencies, else English."""
    return language if _LISTED_AS.get(language, language) in _listed() else _FALLBACK


@cache
def _listed() -> frozenset[str]:
    import wordfreq

    return frozenset(wordfreq.available_languages("small"))
