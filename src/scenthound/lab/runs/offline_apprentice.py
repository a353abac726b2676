"""Apprentices in the lab: the default one, or one trained before on another crawl (APPRENTICE §3.5)."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Final

from scenthound.apprentice.bayes.bayes_model import BayesModel
from scenthound.apprentice.crawl_guide import Advisor, ApprenticeGuide, lesson_of
from scenthound.apprentice.reason_numbers import NAMES
from scenthound.apprentice.scent import HUB, LEARNING, NOVELTY, RETURNS, ScentModel
from scenthound.crawl.order.guides import guide_of
from scenthound.errors import LabError
from scenthound.frontier.guide import Guide
from scenthound.settings.schema import ApprenticeSettings, Settings
from scenthound.store.base import Store
from scenthound.types import Distillation, Guidance, Lesson, Outcome

OFFLINE: Final = "offline"  # the parameter that asks for it
WITHOUT: Final = "without"


class LessonTaker:
    """A guide that only records the lessons of a crawl."""

    def advise(self, outcomes: Sequence[Outcome]) -> list[Guidance]:
        return [Guidance(lesson=lesson_of(outcome)) for outcome in outcomes]

    def hear(self, found: Distillation) -> None:
        pass

    def revise(self, store: Store) -> Iterator[Mapping[str, float]]:
        return iter(())


def guided(
    settings: Settings, *, store: Store, advisor: Advisor, before: Sequence[Lesson] | None, without: str = ""
) -> Guide | None:
    """Return the apprentice of the settings; with lessons `before`, one that learns from these and then no more.

    `without` names the scents that the default apprentice must do without, separated by commas.
    """
    if without:
        names = {*checked([name.strip() for name in without.split(",")]), *(() if settings.apprentice.hubs else (HUB,))}
        sample, seed = settings.apprentice.sample, settings.crawl.seed
        make = partial(ScentModel, without=names, lift=settings.apprentice.lift)
        return ApprenticeGuide(make, kind="scent", store=store, advisor=advisor, sample=sample, seed=seed)
    if before is None:
        return guide_of(settings, store=store, advisor=advisor, folder=None)
    return ApprenticeGuide(
        partial(_finished, settings=settings.apprentice, before=before),
        kind="bayes off-line",
        store=store,
        advisor=advisor,
    )


def checked(names: Sequence[str]) -> Sequence[str]:
    """Raise an error for unknown scents."""
    known = (*NAMES[1:], LEARNING, NOVELTY, RETURNS)
    for name in names:
        if name not in known:
            raise LabError(f'without = "{name}": there is no such thing to do without; name some of {", ".join(known)}')
    return names


def _finished(*, settings: ApprenticeSettings, before: Sequence[Lesson]) -> BayesModel:
    make = partial(BayesModel, d_max=settings.d_max, topics=settings.topics, cocitation=settings.cocitation, start=1)
    teacher = make()
    for lesson in before:
        if lesson.redirect or lesson.relevance is not None:
            teacher.learn(lesson)
    return make(before=teacher.settled())
