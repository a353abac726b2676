"""The apprentice as the guide of a crawl: it makes a lesson of each outcome, learns, and gives waiting URLs new priorities.

What it knows is what the log of lessons in the store says, and nothing else: after a crash, or when all pages were judged
anew, the log is gone through again, from the last checkpoint if that still holds.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import islice
from typing import Final, Protocol

import numpy as np
from msgspec import structs

from scenthound.apprentice.checkpoint import Checkpoints
from scenthound.apprentice.ground import Ints
from scenthound.apprentice.model import Model, WordOpinions
from scenthound.apprentice.priorities import Priorities
from scenthound.store.base import Store
from scenthound.types import Claim, Ending, Judgement, Lesson, LessonLink, Outcome, Reason

BATCH: Final = 500  # lessons read from the log at a time
MOVES: Final = 10_000  # priorities written at a time
APPLIED: Final = "apprentice applied"  # a note: whose priorities the frontier has

CHOSEN, DRAWN = b"c", b"d"  # how the reasons of a lesson begin

Make = Callable[[WordOpinions], Model]


class Advisor(Protocol):
    """The critic at work, as far as an apprentice needs it."""

    @property
    def version(self) -> int: ...

    def opinions(self) -> WordOpinions:
        """Return what it thinks of single words."""
        ...

    def wants(self, claim: Claim) -> bool:
        """Tell of an example, before any page is judged, whether it is one of what is wanted."""
        ...


class ApprenticeGuide:
    """Guide a crawl by what `make` makes. `score` is of use only after `revise`: before, there is no critic to learn from."""

    def __init__(
        self,
        make: Make,
        *,
        kind: str,
        store: Store,
        advisor: Advisor,
        checkpoints: Checkpoints | None = None,
        sample: float = 0.0,
        seed: int = 0,
    ) -> None:
        self._make = make
        self._kind = kind
        self._store = store
        self._advisor = advisor
        self._checkpoints = checkpoints
        self._sample = sample
        self._seed = seed
        self._model: Model | None = None
        self._priorities: Priorities | None = None
        self._lessons = 0  # that the log should have by now

    def score(self, outcomes: Sequence[Outcome]) -> list[Outcome]:
        """Learn from a batch, in order; the last of it carries what has changed in the frontier."""
        if self._model is None or self._priorities is None:
            return [replace(outcome, lesson=self._early_lesson(outcome)) for outcome in outcomes]
        self._keep_up()
        scored, touched = list[Outcome](), list[Ints]()
        before = self._lessons
        for outcome in outcomes:
            lesson = lesson_of(outcome)
            if outcome.ending is Ending.FAILED:
                self._priorities.leave(outcome.claim.url)
            if lesson is not None and _teaches(lesson):
                learnt = self._model.learn(lesson)
                touched.append(learnt.touched)
                drawn = self._priorities.was_drawn(lesson.url)
                lesson = structs.replace(lesson, score=learnt.score, reasons=noted(learnt.reasons, drawn=drawn))
            self._lessons += lesson is not None
            scored.append(replace(outcome, lesson=lesson))
        if touched:
            moves = self._priorities.after(self._lessons - before, np.concatenate(touched))
            scored[-1] = replace(scored[-1], moves=moves)
        return scored

    def _early_lesson(self, outcome: Outcome) -> Lesson | None:
        """Return the lesson of an example that nobody can judge yet: whether its links will be followed is known already."""
        lesson = lesson_of(outcome)
        if lesson is None or lesson.redirect or lesson.relevance is not None:
            return lesson
        return structs.replace(lesson, followed=self._advisor.wants(outcome.claim))

    def revise(self, store: Store, *, now: float) -> None:
        """Go through the log, and tell the store what follows from it unless it has been told."""
        self._recall()
        assert self._priorities is not None
        applied = f"{self._kind} {self._advisor.version}"
        if store.note(APPLIED) == applied:
            self._priorities.assume()
            return
        rest = iter(self._priorities.all().items())
        while some := dict(islice(rest, MOVES)):
            store.move(some, now=now)
        store.note(APPLIED, applied)

    def _keep_up(self) -> None:
        """Make a checkpoint if it is time; learn everything again if the store has dropped an outcome, lesson and all."""
        assert self._model is not None
        if self._store.last_lesson() != self._lessons:
            self._recall()
        elif self._checkpoints is not None:
            self._checkpoints.offer(self._model, kind=self._kind, critic=self._advisor.version, lessons=self._lessons)

    def _recall(self) -> None:
        model = self._make(self._advisor.opinions())
        done = self._kept(model)
        while lessons := self._store.lessons(after=done, limit=BATCH):
            for lesson in lessons:
                if _teaches(lesson):
                    model.learn(lesson)
            done = lessons[-1].n
        self._lessons = done
        self._model = model
        self._priorities = Priorities(model, sample=self._sample, seed=self._seed + done)

    def _kept(self, model: Model) -> int:
        if self._checkpoints is None:
            return 0
        most = self._store.last_lesson()
        return self._checkpoints.restore(model, kind=self._kind, critic=self._advisor.version, most=most)


def lesson_of(outcome: Outcome) -> Lesson | None:
    """Return what there is to be learnt from an outcome; a page seen before, or a failure, teaches nothing."""
    if outcome.claim.fetched_before:
        return None
    if outcome.ending is Ending.REDIRECT:
        return Lesson(url=outcome.claim.url, redirect=True, links=(LessonLink(outcome.discoveries[0].link.url),))
    if outcome.ending is not Ending.PAGE:
        return None
    judgement = outcome.judgement or Judgement(relevance=0.0)
    return Lesson(
        url=outcome.claim.url,
        relevance=judgement.relevance if outcome.judgement else None,
        topics=judgement.topics or ((judgement.topic,) if judgement.topic else ()),
        followed=outcome.standing is None or outcome.standing.promise is not None,
        links=_links(outcome),
        stream=outcome.reading.stream if outcome.reading else b"",
    )


def _links(outcome: Outcome) -> tuple[LessonLink, ...]:
    """Return the links that nothing but the topic of their page forbids to follow, each URL once, as it stands first."""
    found = {
        one.link.url: LessonLink(one.link.url, one.link.first_leaf, one.link.last_leaf)
        for one in reversed(outcome.discoveries)
        if one.refusal in (None, Reason.OFF_TOPIC)
    }
    return tuple(reversed(found.values()))


def noted(reasons: bytes, *, drawn: bool) -> bytes:
    """Return reasons with a mark on those of a URL that was drawn by chance."""
    return (DRAWN if drawn else CHOSEN) + reasons if reasons else b""


def _teaches(lesson: Lesson) -> bool:
    return lesson.redirect or lesson.relevance is not None
