"""Stratified cross-validation: a critic that was trained without an example judges it.

Every class is spread evenly over the folds. An example and its twins are always held out together; otherwise the critic
would know the page.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scenthound.judge.critic import Critic, Example, Learner, Lessons, Page, Probabilities
from scenthound.taxonomy import OTHERS

Progress = Callable[[int, int], None]
Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """Held-out pages, a row of probabilities for each, and the classes of the columns.

    `held` includes the pages without a topic, under the topic OTHERS. `folds` is the number of trainings.
    """

    classes: tuple[str, ...]
    held: tuple[Example, ...]
    probabilities: Probabilities
    folds: int

    @property
    def said(self) -> list[str]:
        """The most likely class of each page."""
        return [self.classes[best] for best in self.probabilities.argmax(axis=1)]

    @property
    def sureness(self) -> NDArray[np.float64]:
        """The probability of the most likely class of each page."""
        best: NDArray[np.float64] = self.probabilities.max(axis=1)
        return best


def hold_back(
    learner: Learner,
    lessons: Lessons,
    *,
    groups: Sequence[int],
    classes: tuple[str, ...],
    folds: int,
    seed: int,
    done: Callable[[], None],
) -> Trial:
    """Train once for each fold on all the others, and judge the held-out pages.

    Examples with the same number in `groups` say the same; `done` is called after each training. A class with only one
    page is always taught and never held out.
    """
    asked = [*lessons.examples, *(_off_topic(page) for page in lessons.others)]
    each_alone = range(-len(lessons.others), 0)
    dealt = deal([example.topic for example in asked], [*groups, *each_alone], folds=folds, seed=seed)
    held: list[Example] = []
    rows: list[Probabilities] = [np.zeros((0, len(classes)))]
    for fold in range(folds):
        critic = learner.fit(_without(lessons, dealt, fold), seed=seed)
        away = [example for example, its in zip(asked, dealt, strict=True) if its == fold]
        held += away
        rows.append(_judge_pages(critic, [example.page for example in away], classes))
        done()
    return Trial(classes=classes, held=tuple(held), probabilities=np.concatenate(rows), folds=folds)


def deal(topics: Sequence[str], groups: Sequence[int], *, folds: int, seed: int) -> list[int | None]:
    """Return the fold in which each page is held out; None for the only page of its class and its group.

    Pages of a group go together. Each class continues dealing where the last one stopped, so the folds are equally
    large even if every class has only two pages.

    >>> deal(["a", "a", "a", "a", "b", "b", "c"], range(7), folds=2, seed=1)
    [1, 0, 1, 0, 1, 0, None]
    """
    places: dict[str, list[int]] = {}
    for place, topic in enumerate(topics):
        places.setdefault(topic, []).append(place)
    folds_of: dict[int, int | None] = {groups[members[0]]: None for members in places.values() if len(members) == 1}
    turn = 0
    for topic, members in places.items():
        for place in _shuffle_class(members, seed=f"{seed}/{topic}"):
            if groups[place] not in folds_of:
                folds_of[groups[place]] = turn % folds if folds else None
                turn += 1
    return [folds_of[group] for group in groups]


def _shuffle_class(members: list[int], *, seed: str) -> list[int]:
    """Shuffle the indices of one class with a separate random stream, so that another topic does not change them."""
    return random.Random(seed).sample(members, len(members))


def _without(lessons: Lessons, dealt: Sequence[int | None], fold: int) -> Lessons:
    count = len(lessons.examples)
    return Lessons(
        topics=lessons.topics,
        examples=tuple(one for one, its in zip(lessons.examples, dealt[:count], strict=True) if its != fold),
        others=tuple(one for one, its in zip(lessons.others, dealt[count:], strict=True) if its != fold),
        at_hand=lessons.at_hand,
    )


def _judge_pages(critic: Critic, pages: Sequence[Page], classes: Sequence[str]) -> Probabilities:
    """Judge pages, with columns in the order of `classes`; a class unknown to this critic has probability 0."""
    rows = np.zeros((len(pages), len(classes)))
    if not pages:
        return rows
    known = [place for place, each in enumerate(classes) if each in critic.classes]
    rows[:, known] = critic.judge(pages)[:, [critic.classes.index(classes[place]) for place in known]]
    return rows


def _off_topic(page: Page) -> Example:
    return Example(topic=OTHERS, name=page.url, page=page)
