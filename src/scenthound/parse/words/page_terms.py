"""From a reading to the terms of the page, as critics count them: in the title, in the main text, and in the rest.

leaves ─► main or rest (boilerplate) ─► tokens ─► stems by the page's language ─► counts
"""

from collections import Counter
from collections.abc import Sequence
from itertools import chain, compress
from typing import Final

import numpy as np

from scenthound.parse.markup.boilerplate import main_leaves
from scenthound.parse.words.language import guess, primary
from scenthound.parse.words.stems import STOP, Stems, stems
from scenthound.parse.words.stop_words import stop_words
from scenthound.parse.words.terms import NO_TERMS, Terms
from scenthound.parse.words.tokens import tokens_of
from scenthound.types import Reading

FEWEST_WORDS: Final = 50  # fewer do not show a language
# Of 1,031 pages of the three webs in the declared language, 99 % have at least .14 of its stop words in their main
# text, and half of them .40; of 19 with a false declaration, 18 have at most .13.
LEAST_STOP_WORDS: Final = 0.135
MOST: Final = 65_535
BREAK: Final = "\n"
WITH_SURROUNDINGS: Final = frozenset({"", "text/html", "application/xhtml+xml"})  # a PDF has no navigation bar

_Zone = Counter[str]


def terms_of(reading: Reading) -> Terms:
    """Return the terms of a page or document."""
    if reading.mime not in WITH_SURROUNDINGS:
        return _terms(reading.title, BREAK.join(reading.leaves), "", reading.language, reading.headings)
    is_main = main_leaves(reading.leaves, reading.links)
    main = BREAK.join(compress(reading.leaves, is_main.tolist()))
    rest = BREAK.join(compress(reading.leaves, (~is_main).tolist()))
    return _terms(reading.title, main, rest, reading.language, reading.headings)


def terms_of_text(text: str, *, title: str = "", language: str = "") -> Terms:
    """Return the terms of a text without surroundings: a query, a file.

    >>> found = terms_of_text("The otters' den: otters, and fish.", title="Otters", language="en")
    >>> found.terms, found.title.tolist(), found.main.tolist(), found.rest.tolist()
    (('otter', 'den', 'fish'), [1, 0, 0], [2, 1, 1], [0, 0, 0])
    """
    return _terms(title, text, "", primary(language))


def _terms(title: str, main: str, rest: str, declared: str, headings: str = "") -> Terms:
    language, of_main = _in_its_language(main, declared)
    of_title, of_rest, above = (counted(tokens_of(text), stems(language)) for text in (title, rest, headings))
    return merged(language, of_title, of_main, of_rest, above)


def merged(language: str, title: _Zone, main: _Zone, rest: _Zone, headings: _Zone) -> Terms:
    """Merge the counts of all zones; leave out tokens without a term.

    Terms of the main text come first, so their counts need no lookup.
    """
    for zone in (title, main, rest, headings):
        zone.pop("", None)
        zone.pop(STOP, None)
    places = dict(zip(main, range(len(main)), strict=True))
    for term in chain(title, rest, headings):
        if term not in places:
            places[term] = len(places)
    counts = np.zeros((4, len(places)), dtype=np.int64)
    for row, zone in zip(counts, (title, main, rest, headings), strict=True):
        row[[places[term] for term in zone] if zone is not main else slice(len(main))] = list(zone.values())
    zones = np.minimum(counts, MOST).astype(np.uint16)
    above = zones[3] if headings else NO_TERMS.headings
    return Terms(language=language, terms=tuple(places), title=zones[0], main=zones[1], rest=zones[2], headings=above)


def counted(tokens: Sequence[bytes], table: Stems) -> _Zone:
    """Count the terms of tokens; tokens without a term count as "" or STOP."""
    counts = Counter(map(table.__getitem__, tokens))
    for several in [terms for terms in counts if " " in terms]:
        count = counts.pop(several)
        for term in several.split(" "):
            counts[term] += count
    return counts


def _in_its_language(text: str, declared: str) -> tuple[str, _Zone]:
    """Return the language of a text and its terms: the declared language, unless its stop words show another.

    People translate templates less often than pages: many pages in another language say `lang="en"`. A declared
    language without a list of stop words is trusted.
    """
    tokens = tokens_of(text)
    counts = counted(tokens, stems(declared))
    believed = len(tokens) < FEWEST_WORDS or (declared and not stop_words(declared)) or _shows(counts, tokens)
    if not believed and (guessed := guess(text)) and guessed != declared:
        other = counted(tokens, stems(guessed))
        if _shows(other, tokens):
            return guessed, other
    return declared, counts


def _shows(counts: _Zone, tokens: Sequence[bytes]) -> bool:
    """Tell whether tokens are text in the language whose stems were counted."""
    return counts[STOP] >= LEAST_STOP_WORDS * len(tokens)
