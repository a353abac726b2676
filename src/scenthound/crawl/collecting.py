"""The garbage collector while a crawl runs: outcomes hold no cycles, so that it is asked to look for some only now and then."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


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
