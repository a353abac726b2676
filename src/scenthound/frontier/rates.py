"""The rates at which pages change, from visits at irregular times: which have changed by now, and which are worth a
visit.

Changes are taken for a Poisson process (Cho and Garcia-Molina, "Estimating frequency of change", ACM TOIT 3(3), 2003).
A visit only shows whether there was any change since the one before, so the likelihood of a rate λ is the product of 1
- exp(-λt) over spans t with a change and of exp(-λt) over those without. Its maximum is 0 for a page that never changed
and infinite for one that always had, which after one visit is every page. So a rate is not one number here but a
distribution over a grid of rates. It starts as that of the other pages of its host, and of all pages.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

import numpy as np
import numpy.typing as npt

from scenthound.types import Change, Visit, Visited

Floats = npt.NDArray[np.float64]

DAY: Final = 86_400.0
# From a change in twenty years to one in ten minutes: steps of a quarter; finer ones gave the same chances to two
# digits.
RATES: Final[Floats] = np.exp(np.linspace(np.log(1 / (20 * 365 * DAY)), np.log(1 / 600), 64))
# With no evidence: a change in thirty days, give or take a factor of six. In the samples of 1999 to 2003 (Cho and
# Garcia-Molina 2000; Fetterly et al., WWW 2003) about half of all pages lay within that.
TYPICAL: Final = 30 * DAY
SPREAD: Final = np.log(6.0)
# How many pages the beginning of each distribution weighs as much as: that of all pages, and that of a host.
DOUBT: Final = 10.0
HOST_DOUBT: Final = 5.0

_NEWS: Final = frozenset({Change.APPEARED, Change.CHANGED, Change.MOVED, Change.VANISHED})


@dataclass(frozen=True, slots=True, kw_only=True)
class Observed:
    """The evidence of visits: spans with a change, seconds without one, the last sight of the page, and whether it is
    there.

    `missed` counts how often in a row it was not there.
    """

    changed: tuple[float, ...] = ()
    unchanged: float = 0.0
    seen: float
    missed: int = 0


def observed(visits: Sequence[Visit]) -> Observed:
    """Read visits; those that could not look at the page are no evidence.

    >>> gone = [(6, Change.UNSEEN), (9, Change.UNCHANGED), (12, Change.VANISHED)]
    >>> observed([Visit(at=at, change=change) for at, change in [(0, Change.APPEARED), (5, Change.CHANGED), *gone]])
    Observed(changed=(5.0, 3.0), unchanged=4.0, seen=12.0, missed=1)
    """
    looks = [visit for visit in visits if visit.change is not Change.UNSEEN]
    spans = [(after.at - before.at, after.change in _NEWS) for before, after in pairwise(looks)]
    missed = 0
    for look in reversed(looks):
        if look.change not in (Change.VANISHED, Change.GONE):
            break
        missed += 1
    return Observed(
        changed=tuple(float(span) for span, news in spans if news and span > 0),
        unchanged=float(sum(span for span, news in spans if not news)),
        seen=float(looks[-1].at) if looks else 0.0,
        missed=missed,
    )


def likelihoods(pages: Sequence[Observed]) -> Floats:
    """Return for each page, row by row, how likely each rate of the grid makes what was observed, up to a factor."""
    logs = -np.array([page.unchanged for page in pages])[:, None] * RATES
    rows = np.array([row for row, page in enumerate(pages) for _ in page.changed], dtype=np.intp)
    spans = np.array([span for page in pages for span in page.changed])
    if len(rows):
        np.add.at(logs, rows, np.log(-np.expm1(-spans[:, None] * RATES)))
    return np.asarray(np.exp(logs - logs.max(axis=1, keepdims=True)))


def prior_of(typical: float = TYPICAL) -> Floats:
    """Return the distribution over rates before anything is known: log-normal around a change in `typical` seconds."""
    return _normalised(np.exp(-((np.log(RATES * typical) / SPREAD) ** 2) / 2))


@dataclass(slots=True)
class Rates:
    """The knowledge of all rates. `learn` from all pages first; a page visited once is no evidence, and is ignored."""

    prior: Floats = field(default_factory=prior_of)
    _hosts: dict[str, "_Host"] = field(default_factory=dict)

    def learn(self, pages: Iterable[Visited]) -> None:
        """Let pages have their say about the others."""
        again = [page for page in pages if len(page.visits) > 1]
        if not again:
            return
        for page, row in zip(again, self._alone([observed(page.visits) for page in again]), strict=True):
            self._hosts.setdefault(page.host, _Host()).add(row)

    def of(self, pages: Sequence[Visited], seen: Sequence[Observed] | None = None) -> Floats:
        """Return the distributions over rates of some pages, row by row."""
        seen = [observed(page.visits) for page in pages] if seen is None else seen
        # What a page itself has said must not speak for it a second time, as that of its host, or of all.
        own = np.array([len(page.visits) > 1 for page in pages], dtype=float)[:, None] * self._alone(seen)
        nobody = _Host()
        hosts = [self._hosts.get(page.host, nobody) for page in pages]
        said = np.maximum(np.array([host.said for host in hosts]).reshape(-1, len(RATES)) - own, 0.0)
        voices = np.array([host.voice for host in hosts])[:, None]
        everybody = _normalised(np.maximum(DOUBT * self.prior + self._everybody() - voices * own, 1e-300))
        return _normalised((HOST_DOUBT * everybody + said) * likelihoods(seen))

    def _everybody(self) -> Floats:
        """Return what all hosts say together: one with thousands of pages must not drown the others."""
        return np.asarray(sum((host.voice * host.said for host in self._hosts.values()), np.zeros(len(RATES))))

    def _alone(self, seen: Sequence[Observed]) -> Floats:
        return _normalised(self.prior * likelihoods(seen))


@dataclass(slots=True)
class _Host:
    """The sum of what pages of a host say, and how much each of them counts where all hosts have their say."""

    said: Floats = field(default_factory=lambda: np.zeros(len(RATES)))
    pages: int = 0

    def add(self, row: Floats) -> None:
        self.said = self.said + row
        self.pages += 1

    @property
    def voice(self) -> float:
        return HOST_DOUBT / (HOST_DOUBT + self.pages)


def chances(known: Floats, spans: Floats) -> Floats:
    """Return the probability that each page has changed within a span.

    >>> fast_or_slow = np.array([(RATES == RATES[row]) * 1.0 for row in (0, -1)])
    >>> chances(fast_or_slow, np.array([DAY, DAY])).round(2).tolist()
    [0.0, 1.0]
    """
    return np.asarray((known * -np.expm1(-spans[:, None] * RATES)).sum(axis=1))


def freshness_gains(known: Floats, spans: Floats) -> Floats:
    """Return the worth of a visit to each page after a span: days for which its copy is fresh, at the margin.

    A page visited every t is fresh for (1 - exp(-λt)) / λt of the time; the derivative of that by the frequency of
    visits is (1 - (1 + λt) exp(-λt)) / λ. A page that changes by the minute is never fresh for long, and gains little
    (Cho and Garcia-Molina, "Effective page refresh policies", ACM TODS 28(4), 2003; Azar et al., PNAS 115(32), 2018,
    take the page with the greatest gain next, as we do).
    """
    grown = spans[:, None] * RATES
    return np.asarray((known * (1 - (1 + grown) * np.exp(-grown)) / RATES).sum(axis=1) / DAY)


def mean_span(known: Floats) -> Floats:
    """Return the seconds between two changes, as geometric means."""
    return np.asarray(np.exp(-(known * np.log(RATES)).sum(axis=1)))


def span_of_chance(known: Floats, chance: float) -> float:
    """Return the seconds after which a page has changed with this probability; infinite beyond a century.

    >>> [round(span_of_chance(prior_of(), chance) / DAY) for chance in (0.3, 0.5, 0.9)]
    [6, 18, 262]
    """
    low, high = 0.0, 100 * 365 * DAY
    row = known[None, :]
    if chances(row, np.array([high]))[0] < chance:
        return float("inf")
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if chances(row, np.array([middle]))[0] >= chance else (middle, high)
    return high


def _normalised(weights: Floats) -> Floats:
    return np.asarray(weights / weights.sum(axis=-1, keepdims=True))
