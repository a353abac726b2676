"""The process that watches a crawl: one for each directory, found by its lock, and started and stopped from elsewhere.

A watch that was begun in the window is wanted until it is ended there: `serve` starts it again.
"""

import fcntl
import os
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Final

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.errors import DirectoryError, ScenthoundError
from scenthound.own_code import python
from scenthound.services.crawls.crawl_list import Crawls
from scenthound.services.news.question_run import DATABASE, news_of
from scenthound.services.news.timetable import noted_of
from scenthound.settings.time_span import seconds_of

LOG: Final = "watch.log"  # in the folder of logs
_LOCK: Final = "watch.lock"
_WANTED: Final = "watch wanted"  # the fact that the window keeps it going, with its span
_STARTING: Final = 60.0  # seconds for a process to take its lock


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchState:
    """Whether a crawl is watched, by which process, how often, and when the next round is due."""

    running: bool = False
    process: int | None = None
    every: float | None = None
    due: float | None = None
    wanted: str = ""


@contextmanager
def watching(directory: CrawlDirectory) -> Iterator[None]:
    """Be the one process that watches a crawl. The lock ends with this process, however that ends."""
    descriptor = os.open(directory.path / _LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    with os.fdopen(descriptor, "r+", encoding="ascii", errors="replace") as file:
        if not _take_soon(descriptor):
            number = file.read().strip()
            raise DirectoryError(
                f"{directory.path} is already watched by process {number}; stop it first: kill {number}"
            )
        file.truncate(0)
        file.write(f"{os.getpid()}\n")
        file.flush()
        yield


def watch_state(directory: CrawlDirectory) -> WatchState:
    """Return who watches a crawl, and when."""
    if not (directory.path / DATABASE).exists():
        return WatchState()
    noted, process = noted_of(directory), _process(directory)
    with news_of(directory) as store:
        wanted = store.fact(_WANTED) or ""
    if noted is None:
        return WatchState(running=process is not None, process=process, wanted=wanted)
    return WatchState(running=process is not None, process=process, every=noted.every, due=noted.due, wanted=wanted)


def start_watch(directory: CrawlDirectory, every: str) -> None:
    """Watch a crawl in a process of its own, which goes on when this one ends."""
    seconds_of(every, of="every")
    if _process(directory) is not None:
        raise DirectoryError(f"{directory.path.name} is watched already; end that first")
    with news_of(directory) as store:
        store.fact(_WANTED, every)
    directory.logs.mkdir(exist_ok=True)
    with (directory.logs / LOG).open("ab") as log:
        process = subprocess.Popen(
            python("scenthound", "watch", str(directory.path), "--every", every),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    threading.Thread(target=process.wait, daemon=True).start()  # so that it leaves nothing behind when it ends
    _wait_for(directory, process)


def stop_watch(directory: CrawlDirectory) -> None:
    """End a watch in good order. It is not wanted any more."""
    with news_of(directory) as store:
        store.fact(_WANTED, "")
    process = _process(directory)
    if process is None:
        raise DirectoryError(f"{directory.path.name} is not watched")
    try:
        os.kill(process, signal.SIGTERM)
    except OSError as error:
        raise DirectoryError(f"process {process} cannot be stopped: {error.strerror}") from None


def resume_watches(crawls: Crawls) -> list[str]:
    """Start the watches that the window began and nobody ended; return the names of their crawls."""
    started = []
    for name in crawls.names():
        try:
            directory = crawls.open(name)
            state = watch_state(directory)
            if state.wanted and not state.running:
                start_watch(directory, state.wanted)
                started.append(name)
        except ScenthoundError:  # its own page says what is wrong with it
            continue
    return started


def _wait_for(directory: CrawlDirectory, process: "subprocess.Popen[bytes]") -> None:
    end = time.monotonic() + _STARTING
    while _process(directory) is None and time.monotonic() < end:
        if process.poll() is not None:
            said = (directory.logs / LOG).read_text(encoding="utf-8", errors="replace").strip().splitlines()
            raise DirectoryError((said or ["the watch ended at once"])[-1].removeprefix("scenthound: "))
        time.sleep(0.05)


def _take_soon(descriptor: int) -> bool:
    """Try for a tenth of a second: `watch_state` in another process holds the lock for an instant to test it."""
    for _ in range(10):
        with suppress(BlockingIOError):
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        time.sleep(0.01)
    return False


def _process(directory: CrawlDirectory) -> int | None:
    """Return the process that holds the lock, if one does."""
    try:
        with (directory.path / _LOCK).open(encoding="ascii", errors="replace") as file:
            try:
                fcntl.flock(file.fileno(), fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError:
                number = file.read().strip()
                return int(number) if number.isdigit() else None  # it is just being written
    except FileNotFoundError:
        pass
    return None
