"""Memory while a crawl runs: garbage is looked for only now and then, and large blocks go back to the system."""

import ctypes
import gc
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

# mallopt(3). By default the size above which a block has pages of its own rises to 32 MB with the blocks that are
# freed. The arrays of an apprentice then leave holes behind: with half a million URLs waiting, 640 MB instead of 520.
# With 128 KB, memory stays as small, but the arrays of each batch have pages of their own too. The system clears those
# again and again: twice the page faults of a whole crawl of 600 pages (`perf stat -e minor-faults`).
_M_TRIM_THRESHOLD: Final = -1
_M_MMAP_THRESHOLD: Final = -3
_LARGE: Final = 1 << 20
_MOST_KEPT: Final = 16 << 20  # free memory that is kept for the next batch


@contextmanager
def seldom_collected() -> Iterator[None]:
    """Let the garbage collector run once in a few hundred pages: values are freed without it, and cycles are few."""
    thresholds = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(100_000, 20, 100)
    try:
        yield
    finally:
        gc.set_threshold(*thresholds)
        gc.unfreeze()


def give_memory_back() -> None:
    """Give large blocks back to the system as soon as they are free, if the C library has a switch for it."""
    with suppress(AttributeError, OSError, TypeError):
        library = ctypes.CDLL(None)
        library.mallopt(_M_MMAP_THRESHOLD, _LARGE)
        library.mallopt(_M_TRIM_THRESHOLD, _MOST_KEPT)
