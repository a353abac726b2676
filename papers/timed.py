"""Studies that run when they are named: those of what a paper measured in time, and those that crawl by themselves.

The first kind makes up what it measures on. The page about all experiments leaves both out: it is the same whenever it
is made, and times never are.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from papers.study import About, Found

M = TypeVar("M")  # what a study measures

MADE_UP: Final = "made-up data"  # what stands where other studies name their world


@dataclass(frozen=True, slots=True, kw_only=True)
class Timed(Generic[M]):
    """A study: `measure` takes whether a quick run will do; `tell` puts numbers into words."""

    about: About
    measure: Callable[[bool], M]
    tell: Callable[[M], Found]
    where: str = MADE_UP

    def found(self, *, quick: bool) -> Found:
        """Return what the study finds now, on this machine."""
        return self.tell(self.measure(quick))
