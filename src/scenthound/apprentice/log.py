"""The log of an apprentice: lessons in the order in which it took them, with the hubs that were found in between."""

from collections import deque
from collections.abc import Iterable, Iterator
from typing import Final

from scenthound.store.base import Store
from scenthound.types import Distillation, Lesson

BATCH: Final = 500  # lessons read at a time
TOGETHER: Final = 50  # lessons that are best taken together


def history(store: Store, *, after: int = 0, heard: int = 0) -> Iterator[Lesson | Distillation]:
    """Yield the lessons and distillations after given ones, each distillation after the last lesson before it
    counted."""
    hubs = deque(store.distillations(after=heard))
    while lessons := store.lessons(after=after, limit=BATCH):
        for lesson in lessons:
            while hubs and hubs[0].lesson < lesson.n:
                yield hubs.popleft()
            yield lesson
        after = lessons[-1].n
    yield from hubs


def together(log: Iterable[Lesson | Distillation], *, most: int = TOGETHER) -> Iterator[list[Lesson] | Distillation]:
    """Yield what a log has with up to so many lessons together that follow each other.

    >>> log = [Lesson(url="a", n=1), Lesson(url="b", n=2), Lesson(url="c", n=3)]
    >>> [[lesson.n for lesson in some] for some in together(log, most=2)]
    [[1, 2], [3]]
    """
    some = list[Lesson]()
    for one in log:
        if some and (isinstance(one, Distillation) or len(some) == most):
            yield some
            some = []
        if isinstance(one, Distillation):
            yield one
        else:
            some.append(one)
    if some:
        yield some


def teaches(lesson: Lesson) -> bool:
    return lesson.redirect or lesson.relevance is not None
