"""The indexer beside a crawl: follows it every few seconds, with little processor time of its own.

Started as `python -m scenthound.services.search.indexer DIR` by `indexing_beside`; ends when its standard input closes.
It is so nice that it gets a few percent of a processor that others want. A crawl that waits for the web leaves it all
it needs; one that uses every processor shares little with it, and the index falls behind for some time. The scheduling
class SCHED_IDLE would give it nothing at all there, so it was not taken; the two were not compared.
"""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.errors import ScenthoundError
from scenthound.own_code import python

PAUSE: Final = 3.0  # seconds between looks at the crawl: each makes a segment, and waits for the disk
DELAY: Final = 10.0  # seconds of a crawl before the indexer starts: the next question indexes a shorter one in a second
_NICE: Final = 15  # by the kernel's weights 3 % of a processor beside a usual process, 10 % beside a reader
# Threads of the linear algebra wait for each other at work: on a busy machine they took three times the processor time
# to learn vectors from 1,000 schools pages.
_ONE_THREAD: Final = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}


def main(path: Path) -> None:
    """Catch up until the standard input closes."""
    from scenthound.services.search.catch_up import follow  # which the crawl that starts this need not import

    _give_way()
    threading.Thread(target=_end_with_input, daemon=True).start()
    follow(CrawlDirectory.open(path), pause=lambda: time.sleep(PAUSE))


@contextmanager
def indexing_beside(directory: CrawlDirectory, *, on: bool = True, delay: float = DELAY) -> Iterator[None]:
    """Have an indexer beside a crawl while the `with` lasts. It is ended at once: what it acknowledged is safe."""
    if not on:
        yield
        return
    started: list[subprocess.Popen[bytes]] = []
    timer = threading.Timer(delay, lambda: started.append(_start(directory)))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        for process in started:
            with process:  # closes its input
                process.kill()


def _start(directory: CrawlDirectory) -> subprocess.Popen[bytes]:
    directory.logs.mkdir(exist_ok=True)
    with (directory.logs / "search.log").open("ab") as errors:
        return subprocess.Popen(
            python("scenthound.services.search.indexer", str(directory.path)),
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=errors,
            # Ctrl-C is for the crawl. Not a session of its own: Linux shares processors evenly between sessions
            # (autogroups, sched(7)), and niceness counts inside one only.
            process_group=0,
            env={**os.environ, **_ONE_THREAD},
        )


def _give_way() -> None:
    os.nice(_NICE)
    with suppress(AttributeError, OSError):  # where the system has no such class, the niceness must do
        os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))


def _end_with_input() -> None:
    while os.read(0, 1):
        pass
    os._exit(0)


if __name__ == "__main__":
    try:
        main(Path(sys.argv[1]))
    except ScenthoundError as error:
        sys.exit(str(error))
