"""How long tests wait before they give up.

A test waits for a fact, and this is only the end of the wait when the fact never comes. It is generous, because a busy
machine can take twenty times as long as an idle one, and costs nothing where all is well.
"""

import os
import time
from collections.abc import Callable
from typing import Final

PATIENCE: Final = 900.0  # seconds; with eighteen busy processes on two cores, the demo took more than 300
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
