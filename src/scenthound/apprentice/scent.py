"""The default apprentice: it weighs the scents of a link, and learns during the crawl how much each scent is worth.

It begins with weights that were learnt beforehand, on other topics (`prior.json`), so it is of use from the first link
on. Each fetched page that some page linked to is a lesson.
"""

import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files
from itertools import islice
from typing import Final

import numpy as np
from scipy.special import expit, logit

from scenthound.apprentice.calibration import Calibration
from scenthound.apprentice.memory.blocks import Block, block_of
from scenthound.apprentice.memory.ground import FETCHED, Citations, Floats, Ground, Ints
from scenthound.apprentice.memory.ranges import Ranges
from scenthound.apprentice.memory_limit import without_the_rest, worth_keeping
from scenthound.apprentice.mixture import SURE, Mixture
from scenthound.apprentice.model import Learnt, Part, State, nothing
from scenthound.apprentice.reason_numbers import NAMES
from scenthound.apprentice.regression import Regression
from scenthound.apprentice.scent_words import explain_reasons, keep
from scenthound.apprentice.scents import HEARD, alive, novelty, returns, smell, smell_by, worth_of
from scenthound.apprentice.words.lexicon import BITS, Lexicon
from scenthound.apprentice.words.word_yields import distinct
from scenthound.parse.words.word_stream import unpack
from scenthound.types import Distillation, Lesson

CAPACITY: Final = 500_000  # links kept in mind
FAITH: Final = 40.0  # lessons that a weight to begin with is worth
# How common relevant pages are differs from topic to topic (the log-odds have a standard deviation of 1.3): each crawl
# learns that itself.
FAITH_IN_START: Final = 1.0
LEARNING: Final = "learning"  # the weights change
NOVELTY: Final = "novelty"  # near-duplicates of what is known are worth less
RETURNS: Final = "returns"  # domains that have had their share wait
DOMAIN_SHARE: Final = 0.2  # of all URLs asked for, that one registered domain may have while others wait
HUB: Final = "hub"  # the scent of a hub that cites a link
# Pages that are learnt from together. On the seventeen smallest development topics of schools, harvest was no better
# with one at a time (.003 less, which is chance), and .01 less with twenty from the fortieth fetch on.
BLOCK: Final = 5
LARGER_BLOCKS: Final = {300: 20, 1_000: 40}  # the same after so many pages with a forecast
# Links on the citing pages, the latest pages first, that are thought over when the outcome is known. With only the
# three on either side of the link itself, harvest on schools was the same, of students' pages on WebKB .024 less. This
# number, HEARD, HEAD and PATIENCE were 200, 20, 300 and 300 before: the harvest on schools was the same (.496 with two
# draws).
RELATED: Final = 60
# The change of a domain's worth, in logarithms, after which all of its URLs are thought over, and how many at most.
# With only the head of the frontier, a farm of endless subdomains had 28 % of 2,000 fetches: its URLs kept their old
# priorities.
CHEAPER: Final = 0.05
CHEAPENED: Final = 20_000
HALF: Final = 0.5  # of the weight: with more, an expert leads


