"""How long tests wait before they give up.

A test waits for a fact, and this is only the end of the wait when the fact never comes. It is generous, because a busy
machine can take twenty times as long as an idle one, and costs nothing where all is well. What hangs costs one worker
this much, and the run no more than that: other workers take over the tests of the one that waits.
"""

import os
import time
from collections.abc import Callable
from typing import Final

# Seconds. Beside fifteen to twenty busy processes on two cores the longest test took 198 in all, with a dozen waits, and
# the longest command 77. It was 900: a menu that did not come cost a run a quarter of an hour.
PATIENCE: Final = 300.0
_LOOK_EVERY: Final = 0.01


def until(condition: Callable[[], object], seconds: float = PATIENCE) -> bool:
    """Look again and again until something has come about; return whether it has."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return bool(condition())
        time.sleep(_LOOK_EVERY)
    return True


def waiting_for_a_core() -> float:
    """Return by how much the clock runs ahead of a process that always has work: 1 if there are cores enough.

    For the few times that only a clock can measure, such as those of a browser.
    """
    return max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))
