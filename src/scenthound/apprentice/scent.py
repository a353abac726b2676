"""The default apprentice: it weighs what can be smelt of a link, and learns during the crawl how much each smell is worth.

It begins with weights that were learnt beforehand, on other topics (`prior.json`), so that it is of use from the first link
on; each fetched page that something linked to is a lesson.
"""

import json
from collections.abc import Collection, Iterable
from functools import cache
from importlib.resources import files
from typing import Final

import numpy as np
from scipy.special import expit

from scenthound.apprentice.calibration import Calibration
from scenthound.apprentice.forgetting import without_the_rest, worth_keeping
from scenthound.apprentice.ground import FETCHED, Floats, Ground, Ints
from scenthound.apprentice.lexicon import BITS, Lexicon
from scenthound.apprentice.link_words import ask_critic
from scenthound.apprentice.model import Learnt, Part, State, WordOpinions, nothing
from scenthound.apprentice.regression import Regression
from scenthound.apprentice.scent_words import keep, told
from scenthound.apprentice.scents import NAMES, relief, smell
from scenthound.apprentice.word_yields import distinct
from scenthound.parse.word_stream import unpack
from scenthound.types import Distillation, Lesson

CAPACITY: Final = 2_000_000  # links kept in mind
FAITH: Final = 40.0  # lessons that a weight to begin with is worth
# How common relevant pages are differs from topic to topic (the log-odds have a standard deviation of 1.3): that is learnt anew.
FAITH_IN_START: Final = 1.0
LEARNING: Final = "learning"  # the weights change
RELIEF: Final = "relief"  # hosts that were troubled in vain wait
HUB: Final = "hub"  # the scent of a hub that cites a link
RELATED: Final = 200  # links beside those to a page that are thought over when that is known


