"""The text that a site repeats on its pages (menus, footers, licence lines, its name), which is not the topic.

For each host with enough known pages, a term's *floor* is the count that nearly all of them reach. The critic subtracts
it from every page of that host. A topic word that is also in the menu keeps its count in the page itself. Inverse
document frequency within the host would take that away: on a site about sailing every page says "sail".
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, repeat
from math import ceil
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from scenthound.judge.critic import Page
from scenthound.parse.words.terms import Counts, Terms

# Number of pages that teach the template of a host: fewer than _FEWEST say too little, more than _MOST add nothing.
_FEWEST: Final = 5
_MOST: Final = 40
_NEARLY_ALL: Final = 0.9
_ZONES: Final = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Floor:
    """The template of one host: the row of each of its terms in `counts`, whose columns are title, main, rest
    and headings.

    Row 0 is for terms outside the template.
    """

    places: Mapping[str, int]
    counts: NDArray[np.uint16]

    def cleaned(self, terms: Terms) -> Terms:
        """Return terms without the counts of the template."""
        rows = self.counts[np.fromiter(map(self.places.get, terms.terms, repeat(0)), np.int64, len(terms))]
        return replace(
            terms,
            title=_less(terms.title, rows[:, 0]),
            main=_less(terms.main, rows[:, 1]),
            rest=_less(terms.rest, rows[:, 2]),
            headings=_less(terms.headings, rows[:, 3]) if len(terms.headings) else terms.headings,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Templates:
    """The templates of all hosts with enough known pages."""

    floors: Mapping[str, Floor]

    def clean(self, pages: Sequence[Page]) -> list[Page]:
        """Return pages without the repeated text of their sites; a page of an unknown site stays unchanged."""
        return [self._cleaned(page) for page in pages]

    def _cleaned(self, page: Page) -> Page:
        floor = self.floors.get(page.site) if self.floors else None
        return page if floor is None else replace(page, terms=floor.cleaned(page.terms))

    def as_model(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """Return facts and arrays to save."""
        terms = {host: list(floor.places) for host, floor in self.floors.items()}
        counts = [floor.counts[1:] for floor in self.floors.values()]
        return {"templates": terms}, {"floors": np.concatenate([np.zeros((0, _ZONES), dtype=np.uint16), *counts])}

    @classmethod
    def of_model(cls, facts: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Self:
        """Restore the result of `as_model`."""
        rows, floors = iter(arrays["floors"]), {}
        for host, terms in facts["templates"].items():
            floors[host] = _floor(terms, [next(rows) for _ in terms])
        return cls(floors=floors)


NO_TEMPLATES: Final = Templates(floors={})


def learn_templates(pages: Sequence[Page]) -> Templates:
    """Learn the template of each host with enough pages here; ignore pages beyond the first few of a host.

    >>> from scenthound.parse.words.page_terms import terms_of_text
    >>> words = ("one", "two", "den", "fish", "otter")
    >>> said = [terms_of_text(f"otter {word} licence", language="en") for word in words]
    >>> pages = [Page(url=f"http://a.example/{number}", terms=terms) for number, terms in enumerate(said)]
    >>> [page] = learn_templates(pages).clean(pages[4:])
    >>> dict(zip(page.terms.terms, page.terms.main.tolist()))
    {'otter': 1, 'licenc': 0}
    """
    by_host: defaultdict[str, list[Terms]] = defaultdict(list)
    for page in pages:
        if (site := page.site) and len(found := by_host[site]) < _MOST:
            found.append(page.terms)
    floors = {host: _learnt(known) for host, known in by_host.items() if len(known) >= _FEWEST}
    return Templates(floors={host: floor for host, floor in floors.items() if floor is not None})


def _learnt(pages: Sequence[Terms]) -> Floor | None:
    need = ceil(_NEARLY_ALL * len(pages))
    spread = Counter(chain.from_iterable(terms.terms for terms in pages))
    common = {term: place for place, term in enumerate(sorted(term for term, n in spread.items() if n >= need))}
    if not common:
        return None
    counts = np.zeros((len(pages), len(common), _ZONES), dtype=np.uint16)
    for number, terms in enumerate(pages):
        places = np.fromiter(map(common.get, terms.terms, repeat(-1)), np.int64, len(terms))
        there = places >= 0
        for zone, found in enumerate((terms.title, terms.main, terms.rest, terms.headings)):
            if len(found):
                counts[number, places[there], zone] = found[there]
    floor = np.sort(counts, axis=0)[len(pages) - need]
    kept = floor.any(axis=1)
    return _floor([term for term, keep in zip(common, kept, strict=True) if keep], floor[kept]) if kept.any() else None


def _floor(terms: Sequence[str], rows: Sequence[NDArray[np.uint16]] | NDArray[np.uint16]) -> Floor:
    kept = np.asarray(rows, dtype=np.uint16).reshape(len(terms), -1)
    counts = np.zeros((len(terms) + 1, _ZONES), dtype=np.uint16)
    counts[1:, : kept.shape[1]] = kept  # critics of earlier versions know no headings
    return Floor(places={term: place for place, term in enumerate(terms, 1)}, counts=counts)


def _less(counts: Counts, floor: Counts) -> Counts:
    return counts - np.minimum(counts, floor)
