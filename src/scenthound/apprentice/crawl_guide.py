"""The apprentice as the guide of a crawl: it makes a lesson of each outcome, learns, and returns new priorities.

Its knowledge is the log of lessons in the store, and nothing else. After a crash, or when all pages were judged again,
it replays the log, from the last checkpoint if that still holds.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final, Protocol

import numpy as np
from msgspec import structs

from scenthound.apprentice.checkpoint import FORMAT, Checkpoints
from scenthound.apprentice.log import TOGETHER, history, teaches, together
from scenthound.apprentice.memory.ground import Ground, Ints
from scenthound.apprentice.model import Model, State
from scenthound.apprentice.priorities import Priorities
from scenthound.store.base import Store
from scenthound.store.rules import gives_lesson
from scenthound.types import Claim, Distillation, Ending, Guidance, Judgement, Lesson, LessonLink, Outcome, Reason

MOVES: Final = 10_000  # priorities written at a time
APPLIED: Final = "apprentice applied"  # a note: whose priorities the frontier has, and since which lesson

CHOSEN, DRAWN = b"c", b"d"  # how the reasons of a lesson begin

Make = Callable[[], Model]


@dataclass(frozen=True, slots=True)
class Began:
    """The moment when the store had all priorities: after so many lessons, and which distillation."""

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
    """An apprentice together with the priorities that the store has from it."""

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
    """Guide a crawl by an apprentice from `make`. Call `revise` before `advise`: until then there is no critic."""

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
        self._read = 0  # lessons of the log up to which the model has learnt them all
        self._own = set[str]()  # URLs of lessons that it took since, and that should be in the log

    def advise(self, outcomes: Sequence[Outcome]) -> list[Guidance]:
        """Learn from a batch, in order. The advice on the last outcome carries the new priorities of waiting URLs."""
        if self._mind is None:
            return [Guidance(lesson=self._early_lesson(outcome)) for outcome in outcomes]
        mind = self._kept_up(self._mind)
        given, touched = list[Guidance](), list[Ints]()
        before = self._lessons
        lessons = [_new_lesson(mind.model.ground, outcome) for outcome in outcomes]
        teaching = [lesson for lesson in lessons if lesson is not None and teaches(lesson)]
        drawn = iter(mind.priorities.note_fetched([lesson.url for lesson in teaching]))
        taken = iter(mind.model.learn_all(teaching))
        for outcome, lesson in zip(outcomes, lessons, strict=True):
            if lesson is not None and teaches(lesson):
                learnt = next(taken)
                touched.append(learnt.touched)
                lesson = structs.replace(
                    lesson, score=learnt.score, reasons=mark_reasons(learnt.reasons, drawn=next(drawn))
                )
            if lesson is not None:
                self._lessons += 1
                self._own.add(lesson.url)
            links = hopes_of_new_links(outcome, mind.priorities.reported_priority) if lesson is None else {}
            given.append(Guidance(lesson=lesson, links=links))
        if touched:
            moves = mind.priorities.after(self._lessons - before, np.concatenate(touched))
            given[-1] = Guidance(lesson=given[-1].lesson, links=given[-1].links, moves=moves)
        return given

    def hear(self, found: Distillation) -> Mapping[str, float]:
        """Learn of hubs, the next distillation of the log; both are to be recorded together, before the next lesson."""
        return self._kept_up(self._mind).hear(found) if self._mind is not None else {}

    def _early_lesson(self, outcome: Outcome) -> Lesson | None:
        """Return the lesson of an example before there is a critic: it is known already whether its links will be
        followed."""
        lesson = lesson_of(outcome)
        if lesson is None or lesson.redirect or lesson.relevance is not None:
            return lesson
        return structs.replace(lesson, followed=self._advisor.wants(outcome.claim))

    def expected(self, url: str) -> float:
        """Return the priority that the store has for a URL from here; 0 if none."""
        return self._mind.priorities.reported_priority(url) if self._mind is not None else 0.0

    def revise(self, store: Store) -> Iterator[Mapping[str, float]]:
        """Go through the log, and yield the priorities that follow from it, unless the store has them.

        When the caller has taken the last piece, a note in the store says so.
        """
        self._mind = None  # two at a time would take twice the memory
        mind = self._mind = self._recalled()
        if mind.priorities.began is not None:
            return
        rest = iter(mind.priorities.begin(self._lessons).items())
        while some := dict(islice(rest, MOVES)):
            yield some
        store.note(APPLIED, f"{self._stamp}; {self._lessons} {mind.model.ground.heard}")

    @property
    def _stamp(self) -> str:
        """Whose priorities these are: an apprentice of another format would have told others."""
        return f"{self._kind} {FORMAT} {self._advisor.version}"

    def _kept_up(self, mind: Mind) -> Mind:
        """Learn what other engines have recorded, and make a checkpoint if it is time. Learn everything again if the
        store has dropped an outcome with its lesson."""
        if self._store.last_lesson() != self._lessons:
            if not self._learn_from_others(mind):
                mind = self._mind = self._recalled()
        elif self._checkpoints is not None:
            self._checkpoints.offer(mind, kind=self._kind, critic=self._advisor.version, lessons=self._lessons)
        self._read = self._lessons
        self._own.clear()
        return mind

    def _learn_from_others(self, mind: Mind) -> bool:
        """Take the lessons in that other engines have recorded since, in the order of the log.

        Each engine reports the priorities that follow from its own lessons. Return False if the log lacks a lesson that
        this engine took, so that it knows too much.
        """
        news = list(history(self._store, after=self._read, heard=mind.model.ground.heard))
        lessons = [one for one in news if isinstance(one, Lesson)]
        if not self._own <= {lesson.url for lesson in lessons}:
            return False
        for some in together(one for one in news if isinstance(one, Distillation) or one.url not in self._own):
            if isinstance(some, Distillation):
                mind.hear(some)
            else:
                _study(mind, [lesson for lesson in some if teaches(lesson)])
        self._lessons = lessons[-1].n if lessons else self._lessons
        return self._store.last_lesson() >= self._lessons

    def _recalled(self) -> Mind:
        """Return what one knows and has told who took the lessons of the log one by one."""
        self._own.clear()
        began = self._began()
        mind = self._restored(began.lessons if began is not None else None)
        log = history(self._store, after=self._lessons, heard=mind.model.ground.heard)
        for some in together(log, most=TOGETHER if began is None else 1):
            self._begin(mind, began)
            if isinstance(some, Distillation):
                mind.hear(some)  # the store got the priorities when it was new
                continue
            _study(mind, [lesson for lesson in some if teaches(lesson)])
            self._lessons = some[-1].n
        self._begin(mind, began)
        self._read = self._lessons
        return mind

    def _began(self) -> Began | None:
        """Return the moment when the store had all priorities, if it had."""
        stamp, _, rest = (self._store.note(APPLIED) or "").rpartition("; ")
        lessons, _, heard = rest.partition(" ")
        return Began(int(lessons), int(heard)) if stamp == self._stamp else None

    def _begin(self, mind: Mind, began: Began | None) -> None:
        if mind.priorities.began is None and began == Began(self._lessons, mind.model.ground.heard):
            mind.priorities.begin(self._lessons)

    def _restored(self, began: int | None) -> Mind:
        """Restore the checkpoint; the priorities since the store had all, only if the checkpoint counts from that
        moment."""
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


def hopes_of_new_links(outcome: Outcome, told: Callable[[str], float]) -> dict[str, float]:
    """Return priorities of new links on a page that gives no lesson: one visited again, or one that had failed before.

    A new link gets the mean of what is expected of the other links on the page. A later page that cites it says more.
    """
    if outcome.ending is not Ending.PAGE:
        return {}
    expected = {found.link.url: told(found.link.url) for found in outcome.discoveries}
    others = [number for number in expected.values() if number > 0]
    if not others or len(others) == len(expected):
        return {}
    hope = sum(others) / len(others)
    new = (found.link.url for found in outcome.discoveries if found.refusal is None)
    return {url: hope for url in new if not expected[url]}


def lesson_of(outcome: Outcome) -> Lesson | None:
    """Return the lesson of an outcome. A page seen before, or a failure that may pass, gives none."""
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
        relevance=judgement.worth if outcome.judgement else None,
        topics=judgement.topics or ((judgement.topic,) if judgement.topic else ()),
        followed=outcome.standing is None or outcome.standing.promise is not None,
        links=_links(outcome),
        stream=outcome.reading.stream if outcome.reading else b"",
        fingerprint=outcome.reading.fingerprint if outcome.reading else None,
    )


def _new_lesson(ground: Ground, outcome: Outcome) -> Lesson | None:
    """Return the lesson of an outcome, unless the log has one for its URL: a URL may fail first, and be there later."""
    known = ground.known(outcome.claim.url)
    return lesson_of(outcome) if known is None or ground.is_open(known) else None


def _links(outcome: Outcome) -> tuple[LessonLink, ...]:
    """Return the links that may be followed but for the topic of their page, each URL once, at its first place."""
    found = {
        one.link.url: LessonLink(one.link.url, one.link.first_leaf, one.link.last_leaf)
        for one in reversed(outcome.discoveries)
        if one.refusal in (None, Reason.OFF_TOPIC)
    }
    return tuple(reversed(found.values()))


def mark_reasons(reasons: bytes, *, drawn: bool) -> bytes:
    """Return reasons with a mark on those of a URL that was drawn by chance."""
    return (DRAWN if drawn else CHOSEN) + reasons if reasons else b""


def _study(mind: Mind, lessons: Sequence[Lesson]) -> None:
    """Take lessons of the log in. The store got the priorities when they were new."""
    mind.priorities.note_fetched([lesson.url for lesson in lessons])
    touched = [learnt.touched for learnt in mind.model.learn_all(lessons)]
    if touched and mind.priorities.began is not None:
        mind.priorities.after(len(lessons), np.concatenate(touched))
