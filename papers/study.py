"""What a study of a paper's figure is: what the paper says, what we measure, and the two side by side, point by point.

A study measures in one world at a time and then puts its numbers into words. The words are made by code from the
numbers; only what the paper says and our guesses at reasons are written by hand, and guesses are marked as such.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from papers.crawls import WorldCrawls
from papers.sketch import Sketch

M = TypeVar("M")  # what a study measures


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """What a study is about. `how` says how ours was made, and where that departs from the paper."""

    name: str
    title: str
    figures: str
    asks: str
    how: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """One thing that a paper says, what we find, and whether that is the same; `guess` is why it may not be.

    `agrees` is None where we have too little to tell.
    """

    paper: str
    ours: str
    agrees: bool | None
    guess: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What a study found in one world."""

    said: str
    points: tuple[Point, ...]
    sketches: tuple[Sketch, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Study(Generic[M]):
    """A study: `measure` gives None where a world does not have what is measured; `tell` puts numbers into words.

    With `guided`, it needs crawls that apprentices guide.
    """

    about: About
    measure: Callable[[WorldCrawls], M | None]
    tell: Callable[[M], Found]
    guided: bool = False

    def found(self, crawls: WorldCrawls) -> Found | None:
        """Return what the study finds in a world."""
        measured = self.measure(crawls)
        return None if measured is None else self.tell(measured)
