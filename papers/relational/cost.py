"""The cost of a piece of work: processor time, and pages of the database read into its cache.

Nothing in Python tells SQLite's own count of cache misses, but each of them is one read of the file, and Linux counts
the bytes that a process has read by such calls, wherever they came from. So a page that SQLite had dropped counts as
read although the operating system still has it in memory: what is counted is what a disk would be asked for if nothing
else cached it.
"""

import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import process_time

PAGE = 4096  # bytes that SQLite reads at a time, unless told otherwise
_COUNTS = Path("/proc/self/io")


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """Seconds of processor, and pages read; None where the system does not tell."""

    seconds: float
    reads: float | None


def cost_of(work: Callable[[], object]) -> Cost:
    """Do a piece of work and tell what it cost."""
    before, began = _bytes_read(), process_time()
    work()
    seconds, after = process_time() - began, _bytes_read()
    reads = None if before is None or after is None else (after - before) / PAGE
    return Cost(seconds=seconds, reads=reads)


def limit_cache(con: sqlite3.Connection, kilobytes: int) -> None:
    """Let SQLite keep so much of the database in memory, and begin with nothing."""
    con.execute("PRAGMA shrink_memory")
    con.execute(f"PRAGMA cache_size = -{kilobytes}")
    con.execute("PRAGMA shrink_memory")


def _bytes_read() -> int | None:
    """Return how many bytes this process has read by system calls; reading that itself takes some hundred."""
    try:
        lines = _COUNTS.read_text().splitlines()
    except OSError:
        return None
    return int(lines[0].removeprefix("rchar: "))
