"""All that an apprentice knows, in the order in which it came to know it: lessons, and between them the hubs that were found."""

from collections import deque
from collections.abc import Iterator
from typing import Final

from scenthound.store.base import Store
from scenthound.types import Distillation, Lesson

BATCH: Final = 500  # lessons read at a time


def history(store: Store, *, after: int = 0, heard: int = 0) -> Iterator[Lesson | Distillation]:
    """Yield the lessons after one, and the distillations after one, each after the lesson that was the last before it counted."""
    hubs = deque(store.distillations(after=heard))
    while lessons := store.lessons(after=after, limit=BATCH):
        for lesson in lessons:
            while hubs and hubs[0].lesson < lesson.n:
                yield hubs.popleft()
            yield lesson
        after = lessons[-1].n
    yield from hubs


def teaches(lesson: Lesson) -> bool:
    return lesson.redirect or lesson.relevance is not None
