"""A crawl when the system fails: failing writes and syncs (EIO, ENOSPC), too few open files, too large files.

strace injects the faults into the very calls on the archive, the database and its log, once or from some call on. The
limits are those of ulimit. Each crawl must end by itself, with one line that says what is the matter, and leave
everything that it recorded readable. Then the same crawl goes on without faults, and must have every page in the end.
"""

import os
import shlex
import shutil
import signal
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final

from bench import made_pages
from bench.crawling import FULL_SPEED, UNJUDGED, crawl, crawl_command, pages_of
from bench.figures import Figure, Report, at_least, at_most, markdown_table
from bench.killed_commands import check_spots
from bench.running import ROOT, measured, scenthound
from bench.wreckage import look_at
from scenthound.demo.served_answer import Answer
from scenthound.demo.server import ServedApart

PAGES: Final = 150
HOSTS: Final = 5
LIMIT: Final = 300.0  # seconds: under strace, on a busy machine
MISSING: Final = "strace was not found: NO FAULT WAS INJECTED; install the package strace"
WRITES: Final = "write,pwrite64,writev,pwritev"
SYNCS: Final = "fsync,fdatasync"
ARCHIVE, LOG, DATABASE = "archive/scenthound-00001.warc.gz", "crawl.db-wal", "crawl.db"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """Calls of a kind on a file of the crawl that fail, from which on, or a limit of the shell."""

    name: str
    calls: str = ""
    error: str = ""
    when: str = ""
    file: str = ""
    limit: str = ""

    def command(self, crawl_at: Path, command: list[str]) -> list[str]:
        """Return a command under this fault."""
        if self.limit:
            return ["bash", "-c", f"{self.limit} && exec {shlex.join(command)}"]
        inject = f"inject={self.calls}:error={self.error}:when={self.when}"
        path = str(crawl_at / self.file)
        return [
            "strace",
            "--seccomp-bpf",  # other calls are not stopped at
            "-f",
            "-qq",
            "-o",
            "/dev/null",
            "-P",
            path,
            "-e",
            f"trace={self.calls}",
            "-e",
            inject,
            *command,
        ]


FAULTS: Final = tuple(
    Fault(name=f"{what} of {file}: {error}, {how}", calls=calls, error=error, when=when, file=file)
    for file in (ARCHIVE, LOG, DATABASE)
    for what, calls, error, how, when in (
        ("writes", WRITES, "ENOSPC", "from the third on", "3+"),
        ("writes", WRITES, "EIO", "the fifth", "5"),
        ("syncs", SYNCS, "EIO", "from the second on", "2+"),
    )
)
LIMITS: Final = (
    Fault(name="40 open files", limit="ulimit -n 40"),
    Fault(name="files of 256 KB", limit="trap '' XFSZ; ulimit -f 256"),
    Fault(name="files of 64 KB", limit="trap '' XFSZ; ulimit -f 64"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Met:
    """What became of a crawl under a fault."""

    fault: Fault
    code: int | None  # None: it did not end
    said: str
    trouble: tuple[str, ...]
    missing: int  # pages, when it had gone on to its end

    @property
    def fine(self) -> bool:
        one_line = self.said.strip().count("\n") == 0 and ("start again" in self.said or "run the crawl" in self.said)
        return self.code in (0, 1) and one_line and not self.trouble and not self.missing


def answer(host: str, path: str) -> Answer:
    """Serve a tree of pages, each with two links."""
    name = path.strip("/")
    if not name.isdigit() or int(name) >= PAGES:
        return Answer(status=404)
    number, draw = int(name), Random(name)
    below = [child for child in (2 * number + 1, 2 * number + 2) if child < PAGES]
    links = [made_pages.link(_address(child), made_pages.WANTED, draw) for child in below]
    body = made_pages.page(f"Page {number}", made_pages.WANTED, links, draw)
    return Answer(headers=(("Content-Type", "text/html"),), body=body.encode())


def _address(number: int) -> str:
    return f"http://h{number % HOSTS}.test/{number}"


def run(*, quick: bool = False) -> Report:
    """Crawl once for each fault."""
    if shutil.which("strace") is None:
        return Report(skipped=MISSING)
    faults = (FAULTS[0], LIMITS[0]) if quick else (*FAULTS, *LIMITS)
    with tempfile.TemporaryDirectory() as folder, ServedApart(answer) as served:
        met = [met_by(fault, Path(folder) / f"crawl-{turn}", served.port) for turn, fault in enumerate(faults)]
    rows = [[one.fault.name, "" if one.code is None else str(one.code), _short(one.said), _verdict(one)] for one in met]
    return Report(
        figures=(
            Figure(name="faults met", value=len(met), goal=at_least(len(faults))),
            Figure(name="crawls that hung", value=sum(one.code is None for one in met), goal=at_most(0)),
            Figure(name="faults that left something wrong", value=sum(not one.fine for one in met), goal=at_most(0)),
            Figure(name="faults that stopped the crawl", value=sum(one.code == 1 for one in met)),
        ),
        text=(markdown_table(["fault", "exit code", "it said", "afterwards"], rows),),
    )


def met_by(fault: Fault, path: Path, port: int) -> Met:
    """Let a crawl meet a fault, look at what it leaves, and let it go on without."""
    settings = [*FULL_SPEED, *UNJUDGED, f'fetch.resolve={{"*.test" = "127.0.0.1:{port}"}}']
    measured(scenthound("new", str(path), _address(0)), limit=LIMIT)
    code, said = _ran(fault.command(path, crawl_command(path, settings)))
    trouble = [*look_at(path).trouble, *check_spots(path)[0]]
    crawl(path, settings, limit=LIMIT)
    trouble += [*look_at(path).trouble, *check_spots(path)[0]]
    missing = PAGES - len(set(pages_of(path)))
    met = Met(fault=fault, code=code, said=said.replace(str(path), "DIR"), trouble=tuple(trouble), missing=missing)
    print(f"  {fault.name}: {code}, {_short(met.said)}: {_verdict(met)}", flush=True)
    return met


def _ran(command: list[str]) -> tuple[int | None, str]:
    """Run a command.

    Return its exit code, None if it had to be killed, and what it said: on stderr, or why it stopped.
    """
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        out, said = process.communicate(timeout=LIMIT)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        return None, process.communicate()[1]
    return process.returncode, said or out.partition("\n")[0]


def _short(said: str) -> str:
    return said.strip().replace("\n", " / ")[-160:]


def _verdict(met: Met) -> str:
    if met.fine:
        return "all right"
    return (
        "; ".join([*met.trouble[:2], f"{met.missing} pages missing"]) if met.trouble or met.missing else "not one line"
    )
