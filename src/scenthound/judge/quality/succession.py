"""Whether a new critic may take over: it is compared with the current one first.

Both are tested on good examples and on pages off topic that neither had seen (`held_back`). The report counts the
changes to the crawled pages and shows the pages that change most, so that nobody is surprised.
"""

import heapq
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from scenthound.judge.quality.tried import ON_TOPIC, Tried

_NAMED: Final = 10
# How much relevance good examples may lose, or pages off topic gain, before a critic counts as worse: with eight
# examples each is worth an eighth, and a change of two is chance.
_TOLERATED: Final = 0.3


@dataclass(frozen=True, slots=True, kw_only=True)
class Turned:
    """A crawled page whose relevance changes."""

    url: str
    title: str
    before: float
    after: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Succession:
    """The effect of a new critic on the crawled pages, and why it is worse, if it is."""

    before: int  # pages on topic before
    after: int
    pages: int
    turned: tuple[Turned, ...]
    worse: str = ""

    @property
    def said(self) -> str:
        """The effect in one line.

        >>> Succession(before=256, after=240, pages=300, turned=()).said
        'pages on topic: 256 before, 240 now, of 300'
        """
        return f"pages on topic: {self.before:,} before, {self.after:,} now, of {self.pages:,}"


def succession(pages: Iterable[Turned], *, worse: str = "") -> Succession:
    """Count the changes.

    >>> pages = [Turned(url="a", title="", before=0.9, after=0.2), Turned(url="b", title="", before=0.4, after=0.45)]
    >>> found = succession(pages)
    >>> found.before, found.after, [page.url for page in found.turned]
    (1, 0, ['a', 'b'])
    """
    before = after = count = 0
    most: list[tuple[float, int, Turned]] = []
    for count, page in enumerate(pages, 1):
        before += page.before >= ON_TOPIC
        after += page.after >= ON_TOPIC
        entry = (abs(page.after - page.before), -count, page)
        if len(most) < _NAMED:
            heapq.heappush(most, entry)
        else:
            heapq.heappushpop(most, entry)
    turned = tuple(page for change, _, page in sorted(most, key=lambda one: one[:2], reverse=True) if change > 0)
    return Succession(before=before, after=after, pages=count, turned=turned, worse=worse)


def why_worse(old: Tried, new: Tried) -> str:
    """Say why a new critic is worse than the current one; "" if it is not, or if this is unknown.

    >>> why_worse(Tried(good=0.9, off_topic=0.1), Tried(good=0.5, off_topic=0.1))
    'good examples held back have a relevance of 0.50, and 0.90 with the critic in charge'
    >>> why_worse(Tried(good=0.9), Tried(good=0.85))
    ''
    """
    if old.good is not None and new.good is not None and new.good < old.good - _TOLERATED:
        return _said("good examples", new.good, old.good)
    if old.off_topic is not None and new.off_topic is not None and new.off_topic > old.off_topic + _TOLERATED:
        return _said("pages off topic", new.off_topic, old.off_topic)
    return ""


def _said(what: str, new: float, old: float) -> str:
    return f"{what} held back have a relevance of {new:.2f}, and {old:.2f} with the critic in charge"
