"""The same task from two disjoint halves of its examples, as FOCUS §4.3 starts two crawls from disjoint random subsets.

The papers took subsets of about 30 % of a few dozen start URLs; we have ten, and take half each. The critic learns from
all of them, so that the two crawls differ in where they start and in nothing else.
"""

import random
from dataclasses import replace

from scenthound.lab.experiment.seeds import seed_of
from scenthound.lab.experiment.values import Task


def halves(task: Task, *, seed: int) -> tuple[Task, Task]:
    """Return a task twice, with start pages that have none in common; of an odd number, one starts neither."""
    names = ("halves", str(seed), task.world, task.topic, str(task.draw))
    drawn = list(task.examples)
    random.Random(seed_of(*names)).shuffle(drawn)
    size = len(drawn) // 2
    return _starting(task, drawn[:size]), _starting(task, drawn[size : 2 * size])


def _starting(task: Task, start: list[str]) -> Task:
    return replace(task, start=tuple(url for url in task.examples if url in start))
