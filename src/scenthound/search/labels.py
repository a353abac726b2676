"""Names for groups of pages: words and phrases that are typical of a group, in their commonest written form.

A term is typical if it stands on many pages of the group and on few of the others: p · log(p / q), its part of the
Kullback-Leibler divergence between the group and the rest. Terms are compared by their stems and shown as people write
them. Lines that a site repeats on many pages (menus, footers) say nothing and do not count.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cache
from typing import Final

from scenthound.parse.words.stems import STOP, stems
from scenthound.search.words import one_language

TERMS: Final = 8  # of a group
PAGES: Final = 30  # of a group, from which its name is made; 60 give the same names but for the last
_READ: Final = 6_000  # characters of a page
_TITLE: Final = 3  # a word of the title counts so many times
_HALF: Final = 1  # places of a term that make half a page about it
_USUAL_WORDS: Final = 500  # of a page, for the chance that a word of the language stands on any page
_CONSIDERED: Final = 60  # best words of a group, from which phrases are made
_PHRASE_SHARE: Final = 0.4  # a phrase stands for its word if so many of the word's places are in it
_LONGER: Final = 0.1  # by so much a phrase gains with each word
_PHRASE_WORDS: Final = 3
_MOST_PLACES: Final = 10  # of a term on one page
_CAPITALS: Final = 0.25  # a word is written small if so much of its places are
_TEMPLATE: Final = 0.3  # of a site's pages with a line, from which it is a template
_TEMPLATE_PAGES: Final = 3
_ELSEWHERE: Final = 0.02  # weight that any term has somewhere else; keeps rare names from leading
_TOKEN: Final = re.compile(r"([^\W_]+(?:['’][^\W_]+)*[+#]*)([^\w]*)")
_JOINTS: Final = frozenset((" ", "-", "\u00a0", "\u2010"))  # between the words of a phrase
_TITLE_PARTS: Final = re.compile(r"\s+[-–—|·:»]+\s+|\s*\|\s*")

Term = tuple[str, ...]  # stems in their order
Weights = Mapping[Term, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledPage:
    """What names are made from: a page with its text, one line for each piece of the layout."""

    title: str
    text: str
    language: str
    site: str

    @property
    def titles(self) -> list[str]:
        """The parts of the title; one of them is often the name of the site."""
        return [part.strip() for part in _TITLE_PARTS.split(self.title) if part.strip()]

    @property
    def lines(self) -> list[str]:
        """The lines of the text, each once."""
        return list(dict.fromkeys(line.strip() for line in self.text[:_READ].splitlines()))


def label_groups(groups: Sequence[Sequence[LabelledPage]]) -> list[tuple[str, ...]]:
    """Return the typical terms of each group, best first.

    >>> def page(text): return LabelledPage(title="", text=text, language="en", site="")
    >>> bikes = [page("Hub gears last. All hub gears do."), page("A hub gear for hills")]
    >>> bread = [page("Bake the bread."), page("Breads rise.")]
    >>> [terms[0] for terms in label_groups([bikes, bread])]
    ['hub gears', 'Bake the bread']
    """
    templates = _templates(page for group in groups for page in group)
    read = [[_Words.of(page, templates[page.site]) for page in group] for group in groups]
    counted = [[page.terms() for page in group] for group in read]
    weights = [_weights(group) for group in counted]
    found = []
    for place, pages in enumerate(read):
        scores = _scores(weights, place, _usual(pages))
        words = sorted(scores, key=lambda term: (-scores[term], term))[:_CONSIDERED]
        words = [word for word in words if scores[word] > 0]
        known = {word[0] for word in words}
        phrases = _places(page.phrases(known) for page in pages)
        found.append(_written(pages, _chosen(words, _places(counted[place]), phrases)))
    return found


def _templates(pages: Iterable[LabelledPage]) -> dict[str, frozenset[str]]:
    """Return of each site the lines that stand on many of its pages."""
    counted: dict[str, Counter[str]] = defaultdict(Counter)
    many = Counter[str]()
    for page in pages:
        many[page.site] += 1
        counted[page.site].update({*page.titles, *page.lines})
    least = {site: max(_TEMPLATE_PAGES, _TEMPLATE * n) for site, n in many.items()}
    return {site: frozenset(line for line, n in lines.items() if n >= least[site]) for site, lines in counted.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Words:
    """The words of a page in order, as written and as stems; those of the title come first.

    `gaps` is what stands behind each word.
    """

    language: str
    written: Sequence[str]
    stems: Sequence[str]
    gaps: Sequence[str]
    title: int

    @classmethod
    def of(cls, page: LabelledPage, templates: Set[str]) -> "_Words":
        known = stems(one_language(page.language))
        title, text = (
            _TOKEN.findall("\n".join(line for line in lines if line not in templates) + "\n")
            for lines in (page.titles, page.lines)
        )
        tokens = [*title, *text]
        return cls(
            language=one_language(page.language),
            written=[word for word, _ in tokens],
            stems=[known[word.lower().encode("utf-8", "replace")] for word, _ in tokens],
            gaps=[gap for _, gap in tokens],
            title=len(title),
        )

    def terms(self) -> Counter[Term]:
        """Count the words; in scripts without blanks, pairs of characters."""
        counted = Counter(self.stems)
        for stem in self.stems[: self.title]:
            counted[stem] += _TITLE - 1
        del counted[STOP], counted[""]
        found = Counter[Term]()
        for stem, n in counted.items():
            for part in stem.split():
                found[(part,)] += n
        return found

    def phrases(self, known: Set[str]) -> Counter[Term]:
        """Count phrases with a known word at an end, which neither begin nor end with a stop word."""
        spans = {span for place, stem in enumerate(self.stems) if stem in known for span in _ends(place)}
        found = Counter[Term]()
        for first, last in spans:
            if self._joined(first, last):
                found[tuple(self.stems[first : last + 1])] += _TITLE if last < self.title else 1
        return found

    def _joined(self, first: int, last: int) -> bool:
        if first < 0 or last >= len(self.stems) or not self.is_joined(first, last):
            return False
        ends = (self.stems[first], self.stems[last])
        return not any(end in ("", STOP) or " " in end for end in ends) and "" not in self.stems[first:last]

    def is_joined(self, first: int, last: int) -> bool:
        return all(gap in _JOINTS for gap in self.gaps[first:last])

    def forms(self, wanted: Mapping[str, Sequence[Term]]) -> Iterator[tuple[Term, str]]:
        """Yield how terms are written here; `wanted` has them by their first stem."""
        for place, stem in enumerate(self.stems):
            for term in wanted.get(stem, ()):
                last = place + len(term) - 1
                if len(term) == 1 or (tuple(self.stems[place : last + 1]) == term and self.is_joined(place, last)):
                    yield term, self._piece(place, last)

    def _piece(self, first: int, last: int) -> str:
        inner = zip(self.written[first:last], self.gaps[first:last], strict=True)
        return "".join(word + gap for word, gap in inner) + self.written[last]


def _ends(place: int) -> Iterator[tuple[int, int]]:
    """Yield the first and the last place of phrases that begin or end at a place."""
    for more in range(1, _PHRASE_WORDS):
        yield place, place + more
        yield place - more, place


def _weights(pages: Iterable[Counter[Term]]) -> dict[Term, float]:
    """Return of each term the share of pages that are about it, a page with few places of it counting in part."""
    total: dict[Term, float] = defaultdict(float)
    many = 0
    for counted in pages:
        many += 1
        for term, n in counted.items():
            total[term] += n / (n + _HALF)
    return {term: value / many for term, value in total.items()}


def _places(pages: Iterable[Counter[Term]]) -> Counter[Term]:
    """Count the places of each term on all pages; one page has only so much to say."""
    found = Counter[Term]()
    for counted in pages:
        for term, n in counted.items():
            found[term] += min(n, _MOST_PLACES)
    return found


def _usual(pages: Sequence[_Words]) -> dict[str, float]:
    """Return the weight of each word on any page of its language: "used" is typical of nothing."""
    forms: dict[str, str] = {}
    for page in pages:
        forms.update(zip(page.stems, page.written, strict=True))
    language = Counter(page.language for page in pages).most_common(1)[0][0] or "en"
    often = _frequencies(language)
    return {stem: 1 - (1 - often.get(form.lower(), 0.0)) ** _USUAL_WORDS for stem, form in forms.items()}


def _scores(weights: Sequence[Weights], place: int, usual: Mapping[str, float]) -> dict[Term, float]:
    """Return how typical each term is of a group, against the other groups and against the language."""
    others = [one for number, one in enumerate(weights) if number != place]
    found = {}
    for term, weight in weights[place].items():
        elsewhere = sum(one.get(term, 0.0) for one in others) / max(1, len(others))
        anywhere = usual.get(term[0], 0.0) / (1 + _HALF)
        found[term] = weight * math.log(weight / (elsewhere + anywhere + _ELSEWHERE))
    return found


def _chosen(words: Sequence[Term], places: Mapping[Term, int], phrases: Mapping[Term, int]) -> list[Term]:
    """Return the best terms, with phrases in place of words that mostly stand in them; no word comes twice."""
    having: dict[str, list[Term]] = defaultdict(list)
    for phrase in phrases:
        for stem in phrase:
            having[stem].append(phrase)
    found: list[Term] = []
    used: set[str] = set()
    for word in words:
        if word[0] in used:
            continue
        fitting = [
            one
            for one in having[word[0]]
            if phrases[one] >= _PHRASE_SHARE * places[word] and used.isdisjoint(set(one) - {STOP})
        ]
        chosen = max(fitting, key=lambda one: (phrases[one] * (1 + _LONGER * len(one)), one), default=word)
        found.append(chosen)
        used.update(set(chosen) - {STOP})
        if len(found) == TERMS:
            break
    return found


def _written(pages: Sequence[_Words], terms: Sequence[Term]) -> tuple[str, ...]:
    """Return terms as these pages write them."""
    wanted: dict[str, list[Term]] = defaultdict(list)
    for term in terms:
        wanted[term[0]].append(term)
    forms: dict[Term, list[str]] = defaultdict(list)
    for page in pages:
        for term, form in page.forms(wanted):
            forms[term].append(form)
    return tuple(dict.fromkeys(commonest_form(forms[term]) if forms[term] else " ".join(term) for term in terms))


@cache
def _frequencies(language: str) -> Mapping[str, float]:
    import wordfreq  # the import takes a quarter of a second

    known = wordfreq.available_languages("small")
    return dict(wordfreq.get_frequency_dict(language, wordlist="small")) if language in known else {}


def commonest_form(forms: Iterable[str]) -> str:
    """Return the commonest way to write a term; capitals only where it is hardly ever written without.

    >>> commonest_form(["Gears", "gears", "Gears", "gear"]), commonest_form(["DNA", "DNA", "Dna"])
    ('gears', 'DNA')
    """
    written = Counter(" ".join(form.split()) for form in forms)
    alike: dict[str, Counter[str]] = defaultdict(Counter)
    for form, n in written.items():
        alike[form.lower()][form] += n
    small, ways = min(alike.items(), key=lambda item: (-item[1].total(), item[0]))
    if ways[small] >= _CAPITALS * ways.total():
        return small
    return min(ways, key=lambda form: (-ways[form], form))
