"""Lessons without empty and repeated examples.

`twins` finds pages that say nearly the same. With twins, an example would count twice, and the critic would know a
held-out example from its twin.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain
from math import ceil
from typing import Final

from scenthound.errors import TopicsError
from scenthound.judge.critic import Example, Lessons, Page
from scenthound.judge.models.bags import counts_of
from scenthound.parse.words.terms import Terms

SAME: Final = 0.9  # minimum Jaccard similarity of twins


@dataclass(frozen=True, slots=True, kw_only=True)
class Twin:
    """An example that says nearly the same as an earlier one, of the same topic (redundant) or of another (a
    contradiction).
    """

    topic: str
    name: str
    same_as: str
    same_topic: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Distinct:
    """Lessons without empty and repeated examples, the group of twins of each example, and the twins found."""

    lessons: Lessons
    groups: tuple[int, ...]
    twins: tuple[Twin, ...]
    empty: tuple[str, ...]


def distinct(lessons: Lessons) -> Distinct:
    empty = [example for example in lessons.examples if _is_empty(example)]
    full = [example for example in lessons.examples if not _is_empty(example)]
    if not full:
        raise TopicsError("no topic has an example with text in it: add pages that are about what you look for")
    kept: list[tuple[int, Example]] = []
    pairs: list[Twin] = []
    met: dict[int, dict[str, Example]] = {}
    for example, group in zip(full, twins([example.page for example in full]), strict=True):
        before = met.setdefault(group, {})
        if before:
            pairs.append(_twin(example, before.get(example.topic) or next(iter(before.values()))))
        if example.topic not in before:
            before[example.topic] = example
            kept.append((group, example))
    return Distinct(
        lessons=replace(lessons, examples=tuple(example for _, example in kept)),
        groups=tuple(group for group, _ in kept),
        twins=tuple(pairs),
        empty=tuple(example.name for example in empty),
    )


def _is_empty(example: Example) -> bool:
    return not len(example.page.terms) and not example.page.text


def _twin(example: Example, first: Example) -> Twin:
    return Twin(topic=example.topic, name=example.name, same_as=first.name, same_topic=first.topic)


def twins(pages: Sequence[Page], *, same: float = SAME) -> tuple[int, ...]:
    """Return for each page the index of the first one that says nearly the same: its own index if there is none.

    Two pages are twins if the Jaccard similarity of their `sayings` is at least `same`. Such a pair must share one of
    its few rarest sayings (prefix filtering: Chaudhuri, Ganti, Kaushik, ICDE 2006), so the search compares hardly any
    pair. A page without terms has no twin.
    """
    said = [sayings(page.terms) for page in pages]
    often = Counter(chain.from_iterable(said))
    rank = {saying: number for number, (saying, _) in enumerate(reversed(often.most_common()))}
    holders: dict[int, list[int]] = {}
    firsts = []
    for place, its in enumerate(said):
        rarest = sorted(map(rank.__getitem__, its))[: len(its) - ceil(same * len(its)) + 1]
        met = {holder for number in rarest for holder in holders.get(number, ())}
        as_long = (holder for holder in met if same * len(its) <= len(said[holder]) <= len(its) / same)
        first = min((holder for holder in as_long if jaccard(said[holder], its) >= same), default=place)
        firsts.append(first)
        if first == place:
            for number in rarest:
                holders.setdefault(number, []).append(place)
    return tuple(firsts)


def sayings(terms: Terms) -> frozenset[str]:
    """Return the content of a page as a set: each term, plus one entry if it occurs twice, four times, eight times …

    With the bare terms, any two long pages in a small vocabulary would be the same.

    >>> from scenthound.parse.words.page_terms import terms_of_text
    >>> sorted(sayings(terms_of_text("otter otter otter fish", language="en")))
    ['fish', 'otter', 'otter 1']
    """
    counts = spoken(terms)
    often = ((term, int(count).bit_length()) for term, count in counts.items() if count > 1)
    return frozenset(chain(counts, (f"{term} {level}" for term, levels in often for level in range(1, levels))))


def jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    common = len(one & other)
    return common / (len(one) + len(other) - common)


def spoken(terms: Terms) -> dict[str, float]:
    """Return the count of each term in title and main text; a page without main text counts as a whole."""
    counts = counts_of(terms, text="main").tolist()
    return {term: count for term, count in zip(terms.terms, counts, strict=True) if count}
