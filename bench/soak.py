"""A crawl that goes on and on: memory, open files, the log of the database and the speed, looked at every few seconds.

An endless web is served on loopback: every page has forty links, thirty of them to pages never seen, on hosts that
become more. `scenthound crawl` crawls it with a critic and the apprentice, distiller and archive, for an hour or as
long as `--minutes` says. What counts is the second half of the time against the first: what grows without end shows
there.
"""

import os
import signal
import subprocess
import tempfile
import zlib
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import median
from time import monotonic, sleep
from typing import Final

from bench.crawling import crawl_command
from bench.figures import Figure, Report, at_least, at_most, markdown_table
from bench.made_pages import KINDS, link, memory_of, page, topics
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.demo.served_answer import Answer
from scenthound.demo.server import ServedApart
from scenthound.store.sqlite.connection import open_reader

MINUTES: Final = 60.0
LOOKS: Final = 120  # at a crawl, evenly spread
ROWS: Final = 12  # of them shown
LINKS, NEW = 40, 30
PARTS: Final = 4  # of the time: the second is compared with the last
_HTML: Final = (("Content-Type", "text/html; charset=utf-8"),)


@dataclass(frozen=True)
class EndlessWeb:
    """Pages /KIND/NUMBER.html without end. A page of a kind links mostly to its own."""

    def answer(self, host: str, path: str) -> Answer:
        kind, _, name = path.strip("/").partition("/")
        number = name.removesuffix(".html")
        if kind not in KINDS or not number.isdigit():
            return Answer(status=404)
        draw = Random(zlib.crc32(f"{host}/{kind}/{number}".encode()))
        links = [_link(host, kind, draw, new=place < NEW) for place in range(LINKS)]
        return Answer(headers=_HTML, body=page(f"{kind} {number}", kind, links, draw).encode())


def _link(host: str, kind: str, draw: Random, *, new: bool) -> str:
    to = kind if draw.random() < 0.7 else draw.choice(KINDS)
    place = host if draw.random() < 0.5 else f"h{draw.randrange(3000)}.test"
    number = draw.randrange(10**12) if new else draw.randrange(50)
    return link(f"http://{place}/{to}/{number}.html", to, draw)


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """A crawl at one moment."""

    seconds: float
    memory: float  # megabytes of the main process, of which others have no share
    files: int
    log: float  # megabytes
    database: float
    pages: int
    waiting: int


def run(*, quick: bool = False) -> Report:
    """Crawl for an hour, and look on."""
    return soak(0.5 if quick else MINUTES)


def soak(minutes: float) -> Report:
    """Crawl for so long, and look on."""
    with tempfile.TemporaryDirectory() as folder, ServedApart(EndlessWeb().answer) as served:
        path = Path(folder) / "crawl"
        examples = {kind: [f"http://h{n}.test/{kind}/{n}.html" for n in range(8)] for kind in KINDS}
        directory = CrawlDirectory.create(path, topics=topics(examples))
        settings = (
            "fetch.delay=0.02",
            "fetch.per_domain=0",
            "fetch.per_ip=0",
            "crawl.choosy=0",
            'fetch.contact="soak@localhost"',
            f'fetch.resolve={{"*.test" = "127.0.0.1:{served.port}"}}',
            f"crawl.minutes={minutes}",
        )
        looks = watched(crawl_command(path, settings), directory, seconds=60 * minutes)
        left = _size(directory.database.with_name("crawl.db-wal"))
    return report(looks, left)


def watched(command: Sequence[str], directory: CrawlDirectory, *, seconds: float) -> list[Look]:
    """Run a crawl to its end and look at it."""
    looks: list[Look] = []
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    began = monotonic()
    try:
        while process.poll() is None and monotonic() - began < seconds + 120:
            sleep(seconds / LOOKS)
            if directory.database.exists() and (seen := _look(process.pid, directory, monotonic() - began)):
                looks.append(seen)
                print(
                    f"    {seen.seconds:6.0f} s {seen.pages:>9,} pages {seen.waiting:>11,} waiting {seen.memory:6.0f} "
                    "MB "
                    f"{seen.files:>4} files, log {seen.log:.1f} MB, database {seen.database:.0f} MB",
                    flush=True,
                )
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGTERM)
        process.wait(timeout=120)
    return looks


def _look(pid: int, directory: CrawlDirectory, seconds: float) -> Look | None:
    try:
        with closing(open_reader(directory.database)) as con:
            totals = dict(con.execute("SELECT name, value FROM counters").fetchall())
        memory = memory_of(pid)
        files = sum(1 for _ in Path(f"/proc/{pid}/fd").iterdir())
    except Exception:  # it has just ended, or has no tables yet
        return None
    return Look(
        seconds=seconds,
        memory=memory,
        files=files,
        log=_size(directory.database.with_name("crawl.db-wal")),
        database=_size(directory.database),
        pages=int(totals.get("pages", 0)),
        waiting=int(totals.get("url:waiting", 0)),
    )


def _size(path: Path) -> float:
    return path.stat().st_size / 1e6 if path.exists() else 0.0


def report(looks: Sequence[Look], left: float) -> Report:
    """Compare the second quarter of the time with the last one."""
    share = len(looks) // PARTS
    early, late = looks[share : 2 * share], looks[-share:]
    if len(early) < 2:
        return Report(skipped="the crawl ended before it could be looked at; give it more --minutes")
    rows = [
        [
            f"{one.seconds:.0f}",
            f"{one.pages:,}",
            f"{one.waiting:,}",
            f"{one.memory:.0f}",
            str(one.files),
            f"{one.log:.1f}",
            f"{one.database:.0f}",
        ]
        for one in looks[:: max(1, len(looks) // ROWS)]
    ]
    headings = ["seconds", "pages", "URLs waiting", "memory (MB)", "open files", "log (MB)", "database (MB)"]
    return Report(
        figures=(
            Figure(
                name="memory, last quarter of the time to the second",
                value=_ratio(late, early, lambda one: one.memory),
                goal=at_most(1.5),
            ),
            Figure(
                name="open files, last quarter to the second",
                value=_ratio(late, early, lambda one: one.files),
                goal=at_most(1.5),
            ),
            Figure(
                name="longest log to the database (or 64 MB)",
                value=max(one.log / max(4.0, min(64.0, one.database)) for one in looks),
                goal=at_most(2.5),
            ),
            Figure(name="log left after the stop (MB)", value=left, goal=at_most(0.0)),
            Figure(
                name="pages a second, last quarter to the second",
                value=_speed(late) / max(1e-9, _speed(early)),
                goal=at_least(0.5),
            ),
            Figure(name="pages", value=looks[-1].pages),
        ),
        text=(markdown_table(headings, rows, right=range(7)),),
    )


def _ratio(late: Sequence[Look], early: Sequence[Look], of: Callable[[Look], float]) -> float:
    return median(map(of, late)) / max(1e-9, median(map(of, early)))


def _speed(looks: Sequence[Look]) -> float:
    return (looks[-1].pages - looks[0].pages) / max(1e-9, looks[-1].seconds - looks[0].seconds)
