"""A crawl by hand, with a real store and a real apprentice: claim what is best, and say what came of it.

crawl = CrawlByHand(store)
crawl.fetch(A, B, words=(GOOD, BAD))       # the seed cites two pages, each with a word before its link
assert crawl.fetch() == A
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from random import Random

import numpy as np
from msgspec.structs import replace as but

from scenthound.apprentice.checkpoint import Checkpoints
from scenthound.apprentice.crawl_guide import ApprenticeGuide
from scenthound.apprentice.scent import ScentModel
from scenthound.crawl.order.frontier_order import with_priorities
from scenthound.crawl.order.priority_moves import move_in_pieces
from scenthound.store.base import Store
from scenthound.types import Claim, Discovery, Distillation, Lesson, Outcome, PageScore, Reason, Standing
from tests.apprentice.made_lessons import FINGERPRINTS, URLS, taught, words_of
from tests.store.small_world import FREE, failed, found, moved, page

SEED, A, B, C, D = (f"http://{name}.test/" for name in ("seed", "a", "b", "c", "d"))
GOOD, BAD, OWN = 1, 2, 3  # words
APART = 10  # leaves from one link to the next, so that none has the words of another around it


@dataclass(slots=True)
class SteadyCritic:
    """A critic that is there from the beginning; a greater version has judged everything again."""

    version: int = 1
    disowned: Mapping[str, int] = field(default_factory=dict)

    def wants(self, claim: Claim) -> bool:
        return True


class CrawlByHand:
    def __init__(
        self,
        store: Store,
        *,
        sample: float = 0.0,
        checkpoints: Checkpoints | None = None,
        lift: float = 0.0,
        without: tuple[str, ...] = (),
    ) -> None:
        self.store = store
        self.lift = lift
        self.without = without
        self.critic = SteadyCritic()
        self.models: list[ScentModel] = []  # all that the guide has made, the latest last
        self.now = 0.0
        self.guide = ApprenticeGuide(
            self._make, kind="scent", store=store, advisor=self.critic, checkpoints=checkpoints, sample=sample, seed=1
        )
        store.add([found(SEED, 1.0)], now=0.0)

    def _make(self) -> ScentModel:
        self.models.append(ScentModel(lift=self.lift, without=self.without))
        return self.models[-1]

    def begin(self) -> "CrawlByHand":
        move_in_pieces(self.store, self.guide.revise(self.store), now=self.now)
        return self

    @property
    def model(self) -> ScentModel:
        return self.models[-1]

    def claim(self, *, lease: float = 600.0, owner: str = "me") -> Claim:
        self.now += 1.0
        (claim,) = self.store.claim(owner=owner, now=self.now, limit=1, limits=FREE, lease=lease)
        return claim

    def record(self, *outcomes: Outcome) -> list[Outcome]:
        """Let the guide see outcomes, and record what it makes of them."""
        self.now += 1.0
        given = self.guide.advise(outcomes)
        pairs = zip(outcomes, given, strict=True)
        scored = [with_priorities(outcome, said, returns={}, raised={}) for outcome, said in pairs]
        self.store.record(scored, now=self.now, archived={})
        return scored

    def fetch(
        self, *links: str, relevance: float = 0.5, words: tuple[int, ...] = (), refusal: Reason | None = None
    ) -> str:
        """Fetch what is best, and return what it was."""
        claim = self.claim()
        self.record(self.read(claim, *links, relevance=relevance, words=words, refusal=refusal))
        return claim.url

    def read(
        self,
        claim: Claim,
        *links: str,
        relevance: float | None = 0.5,
        words: tuple[int, ...] = (),
        refusal: Reason | None = None,
        fingerprint: int | None = None,
    ) -> Outcome:
        """Return a page with a word before each of its links; with a refusal, they are not followed."""
        leaves = [leaf for word in words for leaf in ([word], [OWN], *[[]] * (APART - 2))]
        finds = [_standing_at(found(url, refusal=refusal), APART * n + 1) for n, url in enumerate(links)]
        promise = None if refusal else relevance
        outcome = page(claim, at=self.now, links=finds, relevance=relevance, standing=Standing(promise=promise))
        assert outcome.reading is not None
        return replace(outcome, reading=replace(outcome.reading, stream=words_of(leaves), fingerprint=fingerprint))

    def distil(self, *hubs: tuple[str, float]) -> None:
        """Let hubs be found, each with its score."""
        last = self.store.last_distillation()
        version, told = (last.version if last else 0) + 1, tuple(PageScore(url=url, hub=hub) for url, hub in hubs)
        new = Distillation(version=version, at=self.now, lesson=self.store.last_lesson(), hubs=told)
        self.store.distilled(new, told, moves=self.guide.hear(new), now=self.now)

    def step(self, chance: Random) -> None:
        """Let one thing happen that may happen to a crawl."""
        claim = self.claim(lease=0.5)
        if chance.random() < 0.1:  # it was too slow, and what it did is dropped
            self.now += 10
            self.store.claim(owner="other", now=self.now, limit=1, limits=FREE, lease=0.0)
            self.store.release(owner=None, now=self.now)
        if chance.random() < 0.15:
            self.record(moved(claim, chance.choice(URLS), at=self.now))
            return
        if len(self.priorities()) > 5 and chance.random() < 0.15:
            reason = chance.choice((Reason.HTTP_ERROR, Reason.UNSUPPORTED_TYPE, Reason.DNS))
            self.record(failed(claim, reason, at=self.now))
            return
        links = chance.sample(URLS, chance.randrange(1, 9))
        words = tuple(chance.choice((GOOD, BAD, OWN)) for _ in links)
        similar = chance.choice(FINGERPRINTS)
        self.record(self.read(claim, *links, relevance=chance.random(), words=words, fingerprint=similar))

    def priorities(self) -> dict[str, float]:
        return {one.url: one.priority for one in self.store.waiting(limit=9_999)}

    def expected(self) -> dict[str, float]:
        """What priority all should have that waits in the store."""
        urls = [url for url in self.priorities() if self.model.ground.known(url) is not None]
        return {url: float(self.model.urgency(np.array([self.model.ground.number(url)]))[0]) for url in urls}

    def log(self) -> list[Lesson]:
        return self.store.lessons(limit=9_999)

    def replayed(self) -> ScentModel:
        """Return an apprentice that has just gone through the log from the beginning."""
        return taught(lesson for lesson in self.log() if lesson.redirect or lesson.relevance is not None)


def _standing_at(find: Discovery, leaf: int) -> Discovery:
    return but(find, link=but(find.link, first_leaf=leaf, last_leaf=leaf))
