"""How long tests wait before they give up.

A test waits for a fact, and this is only the end of the wait when the fact never comes. It is generous, because a busy
machine can take twenty times as long as an idle one, and costs nothing where all is well.
"""

import time
from collections.abc import Callable
from typing import Final

PATIENCE: Final = 300.0  # seconds
_LOOK_EVERY: Final = 0.01


def until(condition: Callable[[], object], seconds: float = PATIENCE) -> bool:
    """Look again and again until something has come about; return whether it has."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return bool(condition())
        time.sleep(_LOOK_EVERY)
    return True
