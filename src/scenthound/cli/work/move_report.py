"""The work of `scenthound move`: move a crawl's store, say how far it is, and what is left at the old place."""

import shlex
import sys
import time
from pathlib import Path

from scenthound.counted import count
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.services.crawls.store_move import move_store
from scenthound.store.transfer.copy_store import Step
from scenthound.terminal import say

_EVERY = 2.0  # seconds between two lines


def show_move(path: Path, to: str) -> int:
    directory = CrawlDirectory.open(path)
    began = time.monotonic()
    moved = move_store(directory, to, say=_Lines().hear)
    rows = count(moved.copied.rows, "row")
    say(f"Moved to {moved.place}: {rows}, compared one by one, in {time.monotonic() - began:.1f} s.")
    say(f"The old crawl is kept as {moved.left}; delete it when you do not need it.")
    say(f"Go on with: {shlex.join(['scenthound', 'crawl', str(path)])}")
    return 0


class _Lines:
    """Says every few seconds how far a copy has come."""

    def __init__(self) -> None:
        self._said = time.monotonic()

    def hear(self, step: Step) -> None:
        if time.monotonic() - self._said >= _EVERY:
            self._said = time.monotonic()
            say(f"{step.doing} {step.table}: {step.done:,} of {step.rows:,}", file=sys.stderr, flush=True)
