"""What a crawl loses when it is killed: one crawl of the schools web, ended with SIGKILL at random moments and resumed.

Every other kill comes when the server has answered a drawn number of further requests, so that they are spread over
the whole crawl; those between come within the first moments of a run, when it repairs what the last kill left.
After each kill everything that the database vouches for must be readable. At the end the pages must be those of a
crawl that nobody disturbed, none of them twice, and the server must not have been asked for more than was in flight.
"""

import os
import random
import signal
import subprocess
import tempfile
import threading
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic, sleep

from bench.crawling import FULL_SPEED, UNJUDGED, crawl, crawl_command, new_crawl, pages_of
from bench.figures import Figure, Report, at_least, at_most, number
from bench.running import ROOT
from bench.serving import SCHOOLS, SCHOOLS_LOCK, SCHOOLS_SEED, missing, webs_file
from bench.wreckage import Wreck, count_archive, look_at
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.demo.protocol import LogEntry
from scenthound.demo.served_answer import Answer, AnsweringFunction
from scenthound.demo.server import ServedWeb
from scenthound.demo.warc_web import WarcWeb

KILLS = 20
SEED = 20
CONCURRENCY = 64  # as in FULL_SPEED
LIMIT = 300.0
START_UP = 1.5  # seconds from a run's start to its first pages, at most; early kills fall into them
SETTLE = 0.1  # seconds; a late kill comes up to this long after the request that it waits for


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """When to kill: after so many further requests, if any, and then so many seconds later."""

    requests: int
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Aftermath:
    """Everything there is to say about a crawl that was killed and resumed until it was complete."""

    wrecks: tuple[Wreck, ...]
    expected: frozenset[str]
    exported: tuple[str, ...]
    records: int
    captured_twice: int
    bad_digests: int
    torn_at_end: tuple[str, ...]
    requests: int
    asked_again: int


def run(*, quick: bool = False) -> Report:
    """Kill a crawl again and again, and look at what is left each time."""
    warc = webs_file(SCHOOLS)
    if warc is None:
        return Report(skipped=missing(SCHOOLS))
    web = WarcWeb([warc], preload=True)
    with tempfile.TemporaryDirectory() as folder:
        undisturbed, killed = Path(folder, "undisturbed"), Path(folder, "killed")
        with ServedWeb(web.answer) as served:
            new_crawl(undisturbed, SCHOOLS_SEED)
            crawl(undisturbed, _settings(served), limit=LIMIT)
        when = moments(2 if quick else KILLS, len(web.urls), SEED)
        wrecks, log = kill_and_resume(killed, web.answer, when, seed=SCHOOLS_SEED)
        return report(take_stock(undisturbed, killed, wrecks, log), kills=len(when))


def moments(kills: int, pages: int, seed: int) -> list[Moment]:
    """Draw when to kill a crawl of about that many pages.

    >>> [moment.requests > 0 for moment in moments(4, 1000, 1)]
    [True, False, True, False]
    """
    draw = random.Random(seed)
    usual = 0.8 * pages / max(1, (kills + 1) // 2)  # the last fifth is for what is fetched again, and for chance
    return [
        Moment(requests=0, seconds=draw.uniform(0, START_UP))
        if turn % 2
        else Moment(requests=round(usual * draw.uniform(0.5, 1.5)), seconds=draw.uniform(0, SETTLE))
        for turn in range(kills)
    ]


class Tripwire:
    """An answering function that sets an event at the answer that it was armed for."""

    def __init__(self, answer: AnsweringFunction) -> None:
        self._answer = answer
        self._left = 0
        self.asked = 0
        self.tripped = threading.Event()

    def arm(self, requests: int) -> None:
        self.tripped.clear()
        self._left = requests
        self.asked = 0

    def answer(self, host: str, path: str) -> Answer:
        self._left -= 1
        self.asked += 1
        if self._left == 0:
            self.tripped.set()
        return self._answer(host, path)


def kill_and_resume(
    path: Path, answer: AnsweringFunction, when: Sequence[Moment], *, seed: str
) -> tuple[list[Wreck], list[LogEntry]]:
    """Crawl with interruptions until the frontier is dry; return what each left, and the server's log."""
    wire = Tripwire(answer)
    wrecks: list[Wreck] = []
    with ServedWeb(wire.answer) as served:
        new_crawl(path, seed)
        for turn, moment in enumerate(when, start=1):
            if not _start_and_kill(crawl_command(path, _settings(served)), moment, wire):
                print("  the crawl was complete before it could be killed", flush=True)
                break
            wrecks.append(replace(look_at(path), asked=wire.asked))
            print(f"  kill {turn:>2}: {_in_words(wrecks[-1])}", flush=True)
        crawl(path, _settings(served), limit=LIMIT)
        return wrecks, served.log()


def _settings(served: ServedWeb) -> list[str]:
    return [*FULL_SPEED, *UNJUDGED, SCHOOLS_LOCK, f"fetch.proxy={served.proxy_url}"]


def _start_and_kill(command: Sequence[str], moment: Moment, wire: Tripwire) -> bool:
    """Start a crawl and kill it at a moment; return whether it was still at work then."""
    wire.arm(moment.requests)
    process = subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, start_new_session=True
    )
    until = monotonic() + LIMIT
    while moment.requests and not wire.tripped.wait(0.05) and process.poll() is None and monotonic() < until:
        pass
    sleep(moment.seconds)
    if process.poll() is not None:
        return False
    # The group is the crawl and its reader processes; a session of its own keeps everything else out of it.
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    return True


