"""Names for groups of pages: words and phrases that are typical of a group, in their commonest written form.

A term is typical if it stands on many pages of the group and on few of the others: p · log(p / q), its part of the
Kullback-Leibler divergence between the group and the rest. Terms are compared by their stems and shown as people write
them. Lines that a site repeats on many pages (menus, footers) say nothing and do not count.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from scenthound.parse.words.stems import STOP, stems
from scenthound.search.words import one_language

TERMS: Final = 8  # of a group
_READ: Final = 8_000  # characters of a page
_TITLE: Final = 3  # a word of the title counts so many times
_CONSIDERED: Final = 60  # best words of a group, from which phrases are made
_PHRASE_SHARE: Final = 0.35  # a phrase stands for its word if so much of the word's pages have it
_PHRASE_WORDS: Final = 3
_CAPITALS: Final = 0.25  # a word is written small if so much of its places are
_TEMPLATE: Final = 0.3  # of a site's pages with a line, from which it is a template
_TEMPLATE_PAGES: Final = 3
_OTHERS: Final = 0.02  # chance of any term on a page of no group here; keeps rare names from leading
_WORD: Final = re.compile(r"[^\W_]+(?:['’.][^\W_]+)*[+#]*")
_BREAK: Final = re.compile(r"[.,;:!?()\[\]{}<>|/\\\"“”„«»•·…=*\t]+|\s[-–—]+\s|—")
_TITLE_PARTS: Final = re.compile(r"\s+[-–—|·:»]+\s+|\s*\|\s*")


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledPage:
    """What names are made from: a page with its text, one line for each piece of the layout."""

    title: str
    text: str
    language: str
    site: str


Term = tuple[str, ...]  # stems in their order


def label_groups(groups: Sequence[Sequence[LabelledPage]]) -> list[tuple[str, ...]]:
    """Return the typical terms of each group, best first.

    >>> def page(text): return LabelledPage(title="", text=text, language="en", site="")
    >>> bikes = [page("Hub gears last. All hub gears do."), page("A hub gear for hills")]
    >>> bread = [page("Bake the bread."), page("Breads we baked.")]
    >>> [terms[0] for terms in label_groups([bikes, bread])]
    ['hub gears', 'bread']
    """
    templates = _Templates.of(page for group in groups for page in group)
    read = [[_Words.of(page, templates) for page in group] for group in groups]
    weights = [_weights(group, lambda page: page.single()) for group in read]
    named = [_best(weights, place, _CONSIDERED) for place in range(len(groups))]
    phrased = [
        _weights(group, lambda page, known=set(names): page.phrases(known))  # type: ignore[misc]
        for group, names in zip(read, named, strict=True)
    ]
    return [
        _shown(read[place], _chosen(names, _scores(weights, place), weights[place], phrased, place))
        for place, names in enumerate(named)
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Templates:
    """The lines that stand on many pages of a site."""

    lines: Mapping[str, frozenset[str]]

    @classmethod
    def of(cls, pages: Iterable[LabelledPage]) -> "_Templates":
        counted: dict[str, Counter[str]] = defaultdict(Counter)
        many = Counter[str]()
        for page in pages:
            many[page.site] += 1
            counted[page.site].update(set(_lines(page)))
        return cls(
            lines={
                site: frozenset(
                    line for line, n in lines.items() if n >= max(_TEMPLATE_PAGES, _TEMPLATE * many[site])
                )
                for site, lines in counted.items()
            }
        )


def _lines(page: LabelledPage) -> Iterator[str]:
    yield from _title_parts(page)
    yield from (line.strip() for line in page.text[:_READ].splitlines())


def _title_parts(page: LabelledPage) -> list[str]:
    return [part.strip() for part in _TITLE_PARTS.split(page.title) if part.strip()]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Words:
    """The words of a page: in each piece of text, the stem of each word, and the places where words begin and end."""

    pieces: tuple[tuple[str, tuple[str, ...], tuple[tuple[int, int], ...], int], ...]

    @classmethod
    def of(cls, page: LabelledPage, templates: _Templates) -> "_Words":
        known, repeated = stems(one_language(page.language)), templates.lines[page.site]
        title = [(part, _TITLE) for part in _title_parts(page)]
        text = [(line, 1) for line in dict.fromkeys(line.strip() for line in page.text[:_READ].splitlines())]
        made = []
        for line, weight in (*title, *text):
            if line in repeated:
                continue
            for piece in _BREAK.split(line):
                places = tuple(found.span() for found in _WORD.finditer(piece))
                if places:
                    terms = tuple(known[piece[begin:end].casefold().encode()] for begin, end in places)
                    made.append((piece, terms, places, weight))
        return cls(pieces=tuple(made))

    def single(self) -> Iterator[tuple[Term, int]]:
        for _, terms, _, weight in self.pieces:
            for term in terms:
                if term and term != STOP:
                    yield (term,), weight

    def phrases(self, known: set[Term]) -> Iterator[tuple[Term, int]]:
        """Yield phrases that begin and end with known words; a stop word may stand between."""
        for first, last, (_, terms, _, weight) in self._spans(known):
            yield terms[first : last + 1], weight

    def _spans(self, known: set[Term]) -> Iterator[tuple[int, int, tuple[str, tuple[str, ...], object, int]]]:
        for piece in self.pieces:
            terms = piece[1]
            starts = [place for place, term in enumerate(terms) if (term,) in known]
            for first in starts:
                for last in range(first + 1, min(first + _PHRASE_WORDS, len(terms))):
                    if terms[last] == "":
                        break
                    if (terms[last],) in known or (last == first + 1 and terms[last] != STOP):
                        yield first, last, piece
            for last in starts:  # a known word with another before it: "New" in "New York"
                if last and terms[last - 1] not in ("", STOP) and (terms[last - 1],) not in known:
                    yield last - 1, last, piece

    def forms(self, term: Term) -> Iterator[str]:
        """Yield how a term is written here."""
        for piece, terms, places, _ in self.pieces:
            for first in range(len(terms) - len(term) + 1):
                if terms[first : first + len(term)] == term:
                    yield piece[places[first][0] : places[first + len(term) - 1][1]]


def _weights(pages: Sequence[_Words], terms_of: "object") -> dict[Term, float]:
    """Return of each term the share of pages that are about it: one place counts half a page, many nearly a whole."""
    total: dict[Term, float] = defaultdict(float)
    for page in pages:
        counted = Counter[Term]()
        for term, weight in terms_of(page):  # type: ignore[operator]
            counted[term] += weight
        for term, n in counted.items():
            total[term] += n / (n + 1)
    return {term: value / len(pages) for term, value in total.items()}


def _scores(weights: Sequence[Mapping[Term, float]], place: int) -> dict[Term, float]:
    """Return how typical each term is of a group, against the other groups."""
    others = [one for number, one in enumerate(weights) if number != place]
    found = {}
    for term, p in weights[place].items():
        q = sum(one.get(term, 0.0) for one in others) / len(others) if others else 0.0
        found[term] = p * math.log(p / (q + _OTHERS))
    return found


def _best(weights: Sequence[Mapping[Term, float]], place: int, most: int) -> list[Term]:
    scores = _scores(weights, place)
    return sorted(scores, key=lambda term: (-scores[term], term))[:most]


def _chosen(
    names: Sequence[Term],
    scores: Mapping[Term, float],
    weights: Mapping[Term, float],
    phrased: Sequence[Mapping[Term, float]],
    place: int,
) -> list[Term]:
    """Return the best terms, phrases in place of words that mostly stand in them; no word twice."""
    phrases = phrased[place]
    by_word: dict[str, list[Term]] = defaultdict(list)
    for phrase in phrases:
        for word in phrase:
            by_word[word].append(phrase)
    found: list[Term] = []
    used: set[str] = set()
    for name in names:
        if name[0] in used or scores[name] <= 0:
            continue
        fitting = [one for one in by_word[name[0]] if phrases[one] >= _PHRASE_SHARE * weights[name]]
        fitting = [one for one in fitting if used.isdisjoint(set(one) - {STOP})]
        chosen = max(fitting, key=lambda one: (phrases[one] * (1 + 0.5 * (len(one) - 2)), one), default=name)
        found.append(chosen)
        used.update(word for word in chosen if word != STOP)
        if len(found) == TERMS:
            break
    return found


def _shown(pages: Sequence[_Words], terms: Sequence[Term]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(commonest_form(form for page in pages for form in page.forms(term)) for term in terms))


def commonest_form(forms: Iterable[str]) -> str:
    """Return the commonest way to write a term; capitals only where it is hardly ever written without.

    >>> commonest_form(["Gears", "gears", "Gears", "gear"]), commonest_form(["DNA", "DNA", "Dna"])
    ('gears', 'DNA')
    """
    written = Counter(" ".join(form.split()) for form in forms)
    if not written:
        return ""
    folded = Counter[str]()
    for form, n in written.items():
        folded[form.casefold()] += n
    best = min(folded, key=lambda form: (-folded[form], form))
    ways = {form: n for form, n in written.items() if form.casefold() == best}
    small = best.lower() if best.lower() in ways else ""
    if small and ways[small] >= _CAPITALS * sum(ways.values()):
        return small
    return min(ways, key=lambda form: (-ways[form], form))
