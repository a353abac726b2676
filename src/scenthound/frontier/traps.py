"""Crawler traps, damped by what they yield rather than forbidden by how they look.

URLs of one shape on one host (the same address but for numbers, tokens and repetitions) are counted: how many were
fetched, how many of these brought a page not seen before. A shape that keeps bringing the same page sinks behind
everything else on its host, and is closed when nothing new has come for long. A shape that looks like a known trap
(a path that repeats itself, a calendar) sinks sooner. Each verdict says in words on what it rests.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from scenthound.parse.shapes import suspicion as suspicion_of
from scenthound.store.rules import WHOLE_HOST
from scenthound.types import ShapeYield

Lookup = Callable[[Sequence[tuple[str, str]]], dict[tuple[str, str], ShapeYield]]

# A shape is not judged before this many fetches: an honest site may have a few copies side by side.
TRIAL = 8
# Below this share of new pages a shape sinks by one step, and again below each quarter of it.
POOR = 0.5
# A shape is closed when it has been fetched this often and no more than this share was new.
CLOSE_AFTER = 30
HOPELESS = 0.1
# A shape that also looks like a trap is closed after this many fetches unless most of them were new; the demo web's
# calendar makes pages that differ in their dates, and each of them counts as new.
SUSPECT_CLOSE_AFTER = 60
# A whole host is closed when it has been fetched this often and hardly anything was new: a site that answers every
# address with the same apology makes as many shapes as addresses.
HOST_CLOSE_AFTER = 100
HOST_HOPELESS = 0.05
CACHED = 200_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """How far a URL sinks behind the others of its host, whether it is closed, and why."""

    demoted: int = 0
    closed: bool = False
    detail: str = ""


CLEAR = Verdict()
NOTHING_SEEN = ShapeYield()


def judge(shape: str, seen: ShapeYield, suspicion: str) -> Verdict:
    """Give the verdict on a URL from what its shape has yielded.

    >>> judge("/a/#", ShapeYield(fetched=5, novel=0), "")
    Verdict(demoted=0, closed=False, detail='')
    >>> judge("/cal/#/#", ShapeYield(fetched=40, novel=2), "").detail
    'closed: of 40 pages fetched like /cal/#/# only 2 were new'
    """
    if seen.fetched >= CLOSE_AFTER and seen.novel <= HOPELESS * seen.fetched:
        return Verdict(demoted=3, closed=True, detail=_words("closed", shape, seen))
    if suspicion and seen.fetched >= SUSPECT_CLOSE_AFTER:
        return Verdict(
            demoted=3, closed=True, detail=f"closed: {suspicion}; {seen.fetched} pages like {shape} are enough"
        )
    steps = _steps(seen) + (1 if suspicion else 0)
    if not steps:
        return CLEAR
    detail = f"{suspicion}: put behind the host's other pages" if suspicion else _words("damped", shape, seen)
    return Verdict(demoted=min(3, steps), detail=detail)


def _steps(seen: ShapeYield) -> int:
    if seen.fetched < TRIAL:
        return 0
    share = seen.novel / seen.fetched
    return 0 if share >= POOR else 1 if share >= POOR / 4 else 2


def _words(verb: str, shape: str, seen: ShapeYield) -> str:
    return f"{verb}: of {seen.fetched} pages fetched like {shape} only {seen.novel} were new"


class Traps:
    """The yields of shapes, read from the store once and kept up to date as outcomes are recorded."""

    def __init__(self, lookup: Lookup) -> None:
        self._lookup = lookup
        self._known: dict[tuple[str, str], ShapeYield] = {}
        self._suspicions: dict[str, str] = {}  # of a shape: all its URLs look alike

    def prepare(self, keys: Sequence[tuple[str, str]]) -> None:
        """Read the yields of (host, shape) pairs that are not known yet, in one go."""
        hosts = [(host, WHOLE_HOST) for host in {host for host, _ in keys}]
        missing = [key for key in dict.fromkeys([*keys, *hosts]) if key not in self._known]
        if not missing:
            return
        if len(self._known) > CACHED:
            self._known.clear()
        found = self._lookup(missing)
        for key in missing:
            self._known[key] = found.get(key, ShapeYield())

    def verdict(self, host: str, shape: str, url: str) -> Verdict:
        """Judge a URL; its yields must have been prepared."""
        suspicion = self._suspicions.get(shape)
        if suspicion is None:
            if len(self._suspicions) > CACHED:
                self._suspicions.clear()
            suspicion = self._suspicions[shape] = suspicion_of(url)
        everything = self._known.get((host, WHOLE_HOST), NOTHING_SEEN)
        if everything.fetched >= HOST_CLOSE_AFTER and everything.novel <= HOST_HOPELESS * everything.fetched:
            return Verdict(demoted=3, closed=True, detail=_words("closed", f"any on {host}", everything))
        seen = self._known.get((host, shape), NOTHING_SEEN)
        if seen.fetched < TRIAL and not suspicion:
            return CLEAR
        return judge(shape, seen, suspicion)

    def forget(self) -> None:
        """Read all yields again: other engines may have counted pages."""
        self._known.clear()

    def learn(self, host: str, shape: str, *, novel: bool) -> None:
        """Count one more fetched page of a shape."""
        for key in ((host, shape), (host, WHOLE_HOST)):
            seen = self._known.get(key)
            if seen is not None:
                self._known[key] = ShapeYield(fetched=seen.fetched + 1, novel=seen.novel + novel)
