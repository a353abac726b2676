"""The work of `scenthound watch`: rounds of crawling and asking in one process, with a line in the log for each step.

News goes to stdout, everything else to stderr. The first Ctrl-C or SIGTERM lets what is under way finish; a second one
ends it at once. Nothing is lost by either, nor by a kill.
"""

import signal
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from scenthound.cli.news.news_lines import report_lines
from scenthound.cli.work.crawl_run import run_with_view, visits_line
from scenthound.counted import count
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.crawl.directory.named_code import channels_of
from scenthound.crawl.directory.trust_check import require_trust
from scenthound.crawl.revisit.calendar import Revisit
from scenthound.errors import DirectoryError, ScenthoundError
from scenthound.events import StopCause, Summary
from scenthound.services.news.delivery import Post
from scenthound.services.news.question_run import RunWish, news_of, run_questions
from scenthound.services.news.watch_loop import WatchLoop, moment
from scenthound.services.news.watch_process import watching
from scenthound.settings.question_book import load_questions
from scenthound.settings.time_span import seconds_of
from scenthound.terminal import say
from scenthound.trust import require

_DAY = 86_400.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Watching:
    """The arguments of the command."""

    path: Path
    every: str = ""
    once: bool = False
    pages: int | None = None
    minutes: float | None = None
    overrides: Sequence[str] = ()
    crawls: bool = True


def watch_directory(wanted: Watching) -> int:
    """Watch a crawl until a signal, and return 0; after one round, 130 if it was interrupted, 1 if it failed."""
    every = seconds_of(wanted.every, of="--every") if wanted.every else _DAY
    directory = CrawlDirectory.open(wanted.path)
    rounds = Rounds(directory, wanted, every)
    rounds.check()
    with watching(directory), _ending_by_signal(rounds.over):
        loop = WatchLoop(
            directory=directory,
            every=every,
            now=time.time,
            wait=rounds.over.wait,
            do_round=rounds.do_round,
            send=rounds.send,
            tell=_tell,
            needs_engine=wanted.crawls,
        )
        finished = loop.run_once(only_if_due=bool(wanted.every)) if wanted.once else loop.run()
        if not wanted.once:
            rest = "" if finished else "; the round that was under way goes on at the next start"
            _tell(f"the watch of {directory.path} has ended; everything is saved{rest}")
    if not wanted.once:
        return 0
    return int(rounds.failed) if finished else 128 + signal.SIGINT


class Rounds:
    """What a watch does when a round is due."""

    def __init__(self, directory: CrawlDirectory, wanted: Watching, every: float) -> None:
        self._directory = directory
        self._wanted = wanted
        self._every = every
        self.over = threading.Event()
        self.failed = False

    def check(self) -> None:
        """Say what is wrong before the first round; later, what is wrong costs one round, and stands in the log."""
        settings = self._directory.settings(self._overrides)
        require_trust(self._directory, settings, given=self._given)
        require(self._directory.path, channels_of(load_questions(self._directory.path)))
        if self._wanted.crawls and not self._directory.begun:
            self._directory.starting_points()

    def do_round(self) -> bool:
        """Crawl and ask; return whether it was finished."""
        return self._crawl() and self._ask()

    def send(self) -> None:
        """Send news that could not be sent before."""
        channels = load_questions(self._directory.path).channels
        if channels:
            with news_of(self._directory) as store:
                post = Post(directory=self._directory, store=store, now=time.time)
                for one in post.deliver(channels):
                    _tell(one.says)

    def _crawl(self) -> bool:
        if not self._wanted.crawls:
            return True
        _tell(f"a round begins in {self._directory.path}")
        try:
            summary = self._run()
        except (ScenthoundError, OSError) as error:
            self.failed = True
            if isinstance(error, DirectoryError) and self._directory.is_running():
                _tell(f"{error}; this round only asks the questions")
            else:
                _tell(f"the crawl of this round failed: {error}")
            return not self.over.is_set()
        _tell(round_line(summary))
        return summary.cause is not StopCause.INTERRUPTED and not self.over.is_set()

    def _run(self) -> Summary:
        settings = self._directory.settings(self._overrides)
        return run_with_view(
            self._directory,
            settings,
            revisit=Revisit.DUE if self._directory.begun else None,
            quiet=True,
            given=self._given,
            heard=lambda _number: self.over.set(),
        )

    def _ask(self) -> bool:
        try:
            report = run_questions(self._directory, RunWish())
        except ScenthoundError as error:
            self.failed = True
            _tell(f"the questions could not be asked: {error}")
            return not self.over.is_set()
        self.failed = self.failed or report.failed
        for line in report_lines(report):
            say(line, flush=True)
        return True

    @property
    def _overrides(self) -> list[str]:
        minutes = self._wanted.minutes
        if minutes is None and not any(one.partition("=")[0].strip() == "crawl.minutes" for one in self._given):
            minutes = self._every / 60  # else a round on the open web would never end, and nothing would be asked
        pages = [] if self._wanted.pages is None else [f"crawl.pages={self._wanted.pages}"]
        return [*self._wanted.overrides, *pages, *([] if minutes is None else [f"crawl.minutes={float(minutes)!r}"])]

    @property
    def _given(self) -> list[str]:
        return [one.partition("=")[0].strip() for one in self._wanted.overrides]


def round_line(summary: Summary) -> str:
    """Say how the crawl of a round ended."""
    done = visits_line(summary) if summary.changes else f"{count(summary.pages_this_run, 'page')} fetched."
    return f"the crawl of this round stopped: {summary.cause}. {done}"


def _tell(text: str) -> None:
    say(f"{moment(time.time())} {text[:1].upper()}{text[1:]}", file=sys.stderr, flush=True)


@contextmanager
def _ending_by_signal(over: threading.Event) -> Iterator[None]:
    """End the watch on Ctrl-C or SIGTERM; the second one ends it at once."""

    def handle(number: int, _frame: FrameType | None) -> None:
        if over.is_set():
            raise KeyboardInterrupt
        over.set()

    before = {number: signal.signal(number, handle) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
