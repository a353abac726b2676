"""Starting, pausing and stopping crawls from another program: each runs as a process of its own, in a session of its
own.

So a crash of either harms the other in nothing, and a crawl goes on when the program that started it ends. Crawls that
were started elsewhere are seen by the lock of their directory, and take the same signals.
"""

import os
import signal
import subprocess
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from scenthound.crawl.directory.crawl_directory import AtWork, CrawlDirectory
from scenthound.crawl.engine.loop import PAUSED
from scenthound.errors import DirectoryError, ScenthoundError
from scenthound.own_code import python
from scenthound.services.crawls.reader_store import reading

LOG: Final = "window.log"  # in the folder of logs: what the last process said that was started from here
_LAST_WORDS = 2000  # characters of it that are shown
_PATIENCE = 180.0  # seconds for which learning waits for a process that asks the critic in the same directory
_SETTLING = 20.0  # seconds for which a start waits for a critic that is learning in the same directory


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineState:
    """What a crawl's process does now.

    `doing` is "stopped", "starting", "crawling", "paused", "asking" (the crawl has ended, and the questions that stay
    asked are asked) or "learning". `said` are the last words of a process started
    here that has ended, `failed` whether it ended badly. `steerable` is false for a program that takes no signals.
    """

    doing: str
    process: int | None = None
    since: int = 0
    steerable: bool = True
    said: str = ""
    failed: bool = False

    @property
    def running(self) -> bool:
        return self.doing in ("starting", "crawling", "paused")


@dataclass(slots=True, kw_only=True)
class _Child:
    process: subprocess.Popen[bytes]
    learning: bool
    follow: Sequence[str] | None = None  # what is to be run when it has ended
    crawled: bool = False  # it was seen at work


class Engine:
    """The processes that were started from here, by directory."""

    def __init__(self) -> None:
        self._children: dict[Path, _Child] = {}
        self._lock = threading.Lock()

    def state(self, directory: CrawlDirectory) -> EngineState:
        """Return what runs in a directory, started from here or elsewhere."""
        child, found = self._children.get(directory.path), directory.at_work()
        ended = child is not None and child.process.poll() is not None
        if child is not None and found is not None and found.process == child.process.pid:
            child.crawled = True
        if found is None and child is not None and not ended:
            doing = "learning" if child.learning else "asking" if child.crawled else "starting"
            return EngineState(doing=doing, process=child.process.pid)
        if found is None:
            failed = child is not None and child.process.returncode not in (0, 130)
            return EngineState(doing="stopped", said=_last_words(directory) if child else "", failed=failed)
        if not found.takes_signals:
            return EngineState(doing="learning", process=found.process, since=found.since, steerable=False)
        doing = "paused" if _is_paused(directory) else "crawling"
        return EngineState(doing=doing, process=found.process, since=found.since)

    def start(self, directory: CrawlDirectory, options: Sequence[str] = ()) -> None:
        """Crawl as `scenthound crawl` does; `options` are those of that command. A paused crawl goes on."""
        with self._lock:
            state = self.state(directory)
            if state.doing == "paused":
                self._signal(directory, signal.SIGUSR2)
                return
            if state.running:
                raise DirectoryError(f"{directory.path.name} is being crawled already")
            if not directory.begun:
                directory.starting_points()  # if there are none, say so now
            self._wait_for_learning(directory)
            self._run(directory, ["crawl", str(directory.path), "--quiet", *options], learning=False)

    def pause(self, directory: CrawlDirectory) -> None:
        """Let what is in flight finish and ask for nothing more until `start`."""
        self._signal(directory, signal.SIGUSR1)

    def stop(self, directory: CrawlDirectory) -> None:
        """Let what is in flight finish, save, and end."""
        self._signal(directory, signal.SIGTERM)

    def learn(self, directory: CrawlDirectory) -> bool:
        """Have edited topics learnt; return whether that was begun here. A crawl that runs sees to it itself."""
        with self._lock:
            if not directory.begun or self.state(directory).running:
                return False
            command = ["topics", str(directory.path), "--retrain"]
            child = self._children.get(directory.path)
            if child is not None and child.learning and child.process.poll() is None:
                if child.follow is None:  # learning now, from topics that may be older: once more afterwards
                    child.follow = command
                    threading.Thread(target=self._then, args=(directory, child), daemon=True).start()
                return True
            if directory.is_running():  # somebody asks the critic something: afterwards
                threading.Thread(target=self._when_free, args=(directory, command), daemon=True).start()
                return True
            self._run(directory, command, learning=True)
            return True

    def at_work(self) -> list[AtWork]:
        """Return the crawls started here that still run, for the words at the end."""
        found = [CrawlDirectory(path=path).at_work() for path in self._children]
        return [one for one in found if one is not None]

    def _then(self, directory: CrawlDirectory, child: _Child) -> None:
        child.process.wait()
        with self._lock:
            if child.follow is not None and self._children.get(directory.path) is child:
                self._run(directory, child.follow, learning=True)

    def _when_free(self, directory: CrawlDirectory, command: Sequence[str]) -> None:
        end = time.monotonic() + _PATIENCE
        while directory.is_running() and time.monotonic() < end:
            time.sleep(0.1)
        with self._lock:
            if self.state(directory).doing == "stopped":  # else a crawl or another learner sees to it
                self._run(directory, command, learning=True)

    def _run(self, directory: CrawlDirectory, arguments: Sequence[str], *, learning: bool) -> None:
        directory.logs.mkdir(exist_ok=True)
        with (directory.logs / LOG).open("wb") as log:
            process = subprocess.Popen(
                python("scenthound", *arguments),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,  # Ctrl-C in the terminal of the window is not for the crawl
            )
        self._children[directory.path] = _Child(process=process, learning=learning)

    def _wait_for_learning(self, directory: CrawlDirectory) -> None:
        end = time.monotonic() + _SETTLING
        while directory.is_running() and time.monotonic() < end:
            time.sleep(0.05)
        child = self._children.get(directory.path)
        if child is not None:
            child.follow = None  # the crawl learns by itself

    def _signal(self, directory: CrawlDirectory, number: signal.Signals) -> None:
        found = directory.at_work()
        if found is None or found.process is None:
            child = self._children.get(directory.path)
            if child is None or child.process.poll() is not None or number != signal.SIGTERM:
                raise DirectoryError(f"{directory.path.name} is not being crawled")
            child.process.terminate()
            return
        if not found.takes_signals:
            raise DirectoryError(
                f"process {found.process} in {directory.path.name} cannot be reached from here; wait for it"
            )
        try:
            os.kill(found.process, number)
        except OSError as error:
            raise DirectoryError(f"process {found.process} cannot be signalled: {error.strerror}") from None


def _is_paused(directory: CrawlDirectory) -> bool:
    try:
        with reading(directory) as store:
            return store.note(PAUSED) == "yes"
    except ScenthoundError:  # it is just being made
        return False


def _last_words(directory: CrawlDirectory) -> str:
    try:
        text = (directory.logs / LOG).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    return text[-_LAST_WORDS:].strip().replace("scenthound: ", "")
