"""The reasons for and against a link, kept in a few bytes and put into words: "its host has yielded 4 of 6 +0.8"."""

from typing import Final

import numpy as np

from scenthound.apprentice.memory.ground import Citations, Floats, Ground, Ints
from scenthound.apprentice.model import Part
from scenthound.apprentice.reason_numbers import FACTS, NAMES
from scenthound.apprentice.scents import Gather

OWN_WORDS: Final = "the words of the link"
AROUND: Final = "the words around it"
# What belongs together is said together; in the order in which it is asked for when two weigh the same.
_GROUPS: Final = {
    "merit": ("page", "best page", "merits"),
    "own": ("meaning", "length"),
    "around": ("context", "near", "around"),
    "address": ("address",),
    "neighbours": ("neighbours",),
    "host": ("host",),
    "folder": ("folder",),
    "place": ("place",),
    "citing": ("citing",),
    "hub": ("hub",),
}
_LEAST: Final = 0.05  # log-odds: less is not worth a word


def keep(ground: Ground, urls: Ints, citations: Citations, parts: Floats, *, lead: float) -> list[bytes]:
    """Return what the scores of URLs are made of, number by number, with the facts that are needed to tell it.

    `lead` is the weight of the apprentice against best-first.
    """
    links, gather = citations.links, Gather(citations.places, len(urls))
    pages, hosts = ground.links.source.values[links], ground.urls.host.values[urls]
    folders = ground.urls.folder.values[urls]
    facts = (
        citations.counts,
        gather.mean(ground.pages.relevance.values[pages]),
        gather.sum(ground.links.near_tried.values[links]),
        gather.sum(ground.links.near_yielded.values[links]),
        ground.hosts.tried.values[hosts],
        ground.hosts.yielded.values[hosts],
        ground.folders.tried.values[folders],
        ground.folders.yielded.values[folders],
        gather.greatest(ground.pages.hub.values[pages]),
        np.full(len(urls), lead),
    )
    return [row.tobytes() for row in np.column_stack((parts, *facts)).astype("<f4")]


def explain_reasons(kept: bytes) -> list[Part]:
    """Put what was kept into words, what weighs most first."""
    numbers = np.frombuffer(kept, dtype="<f4").astype(np.float64)
    if len(numbers) != len(NAMES) + len(FACTS):
        return []
    weights = dict(zip(NAMES, numbers.tolist(), strict=False))
    facts = dict(zip(FACTS, numbers[len(NAMES) :].tolist(), strict=True))
    found = [
        Part(said=_said(group, facts), weight=sum(weights[name] for name in names)) for group, names in _GROUPS.items()
    ]
    return sorted((part for part in found if abs(part.weight) >= _LEAST), key=lambda part: -abs(part.weight))


def _said(group: str, facts: dict[str, float]) -> str:
    citing = round(facts["citing"])
    return {
        "merit": f"the pages that cite it have a relevance of {facts['merit']:.2f} on the average"
        if citing != 1
        else f"the page that cites it has a relevance of {facts['merit']:.2f}",
        "own": OWN_WORDS,
        "around": AROUND,
        "address": "the words of its address",
        "neighbours": _yield("the links next to it", facts["near yielded"], facts["near tried"]),
        "host": _yield("its host", facts["host yielded"], facts["host tried"]),
        "folder": _yield("its folder", facts["folder yielded"], facts["folder tried"]),
        "place": "its place on the page",
        "citing": "one link leads there" if citing == 1 else f"{citing} links lead there",
        "hub": _hub(facts["hub"]),
    }[group]


def _hub(score: float) -> str:
    """Say how good a hub is, against the best one."""
    if not score:
        return "no hub cites it"
    return "the best hub cites it" if score == 1.0 else f"a hub {score:.2g} times as good as the best cites it"


def _yield(what: str, yielded: float, tried: float) -> str:
    """Say what came of something; neighbours count by their distance, so that their numbers are no whole ones.

    >>> _yield("its host", 4.0, 6.0), _yield("the links next to it", 0.3, 1.5), _yield("its host", 0.0, 0.0)
    ('its host has yielded 4 of 6', 'the links next to it have yielded 0.3 of 1.5', 'its host is not known yet')
    >>> _yield("its host", 139.6, 1175.0)
    'its host has yielded 140 of 1,175'
    """
    many = what.startswith("the links")
    if not tried:
        return f"{what} {'are' if many else 'is'} not known yet"
    return f"{what} {'have' if many else 'has'} yielded {_amount(yielded)} of {_amount(tried)}"


def _amount(number: float) -> str:
    """Write a sum of relevances: to a tenth while it is small, and never in powers of ten."""
    return f"{number:.1f}".removesuffix(".0") if number < 10 else f"{number:,.0f}"