class ScentModel:
    """An apprentice that has seen nothing yet; `learn` makes it wiser.

    To measure the worth of a part, leave it out: `without` names scents, LEARNING, NOVELTY or RETURNS. `lift` raises
    the log-odds of links that the best hub cites, for their place in the frontier only. `before` is the `knowledge` of
    one that has learnt in another crawl.
    """

    def __init__(
        self,
        *,
        capacity: int = CAPACITY,
        prior: Floats | None = None,
        without: Collection[str] = (),
        lift: float = 0.0,
        domain_share: float = DOMAIN_SHARE,
        before: State | None = None,
    ) -> None:
        self._lift = lift
        self._domain_share = domain_share
        self._capacity = capacity
        self._without = frozenset(without)
        self._kept = np.array([name not in self._without for name in NAMES])
        self.ground = Ground(bits=BITS)
        self.lexicon = Lexicon()
        faith = np.array([FAITH_IN_START if name == "start" else FAITH for name in NAMES])
        if before is not None:
            prior = before["weights"]
            self.lexicon.restore(before)
        self.regression = Regression(prior_weights() if prior is None else prior, faith=faith)
        self.calibration = Calibration()
        self.plain_calibration = Calibration()  # of what best-first says
        self.mixture = Mixture()
        self._pages = 0  # taken in so far
        self._pending = np.zeros((0, len(NAMES)))  # what could be smelt of those of the block

    def learn(self, lesson: Lesson) -> Learnt:
        return self.learn_all([lesson])[0]

    def learn_all(self, lessons: Sequence[Lesson]) -> list[Learnt]:
        """Take lessons in. The links of a page are known at once; its evidence about other links at the end of a
        block."""
        learnt, at = list[Learnt](), 0
        while at < len(lessons):
            some = self._together(lessons[at:])
            learnt += [self._alone(some[0])] if _stands_alone(some[0]) else self._met(some)
            at += len(some)
        return learnt

    def praise(self, found: Distillation) -> Ints:
        """Take the hubs of a distillation in. Return the waiting URLs that this changes."""
        touched = self.ground.praise(found)
        return touched[self.ground.may_wait(touched)]

    def scores(self, urls: Ints) -> Floats:
        """Return the relevance to be expected of URLs; that of nothing is 0."""
        return alive(self.ground, urls) * self._foretold(self._smell(urls))

    def urgency(self, urls: Ints) -> Floats:
        """Return the worth of URLs: their expected relevance, less where their domain gave much or their folder gave
        near-duplicates; links of hubs are lifted."""
        rows = smell(self.ground, self.lexicon, urls)
        urgency = self.mixture.ranked(self._forecasts(self._kept_of(rows)))
        if self._lift:
            urgency = expit(logit(urgency) + self._lift * rows[:, NAMES.index(HUB)])
        if RETURNS not in self._without:
            urgency = urgency * returns(self.ground, urls, share=self._domain_share)
        return alive(self.ground, urls) * self.novelty(urls) * urgency

    def novelty(self, urls: Ints) -> Floats:
        """Return the chance that pages are new, as far as it counts here."""
        return np.ones(len(urls)) if NOVELTY in self._without else novelty(self.ground, urls)

    def reasons(self, url: int) -> bytes:
        """Return what the score of a URL is made of now."""
        urls = np.array([url])
        citations = self.ground.citations(urls, most=HEARD)
        return self._reasons(urls, citations, self._smell(urls))[0]

    def explain(self, reasons: bytes, terms: Iterable[str] = ()) -> list[Part]:
        """Put reasons into words; it keeps no single words that could be named."""
        return explain_reasons(reasons)

    def knowledge(self) -> State:
        """Return what is true beyond the URLs and hosts of this crawl: weights, and where words lead."""
        return {"weights": self.regression.weights, **self.lexicon.state()}

    def state(self) -> State:
        parts = (self.ground, self.lexicon, self.regression, self.calibration, self.mixture)
        own: State = {"pending": self._pending, "pages": np.array(self._pages)}
        own |= {f"plain {name}": array for name, array in self.plain_calibration.state().items()}
        return {name: array for part in parts for name, array in part.state().items()} | own

    def restore(self, state: State) -> None:
        self.ground.restore(state)
        self.lexicon.restore(state)
        self.regression.restore(state)
        self.calibration.restore(state)
        self.plain_calibration.restore({name: state[f"plain {name}"] for name in self.plain_calibration.state()})
        self.mixture.restore(state)
        self._pending, self._pages = state["pending"].copy(), int(state["pages"])

    def _foretold(self, rows: Floats) -> Floats:
        """Return the relevance to be expected."""
        return self.mixture.mixed(self._forecasts(rows))

    def _forecasts(self, rows: Floats) -> Floats:
        """Return what the apprentice and best-first each expect."""
        own = self.calibration.corrected(self.regression.odds(rows))
        forecasts: Floats = expit(np.array((own, self.plain_calibration.corrected(plain_odds(rows)))))
        return forecasts

    def _smell(self, urls: Ints) -> Floats:
        return self._kept_of(smell(self.ground, self.lexicon, urls))

    def _kept_of(self, rows: Floats) -> Floats:
        return rows if self._kept.all() else rows * self._kept

    def _together(self, lessons: Sequence[Lesson]) -> Sequence[Lesson]:
        """Return the first lessons that can be taken in at once: one that is no page, or pages up to a full block or
        memory."""
        if _stands_alone(lessons[0]):
            return lessons[:1]
        pages, links = list[Lesson](), len(self.ground.links.source)
        for lesson in islice(lessons, self._room()):
            if _stands_alone(lesson):
                break
            pages.append(lesson)
            links += len(lesson.links)
            if links > self._capacity:
                break
        return pages

    def _room(self) -> int:
        """Return how many pages are left in the block."""
        block = max([size for many, size in LARGER_BLOCKS.items() if self.regression.taken >= many], default=BLOCK)
        return block - self._pages % block

    def _met(self, lessons: Sequence[Lesson]) -> list[Learnt]:
        """Take in pages of one block."""
        urls, targets = self.ground.meet(lessons, [unpack(lesson.stream) for lesson in lessons])
        expected = [
            self._noted(url, lesson, learnt)
            for url, lesson, learnt in zip(urls.tolist(), lessons, self._expected(urls), strict=True)
        ]
        full = self._room() == len(lessons)
        self._pages += len(lessons)
        touched = [targets, expected[-1].touched]
        if full or len(self.ground.links.source) > self._capacity:
            touched.append(self._take_to_heart())
        if len(self.ground.links.source) > self._capacity:
            self._forget()
            touched = [nothing()]
        waiting = distinct(np.concatenate(touched))
        return [*expected[:-1], replace(expected[-1], touched=waiting[self.ground.may_wait(waiting)])]

    def _noted(self, url: int, lesson: Lesson, learnt: Learnt) -> Learnt:
        """Tell host and domain of a page. Return its forecast, given that it might not have answered, and the URLs it
        touches.

        One by one: the second page of a host is no stranger's.
        """
        one = np.array([url])
        score = None if learnt.score is None else float(alive(self.ground, one)[0]) * learnt.score
        self.ground.ask(url, answered=True)
        if lesson.fingerprint is not None:
            self.ground.compare(url, lesson.fingerprint)
        if lesson.followed or score is not None:  # an example of what is not wanted speaks for no domain
            self.ground.choose(url, given=score is None)
        return Learnt(score=score, reasons=learnt.reasons, touched=self._cheapened(one))

    def _cheapened(self, urls: Ints) -> Ints:
        """Return the URLs to think over because their domains' worth has changed: all that wait there."""
        if RETURNS in self._without:
            return nothing()
        domains = np.unique(self.ground.hosts.domain.values[self.ground.urls.host.values[urls]])
        left, before = worth_of(self.ground, domains, share=self._domain_share), self.ground.domains.worth.values
        changed = np.abs(np.log(left / before[domains])) > CHEAPER
        if not changed.any():
            return nothing()
        before[domains[changed]] = left[changed]
        return self.ground.waiting_of(domains[changed], most=CHEAPENED)

    def _first_link(self) -> int:
        """Return the first link of the block."""
        firsts, pending = self.ground.pages.first_link.values, len(self._pending)
        return int(firsts[-pending]) if pending else len(self.ground.links.source)

    def _expected(self, urls: Ints) -> list[Learnt]:
        """Return the forecasts of pages just met, if they answer, with reasons, as before the fetch; keep their
        scents."""
        pages = slice(len(self.ground.pages.url) - len(urls), None)
        citations = self.ground.citations_of_pages(pages, most=HEARD)
        rows = np.ascontiguousarray(self._kept_of(smell_by(self.ground, self.lexicon, urls, citations)))
        reasons = self._reasons(urls, citations, rows)
        rows[citations.counts == 0] = np.nan
        self._pending = np.concatenate((self._pending, rows))
        # One by one: a product of matrices has other last bits than each of its rows.
        return [
            Learnt(score=float(self._foretold(row[None])[0]), reasons=reason) if count else Learnt()
            for row, reason, count in zip(rows, reasons, citations.counts.tolist(), strict=True)
        ]

    def _take_to_heart(self) -> Ints:
        """Learn from the pages of the block. Return the targets of links that this changes."""
        block, leader = block_of(self.ground, len(self._pending)), self.mixture.lead > HALF
        if LEARNING not in self._without:
            self._compare(self._pending, block.relevance)
        self._pending = self._pending[:0]
        self.lexicon.learn(self.ground, block)
        self.ground.reward(block.urls)
        self.ground.credit(block.citing, block.relevance[block.pages])
        self.ground.credit(block.known, block.came)
        if leader is not (self.mixture.lead > HALF):  # another one leads: all is to be thought over
            return self.ground.waiting()[-CHEAPENED:]
        return self._related(block)

    def _related(self, block: Block) -> Ints:
        """Return where the other links lead on pages that led to those of a block, those of the latest pages first."""
        begin, end = self.ground.spans(self.ground.links.source.values[block.citing])
        sizes = end - begin
        before = np.cumsum(sizes) - sizes
        before -= before[np.searchsorted(block.pages, block.pages)]  # of the same page
        left = np.maximum(RELATED - before, 0)
        return self.ground.links.target.values[Ranges.of(begin, np.minimum(end, begin + left)).places].astype(np.int64)

    def _compare(self, rows: Floats, relevance: Floats) -> None:
        """Learn from the expected and the actual relevance of pages. Skip pages that no link led to."""
        cited = ~np.isnan(rows[:, 0])
        rows, came = rows[cited], relevance[cited]
        self.mixture.learn(self._forecasts(rows), came)
        self.plain_calibration.learn(plain_odds(rows), came)
        self.calibration.learn(self.regression.odds(rows), came)
        self.regression.learn(rows, came)

    def _reasons(self, urls: Ints, citations: Citations, rows: Floats) -> list[bytes]:
        weights = self.calibration.slope * self.regression.weights
        return keep(self.ground, urls, citations, weights * (rows - self.regression.average()), lead=self.mixture.lead)

    def _forget(self) -> None:
        waiting = self.ground.waiting()
        kept = worth_keeping(self.ground, waiting, self.scores(waiting), links=self._capacity // 2)
        self.ground = without_the_rest(self.ground, kept)

    def _alone(self, lesson: Lesson) -> Learnt:
        return self._redirected(lesson) if lesson.redirect else self._failed(lesson)

    def _failed(self, lesson: Lesson) -> Learnt:
        """Learn that there is nothing at a URL. This tells about its host and folder, not about the topic."""
        url = self.ground.number(lesson.url)
        one = np.array([url])
        citing = np.array(self.ground.citing(url)[:HEARD], dtype=np.int64)
        learnt = Learnt(score=float(self.scores(one)[0]), reasons=self.reasons(url)) if len(citing) else Learnt()
        self.ground.leave(url)
        self.ground.ask(url, answered=False)
        self.ground.choose(url, given=not len(citing))
        begin, end = self.ground.spans(self.ground.links.source.values[citing])
        near = Ranges.of(np.maximum(begin, citing - RELATED), np.minimum(end, citing + RELATED + 1)).places
        beside = distinct(self.ground.links.target.values[near])
        touched = distinct(np.concatenate((beside, self._cheapened(one))))
        return replace(learnt, touched=touched[self.ground.may_wait(touched)])

    def _redirected(self, lesson: Lesson) -> Learnt:
        url = self.ground.number(lesson.url)
        if not lesson.links:  # to what may not be fetched: a lesson that was made from the store
            self.ground.leave(url)
            return Learnt()
        target = self.ground.end_of(self.ground.number(lesson.links[0].url))
        moved = np.array(self.ground.citing(url), dtype=np.int64)
        self.ground.redirect(url, target)
        self._credit_moved(target, moved)
        return Learnt(
            touched=np.array([target]) if len(moved) else nothing()
        )  # what nothing links to is the user's wish

    def _credit_moved(self, target: int, links: Ints) -> None:
        """Learn from links that now lead to a page; those of the block, or to a page of it, have their turn at its
        end."""
        pending = self.ground.pages.url.values[len(self.ground.pages.url) - len(self._pending) :]
        if self.ground.urls.state.values[target] != FETCHED or target in pending:
            return
        links, relevance = links[links < self._first_link()], float(self.ground.urls.relevance.values[target])
        self.lexicon.learn_links(self.ground, links, relevance)
        self.ground.credit(links, np.full(len(links), relevance))


def _stands_alone(lesson: Lesson) -> bool:
    return lesson.redirect or lesson.failed


def plain_odds(rows: Floats) -> Floats:
    """Return the log-odds that best-first gives links: by the best citing page, by their mean, and by all together.

    Without the last, the net held an apprentice that was turned upside down at .56 of best-first's harvest on the demo
    web; with it, as half of the number, at .94. It separates the many links that have one good page each from those
    that have several.
    """
    page, best, merits = (rows[:, NAMES.index(name)] for name in ("page", "best page", "merits"))
    promise = 0.25 * (page + best) - 0.5 * np.expm1(-merits)
    odds: Floats = logit(np.clip(promise, SURE, 1.0 - SURE))
    return odds


@cache
def prior_weights() -> Floats:
    """Return the weights to begin with, in the order of `reason_numbers.NAMES`."""
    kept = json.loads(files("scenthound.apprentice").joinpath("prior.json").read_text(encoding="utf-8"))
    return np.array([kept["weights"][name] for name in NAMES])