def take_stock(undisturbed: Path, killed: Path, wrecks: Sequence[Wreck], log: Sequence[LogEntry]) -> Aftermath:
    """Compare the crawl that was killed with the one that was not."""
    archive = count_archive(CrawlDirectory.open(killed).archive)
    asked = Counter((entry.host, entry.path) for entry in log if entry.path != "/robots.txt")
    return Aftermath(
        wrecks=tuple(wrecks),
        expected=frozenset(pages_of(undisturbed)),
        exported=tuple(pages_of(killed)),
        records=archive.records,
        captured_twice=archive.twice,
        bad_digests=archive.bad_digests,
        torn_at_end=look_at(killed).trouble,
        requests=asked.total(),
        asked_again=asked.total() - len(asked),
    )


def report(after: Aftermath, *, kills: int) -> Report:
    """Hold what is left against what was promised."""
    pages = frozenset(after.exported)
    in_flight = [wreck.in_flight for wreck in after.wrecks]
    may_repeat = sum(wreck.may_repeat for wreck in after.wrecks)
    trouble = [*(line for wreck in after.wrecks for line in wreck.trouble), *after.torn_at_end]
    figures = (
        Figure(name="kills survived", value=len(after.wrecks), goal=at_least(kills)),
        Figure(name="faults found after kills", value=len(trouble), goal=at_most(0)),
        Figure(name="pages at the end", value=len(pages)),
        Figure(name="pages missing against an undisturbed crawl", value=len(after.expected - pages), goal=at_most(0)),
        Figure(name="pages it alone has", value=len(pages - after.expected), goal=at_most(0)),
        Figure(name="pages twice in the export", value=len(after.exported) - len(pages), goal=at_most(0)),
        Figure(name="captures twice in the archive", value=after.captured_twice, goal=at_most(0)),
        Figure(name="archive records with a wrong digest", value=after.bad_digests, goal=at_most(0)),
        Figure(name="most claims in flight at a kill", value=max(in_flight, default=0), goal=at_most(CONCURRENCY)),
        Figure(name="requests made again", value=after.asked_again, goal=at_most(may_repeat)),
    )
    story = (
        f"{len(after.wrecks)} kills, when the crawl had {', '.join(number(wreck.pages) for wreck in after.wrecks)} "
        "pages. "
        f"In all {number(may_repeat)} requests may have been in flight; the server answered {number(after.requests)} "
        f"page requests, {number(after.asked_again)} of them for the second time. The archive has "
        f"{number(after.records)} records."
    )
    return Report(figures=figures, text=(story, *(f"- fault: {line}" for line in trouble[:20])))


def _in_words(wreck: Wreck) -> str:
    fault = "; ".join(wreck.trouble) or "no fault"
    return (
        f"{wreck.asked:>5} requests, {wreck.pages:>5} pages, {wreck.in_flight:>2} in flight, {wreck.members:>6} "
        "archive members, "
        f"{wreck.unrecorded_bytes:>7} bytes unrecorded, {fault}"
    )
