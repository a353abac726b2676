"""The apprentice as the guide of a crawl: it makes a lesson of each outcome, learns, and gives waiting URLs new priorities.

What it knows is what the log of lessons in the store says, and nothing else: after a crash, or when all pages were judged
anew, the log is gone through again, from the last checkpoint if that still holds.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final, Protocol

import numpy as np
from msgspec import structs

from scenthound.apprentice.checkpoint import FORMAT, Checkpoints
from scenthound.apprentice.ground import Ground, Ints
from scenthound.apprentice.log import TOGETHER, history, teaches, together
from scenthound.apprentice.model import Model, State
from scenthound.apprentice.priorities import Priorities
from scenthound.store.base import Store
from scenthound.store.rules import gives_lesson
from scenthound.types import Claim, Distillation, Ending, Judgement, Lesson, LessonLink, Outcome, Reason

MOVES: Final = 10_000  # priorities written at a time
APPLIED: Final = "apprentice applied"  # a note: whose priorities the frontier has, and since which lesson

CHOSEN, DRAWN = b"c", b"d"  # how the reasons of a lesson begin

Make = Callable[[], Model]


class Told(Protocol):
    """Whoever is told new priorities: the store, or somebody who makes something else of them."""

    def move(self, priorities: Mapping[str, float], *, now: float) -> int: ...

    def note(self, key: str, value: str | None = None) -> str | None: ...


@dataclass(frozen=True, slots=True)
class Began:
    """When a store was told everything: after so many lessons, and which distillation."""

    lessons: int
    heard: int


class Advisor(Protocol):
    """The critic at work, as far as an apprentice needs it."""

    @property
    def version(self) -> int: ...

    @property
    def disowned(self) -> Mapping[str, int]:
        """How many more pages of domains the user has said not to be good than to be good, where there are any."""
        ...

    def wants(self, claim: Claim) -> bool:
        """Tell of an example, before any page is judged, whether it is one of what is wanted."""
        ...


@dataclass(frozen=True, slots=True)
class Mind:
    """An apprentice together with what the store was told of what it expects."""

    model: Model
    priorities: Priorities

    def state(self) -> State:
        return {**self.model.state(), **self.priorities.state()}

    def restore(self, state: State) -> None:
        self.model.restore(state)
        self.priorities.restore(state)

    def hear(self, found: Distillation) -> dict[str, float]:
        """Take the hubs of a distillation in; return the priorities that waiting URLs have then."""
        touched = self.model.praise(found)
        return self.priorities.some(touched) if self.priorities.began is not None else {}


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
        self._mind: Mind | None = None
        self._lessons = 0  # that the log should have by now

    def score(self, outcomes: Sequence[Outcome]) -> list[Outcome]:
        """Learn from a batch, in order; the last of it carries what has changed in the frontier."""
        if self._mind is None:
            return [replace(outcome, lesson=self._early_lesson(outcome)) for outcome in outcomes]
        mind = self._kept_up(self._mind)
        scored, touched = list[Outcome](), list[Ints]()
        before = self._lessons
        lessons = [_new_lesson(mind.model.ground, outcome) for outcome in outcomes]
        teaching = [lesson for lesson in lessons if lesson is not None and teaches(lesson)]
        drawn = iter(mind.priorities.fetched([lesson.url for lesson in teaching]))
        taken = iter(mind.model.learn_all(teaching))
        for outcome, lesson in zip(outcomes, lessons, strict=True):
            if lesson is not None and teaches(lesson):
                learnt = next(taken)
                touched.append(learnt.touched)
                lesson = structs.replace(lesson, score=learnt.score, reasons=noted(learnt.reasons, drawn=next(drawn)))
            self._lessons += lesson is not None
            scored.append(with_new_links(replace(outcome, lesson=lesson), mind.priorities.told))
        if touched:
            moves = mind.priorities.after(self._lessons - before, np.concatenate(touched))
            scored[-1] = replace(scored[-1], moves=moves)
        return scored

    def hear(self, found: Distillation) -> Mapping[str, float]:
        """Learn of hubs, the next distillation of the log; both are to be recorded together, before the next lesson."""
        return self._kept_up(self._mind).hear(found) if self._mind is not None else {}

    def _early_lesson(self, outcome: Outcome) -> Lesson | None:
        """Return the lesson of an example that nobody can judge yet: whether its links will be followed is known already."""
        lesson = lesson_of(outcome)
        if lesson is None or lesson.redirect or lesson.relevance is not None:
            return lesson
        return structs.replace(lesson, followed=self._advisor.wants(outcome.claim))

    def expected(self, url: str) -> float:
        """Return what the store was told to expect of a URL; 0 of one that it was told nothing of."""
        return self._mind.priorities.told(url) if self._mind is not None else 0.0

    def revise(self, store: Told, *, now: float) -> None:
        """Go through the log, and tell the store what follows from it unless it has been told."""
        self._mind = None  # two at a time would take twice the memory
        mind = self._mind = self._recalled()
        if mind.priorities.began is not None:
            return
        rest = iter(mind.priorities.begin(self._lessons).items())
        while some := dict(islice(rest, MOVES)):
            store.move(some, now=now)
        store.note(APPLIED, f"{self._stamp}; {self._lessons} {mind.model.ground.heard}")

    @property
    def _stamp(self) -> str:
        """Whose priorities these are: an apprentice of another format would have told others."""
        return f"{self._kind} {FORMAT} {self._advisor.version}"

    def _kept_up(self, mind: Mind) -> Mind:
        """Make a checkpoint if it is time; learn everything again if the store has dropped an outcome, lesson and all."""
        if self._store.last_lesson() != self._lessons:
            mind = self._mind = self._recalled()
        elif self._checkpoints is not None:
            self._checkpoints.offer(mind, kind=self._kind, critic=self._advisor.version, lessons=self._lessons)
        return mind

    def _recalled(self) -> Mind:
        """Return what one knows and has told who took the lessons of the log one by one."""
        began = self._began()
        mind = self._restored(began.lessons if began is not None else None)
        log = history(self._store, after=self._lessons, heard=mind.model.ground.heard)
        for some in together(log, most=TOGETHER if began is None else 1):
            self._begin(mind, began)
            if isinstance(some, Distillation):
                mind.hear(some)  # what follows for the store was told when it was new
                continue
            _study(mind, [lesson for lesson in some if teaches(lesson)])
            self._lessons = some[-1].n
        self._begin(mind, began)
        return mind

    def _began(self) -> Began | None:
        """Return when the store was told everything, if it was."""
        stamp, _, rest = (self._store.note(APPLIED) or "").rpartition("; ")
        lessons, _, heard = rest.partition(" ")
        return Began(int(lessons), int(heard)) if stamp == self._stamp else None

    def _begin(self, mind: Mind, began: Began | None) -> None:
        if mind.priorities.began is None and began == Began(self._lessons, mind.model.ground.heard):
            mind.priorities.begin(self._lessons)

    def _restored(self, began: int | None) -> Mind:
        """Return what the checkpoint says; what was told since the store was told everything, only if that was then."""
        mind, self._lessons = self._blank(), 0
        if self._checkpoints is not None:
            critic, most = self._advisor.version, self._store.last_lesson()
            self._lessons = self._checkpoints.restore(mind, kind=self._kind, critic=critic, most=most)
        if mind.priorities.began == began:
            return mind
        if began is None or self._lessons <= began:
            return replace(mind, priorities=self._blank_priorities(mind.model))
        self._lessons = 0
        return self._blank()

    def _blank(self) -> Mind:
        model = self._make()
        model.ground.disown(self._advisor.disowned)
        return Mind(model, self._blank_priorities(model))

    def _blank_priorities(self, model: Model) -> Priorities:
        return Priorities(model, sample=self._sample, seed=self._seed)


def with_new_links(outcome: Outcome, told: Callable[[str], float]) -> Outcome:
    """Return an outcome of which new links are not forgotten: on a page visited again, or that had failed, of which no lesson tells.

    Of these as much is expected as of the others on the page, on the mean; a later page that cites them says more.
    """
    if outcome.lesson is not None or outcome.ending is not Ending.PAGE:
        return outcome
    expected = {found.link.url: told(found.link.url) for found in outcome.discoveries}
    others = [number for number in expected.values() if number > 0]
    if not others or len(others) == len(expected):
        return outcome
    hope = sum(others) / len(others)
    links = (
        found if expected[found.link.url] or found.refusal is not None else structs.replace(found, priority=hope)
        for found in outcome.discoveries
    )
    return replace(outcome, discoveries=tuple(links))


def lesson_of(outcome: Outcome) -> Lesson | None:
    """Return what there is to be learnt from an outcome; a page seen before, or a failure that may pass, teaches nothing."""
    if outcome.claim.fetched_before:
        return None
    if outcome.ending is Ending.REDIRECT:
        return Lesson(url=outcome.claim.url, redirect=True, links=(LessonLink(outcome.discoveries[0].link.url),))
    if not gives_lesson(outcome.ending, outcome.reason, counts=outcome.counts):
        return None
    if outcome.ending is Ending.FAILED:
        return Lesson(url=outcome.claim.url, relevance=0.0, failed=True)
    judgement = outcome.judgement or Judgement(relevance=0.0)
    return Lesson(
        url=outcome.claim.url,
        relevance=judgement.relevance if outcome.judgement else None,
        topics=judgement.topics or ((judgement.topic,) if judgement.topic else ()),
        followed=outcome.standing is None or outcome.standing.promise is not None,
        links=_links(outcome),
        stream=outcome.reading.stream if outcome.reading else b"",
    )


def _new_lesson(ground: Ground, outcome: Outcome) -> Lesson | None:
    """Return the lesson of an outcome, unless the log has one of its URL: it may have failed, and be there after all."""
    known = ground.known(outcome.claim.url)
    return lesson_of(outcome) if known is None or ground.is_open(known) else None


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


def _study(mind: Mind, lessons: Sequence[Lesson]) -> None:
    """Take lessons of the log in. What follows for the store was told when they were new."""
    mind.priorities.fetched([lesson.url for lesson in lessons])
    touched = [learnt.touched for learnt in mind.model.learn_all(lessons)]
    if touched and mind.priorities.began is not None:
        mind.priorities.after(len(lessons), np.concatenate(touched))