class ScentModel:
    """An apprentice that has seen nothing yet; `learn` makes it wiser.

    To find out what something is worth, it can do without: `without` names scents, LEARNING or RELIEF. `lift` is by how much the
    log-odds rise of what the best hub cites, for its place in the frontier only.
    """

    def __init__(
        self,
        opinions: WordOpinions,
        *,
        capacity: int = CAPACITY,
        prior: Floats | None = None,
        without: Collection[str] = (),
        lift: float = 0.0,
    ) -> None:
        self._lift = lift
        self._capacity = capacity
        self._without = frozenset(without)
        self._kept = np.array([name not in self._without for name in NAMES])
        self.ground = Ground(bits=BITS)
        self.lexicon = Lexicon(opinions)
        faith = np.array([FAITH_IN_START if name == "start" else FAITH for name in NAMES])
        self.regression = Regression(prior_weights() if prior is None else prior, faith=faith)
        self.calibration = Calibration()

    def learn(self, lesson: Lesson) -> Learnt:
        """Take a lesson in: first what it says about links to this page, then the links on it."""
        url = self.ground.number(lesson.url)
        if lesson.redirect and not lesson.links:  # to what may not be fetched: a lesson that was made from the store
            self.ground.leave(url)
            return Learnt(touched=nothing())
        if lesson.redirect:
            return self._redirected(url, self.ground.number(lesson.links[0].url))
        relevance = lesson.relevance or 0.0
        citing = self.ground.citing(url)
        related = self._related(citing)
        score, reasons = self._compare(url, citing, relevance)
        self.ground.meet(url, relevance)
        self.lexicon.learn_address(self.ground, url, relevance)
        stream = unpack(lesson.stream)
        self.lexicon.learn_page(stream.page, relevance)
        first = len(self.ground.links.source)
        targets = self.ground.spread(url, relevance, lesson.links, stream, followed=lesson.followed)
        ask_critic(self.ground, self.lexicon, np.arange(first, first + len(targets)))
        self._look_back(first, targets)
        touched = distinct(np.concatenate((targets, related)))
        touched = touched[self.ground.may_wait(touched)]
        if len(self.ground.links.source) > self._capacity:
            self._forget()
            touched = nothing()
        return Learnt(score=score, reasons=reasons, touched=touched)

    def praise(self, found: Distillation) -> Ints:
        """Take what a distillation found for the hubs; return the waiting URLs of which that says something new."""
        touched = self.ground.praise(found)
        return touched[self.ground.may_wait(touched)]

    def scores(self, urls: Ints) -> Floats:
        """Return the relevance to be expected of URLs."""
        expected: Floats = expit(self._odds(self._smell(urls)))
        return expected

    def urgency(self, urls: Ints) -> Floats:
        """Return the odds of URLs, divided by the part of all fruitless fetches that their host has had.

        Where nothing in sight promises much, this leads away from hosts that have had their chance. What hubs cite is lifted.
        """
        rows = smell(self.ground, self.lexicon, urls)
        odds = self._odds(rows if self._kept.all() else rows * self._kept)
        eased = 0.0 if RELIEF in self._without else relief(self.ground, urls)
        urgency: Floats = expit(odds + eased + self._lift * rows[:, NAMES.index(HUB)])
        return urgency

    def reasons(self, url: int) -> bytes:
        """Return what the score of a URL is made of now."""
        return self._reasons(url, self._smell(np.array([url]))[0])

    def explain(self, reasons: bytes) -> list[Part]:
        return told(reasons)

    def state(self) -> State:
        parts = (self.ground, self.lexicon, self.regression, self.calibration)
        return {name: array for part in parts for name, array in part.state().items()}

    def restore(self, state: State) -> None:
        self.ground.restore(state)
        self.lexicon.restore(state)
        self.regression.restore(state)
        self.calibration.restore(state)

    def _odds(self, rows: Floats) -> Floats:
        """Return the log-odds of the relevance that is to be expected."""
        return self.calibration.corrected(self.regression.odds(rows))

    def _smell(self, urls: Ints) -> Floats:
        rows = smell(self.ground, self.lexicon, urls)
        return rows if self._kept.all() else rows * self._kept

    def _compare(self, url: int, citing: list[int], relevance: float) -> tuple[float | None, bytes]:
        """Learn from what was expected of a page and what came; return what was expected, and why."""
        if not citing:
            return None, b""
        row = self._smell(np.array([url]))
        odds, reasons = self.regression.odds(row), self._reasons(url, row[0])
        score = float(expit(self.calibration.corrected(odds))[0])
        if LEARNING not in self._without:
            self.calibration.learn(float(odds[0]), relevance)
            self.regression.learn(row[0], relevance)
        self.lexicon.learn_links(self.ground, np.array(citing), relevance)
        return score, reasons

    def _reasons(self, url: int, row: Floats) -> bytes:
        weights = self.calibration.slope * self.regression.weights
        return keep(self.ground, url, weights * (row - self.regression.average()))

    def _forget(self) -> None:
        waiting = self.ground.waiting()
        kept = worth_keeping(self.ground, waiting, self.scores(waiting), links=self._capacity // 2)
        self.ground = without_the_rest(self.ground, kept)

    def _look_back(self, first: int, targets: Ints) -> None:
        """Learn from links of a new page that lead to pages known already."""
        known = np.flatnonzero(self.ground.urls.state.values[targets] == FETCHED)
        self.lexicon.learn_each_link(self.ground, first + known, self.ground.urls.relevance.values[targets[known]])

    def _redirected(self, url: int, target: int) -> Learnt:
        moved, target = self.ground.citing(url), self.ground.end_of(target)
        self.ground.redirect(url, target)
        if self.ground.urls.state.values[target] == FETCHED:
            relevance = float(self.ground.urls.relevance.values[target])
            self.lexicon.learn_links(self.ground, np.array(moved, dtype=np.int64), relevance)
        return Learnt(touched=np.array([target]) if moved else nothing())  # what nothing links to is the user's wish

    def _related(self, citing: Iterable[int]) -> Ints:
        """Return where the other links of the pages lead that have these links, those of the latest pages first."""
        found, sources = [np.zeros(0, dtype=np.int64)], self.ground.links.source.values
        for link in citing:
            first, after = self.ground.span(int(sources[link]))
            found.append(self.ground.links.target.values[first:after].astype(np.int64))
            if sum(map(len, found)) >= RELATED:
                break
        return np.concatenate(found)[:RELATED]


@cache
def prior_weights() -> Floats:
    """Return the weights to begin with, in the order of `scents.NAMES`."""
    kept = json.loads(files("scenthound.apprentice").joinpath("prior.json").read_text(encoding="utf-8"))
    return np.array([kept["weights"][name] for name in NAMES])
