"""A server in a process of its own for benches that compare crawlers: an archived web, held in memory, or the demo web.

`python -m bench.serving FILE.warc.gz` prints its port and serves until it is told to stop; `demo` in the place of the
file serves the demo web. Pages are unpacked once
at the start, because on a small machine the server's work is taken from the crawler that is measured.
"""

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from types import TracebackType
from typing import Self

from bench.running import ROOT, cpu_of, python_module
from scenthound.demo.server import ServedWeb
from scenthound.demo.warc_web import WarcWeb
from scenthound.demo.web import DemoWeb

SCHOOLS = "schools.warc.gz"
DEMO = "demo"
# Its articles link to 24,000 pages about single images, none of which was archived: without this lock four of five
# requests would be answered with 404, and the benches would measure those. Nor has the server a certificate.
SCHOOLS_LOCK = 'fetch.locked=["*/images/*", "https://*"]'
SCHOOLS_SEED = "http://schools.example/wp/index/subject.htm"


def webs_file(name: str) -> Path | None:
    """Find an archived web: in $SCENTHOUND_WEBS, or in shared/webs beside the repository."""
    folder = Path(os.environ.get("SCENTHOUND_WEBS") or ROOT.parent / "shared" / "webs")
    return folder / name if (folder / name).is_file() else None


def missing(name: str) -> str:
    """Say what to do about an archived web that is not there."""
    return f"{name} was not found; put it into ../shared/webs or name its folder in SCENTHOUND_WEBS"


class ServerProcess:
    """A web on a port of 127.0.0.1, as long as the `with` lasts: an archive, or `DEMO`."""

    def __init__(self, warc: Path | str) -> None:
        self._warc = warc

    def __enter__(self) -> Self:
        self._process = subprocess.Popen(
            python_module("bench.serving", str(self._warc)), cwd=ROOT, stdout=subprocess.PIPE, text=True
        )
        assert self._process.stdout is not None
        self.port = int(self._process.stdout.readline())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._process as process:
            process.terminate()

    @property
    def proxy(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def cpu(self) -> float:
        """Return the processor seconds used so far."""
        return cpu_of(self._process.pid)


def main(arguments: list[str]) -> None:
    """Serve one WARC file or the demo web until SIGTERM."""
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    web = DemoWeb() if arguments[0] == DEMO else WarcWeb([Path(arguments[0])], preload=True)
    web.answer("nowhere.example", "/")  # makes the index now and not at the first request that is measured
    with ServedWeb(web.answer) as served:
        print(served.port, flush=True)
        stop.wait()


if __name__ == "__main__":
    main(sys.argv[1:])
