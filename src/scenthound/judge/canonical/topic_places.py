"""Where an interest belongs: the topics that hold most of the example pages, to mark as good (FOCUS §2.1).

A page falls into its most likely class and into every topic above it. The proposal is the lowest topic that still holds
most of the pages, then the same for the remaining pages.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from scenthound.judge.critic import Page, Probabilities
from scenthound.taxonomy import OTHERS, Topics, ancestors

_WORTH_MARKING: Final = 0.2  # a topic with a smaller share of the pages is shown but not proposed

Flags = NDArray[np.bool_]


class Sorter(Protocol):
    """Anything that sorts pages into classes: a critic, or the canonical topic tree."""

    @property
    def classes(self) -> tuple[str, ...]: ...

    def judge(self, pages: Sequence[Page]) -> Probabilities: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A topic and how well pages fit there.

    `holds` of the `of` pages fall into it or below it; `probability` is the mean of Pr(topic or below) over all pages.
    `mark` proposes to mark it as good: no topic with a mark is above another. `good` says that it is good already. The
    path OTHERS means no topic.
    """

    path: str
    holds: int
    of: int
    probability: float
    mark: bool = False
    good: bool = False
    urls: tuple[str, ...] = ()

    @property
    def share(self) -> float:
        return self.holds / self.of


def places(critic: Sorter, pages: Sequence[Page], *, most: int = 5) -> tuple[Place, ...]:
    """Return the topics that hold most pages: first those to mark as good, then the next best.

    Pages without any term are ignored.
    """
    pages = [page for page in pages if len(page.terms) or page.text]
    if not pages:
        return ()
    nodes = nodes_over(critic.classes)
    probabilities = critic.judge(pages)
    inside = holding(critic.classes, nodes)
    falls = inside[probabilities.argmax(axis=1)]
    means = (probabilities @ inside).mean(axis=0)
    marked = _proposals(nodes, falls, means)
    order = marked + [node for node in _by_share(falls, means) if node not in marked]
    return tuple(
        Place(
            path=nodes[node],
            holds=int(falls[:, node].sum()),
            of=len(pages),
            probability=float(means[node]),
            mark=node in marked,
            urls=tuple(page.url for page, here in zip(pages, falls[:, node], strict=True) if here),
        )
        for node in order[:most]
    )


def without_good(found: Sequence[Place], topics: Topics) -> tuple[Place, ...]:
    """Say which places are good already, so that they are not proposed.

    >>> from scenthound.taxonomy import Topic
    >>> topics = Topics(topics=(Topic(path="Sport", good=True),))
    >>> [place] = without_good([Place(path="Sport/Golf", holds=8, of=10, probability=0.75, mark=True)], topics)
    >>> place_words([place])
    ['Sport/Golf: 8 of 10 pages fall here, with a probability of .75 on average. It is good already.']
    """
    return tuple(replace(one, good=True, mark=False) if topics.is_good(one.path) else one for one in found)


def place_words(found: Sequence[Place]) -> list[str]:
    """Describe the places and what to mark, one line each.

    >>> cycling = Place(path="Sport/Cycling", holds=8, of=10, probability=0.75, mark=True)
    >>> place_words([cycling, Place(path="Arts", holds=2, of=10, probability=0.1)])[0]
    'Sport/Cycling: 8 of 10 pages fall here, with a probability of .75 on average. Mark it good.'
    >>> place_words([])
    ['None of the pages could be judged: give at least one that has text.']
    """
    if not found:
        return ["None of the pages could be judged: give at least one that has text."]
    lines = [_line(place, found) for place in found]
    if not any(place.mark or place.good for place in found):
        lines.append("No topic holds enough of the pages to be proposed: give them a topic of their own.")
    return lines


def _line(place: Place, found: Sequence[Place]) -> str:
    fall = f"{place.holds} of {place.of} pages fall here"
    if place.path == OTHERS:
        return f"No topic: {fall}. If they are what you look for, give them a topic of their own."
    mean = f"{place.probability:.2f}".removeprefix("0")
    return f"{place.path}: {fall}, with a probability of {mean} on average. {_advice(place, found)}"


def _advice(place: Place, found: Sequence[Place]) -> str:
    if place.good:
        return "It is good already."
    if place.mark:
        return "Mark it good."
    marked = [other.path for other in found if other.mark]
    if any(path.startswith(place.path + "/") for path in marked):
        return "Mark it instead of what is proposed below it if you want more, and less exact."
    if any(place.path.startswith(path + "/") for path in marked):
        return "Mark it instead of the topic above if you want less, and more exact."
    return "Mark it too if you want such pages."


def _proposals(nodes: Sequence[str], falls: Flags, means: NDArray[np.float64]) -> list[int]:
    """Choose the lowest topic that holds more than half of the pages, then again for the rest; no nesting."""
    free = np.array([node != OTHERS for node in nodes])
    left = np.ones(len(falls), dtype=np.bool_)
    chosen: list[int] = []
    while free.any() and left.any():
        held = np.where(free, falls[left].sum(axis=0), 0)
        best = _lowest(nodes, held, means, enough=left.sum() / 2)
        if falls[:, best].mean() < _WORTH_MARKING or not held[best]:
            break
        chosen.append(best)
        left &= ~falls[:, best]
        free &= np.array([not _on_one_path(node, nodes[best]) for node in nodes])
    return chosen


def _lowest(nodes: Sequence[str], held: NDArray[np.int64], means: NDArray[np.float64], *, enough: float) -> int:
    """Return the lowest topic that holds more than enough; if none does, the one that holds most."""
    wide = [node for node in range(len(nodes)) if held[node] > enough]
    if wide:
        return max(wide, key=lambda node: (len(ancestors(nodes[node])), held[node], means[node]))
    return max(range(len(nodes)), key=lambda node: (held[node], len(ancestors(nodes[node])), means[node]))


def _by_share(falls: Flags, means: NDArray[np.float64]) -> list[int]:
    """Sort the topics that hold any page, the fullest first."""
    held = falls.sum(axis=0)
    return sorted(np.flatnonzero(held).tolist(), key=lambda node: (-held[node], -means[node]))


def _on_one_path(one: str, other: str) -> bool:
    return one == other or one.startswith(other + "/") or other.startswith(one + "/")


def nodes_over(classes: Sequence[str]) -> tuple[str, ...]:
    """Return the classes and all topics above them, parents first.

    >>> nodes_over(("Sport/Golf", "Sport", ""))
    ('Sport', 'Sport/Golf', '')
    """
    return tuple(dict.fromkeys(path for each in classes for path in (*ancestors(each), each)))


def holding(classes: Sequence[str], nodes: Sequence[str]) -> Flags:
    """Return which class (row) lies in which topic (column), that is equal to it or below it.

    >>> holding(("Sport/Golf", "Sport", ""), ("Sport", "Sport/Golf", "")).astype(int).tolist()
    [[1, 1, 0], [1, 0, 0], [0, 0, 1]]
    """
    inside = [[each == node or _below(each, node) for node in nodes] for each in classes]
    return np.array(inside, dtype=np.bool_).reshape(len(classes), len(nodes))


def _below(path: str, node: str) -> bool:
    return node != OTHERS and path.startswith(node + "/")
