"""How long a user waits before anything is to be seen: `status`, the first request of a crawl, and the whole demo.

Each is measured several times, and the shortest counts, because whatever else the machine does only ever adds to it.
The clock runs from the start of the program. Processor time is told beside it: on a busy machine it says more.
"""

import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bench.crawling import FULL_SPEED, crawl, crawl_command, new_crawl
from bench.figures import Figure, Report, at_most
from bench.running import Run, measured, scenthound
from scenthound.demo.served_answer import Answer
from scenthound.demo.server import ServedWeb
from scenthound.demo.web import DemoWeb

TIMES: Final = 5
PAGES: Final = 200
LIMIT: Final = 600.0


@dataclass(slots=True)
class FirstRequest:
    """Answers as the demo web does, and remembers when it was first asked."""

    web: DemoWeb
    at: float = 0.0

    def __call__(self, host: str, path: str) -> Answer:
        self.at = self.at or time.perf_counter()
        return self.web.answer(host, path)


def run(*, quick: bool = False) -> Report:
    """Start programs, and wait."""
    times, web = 1 if quick else TIMES, DemoWeb()
    with tempfile.TemporaryDirectory() as folder:
        first = min(_first_fetch(Path(folder, f"first{number}"), web) for number in range(times))
        print(f"  first request after {first:.2f} s", flush=True)
        shown = [_status(Path(folder, "first0")) for _ in range(times)]
        print(f"  status after {min(one.seconds for one in shown):.2f} s", flush=True)
        demo = measured(
            scenthound("demo", "--dir", str(Path(folder, "demo")), *(("--pages", "100") if quick else ())), limit=LIMIT
        )
    return report(first, shown, demo)


def _first_fetch(path: Path, web: DemoWeb) -> float:
    """Return the seconds from the start of a new crawl to its first request; the crawl then goes on a little."""
    asked = FirstRequest(web)
    seed = web.seeds("Recreation/Cycling", 1)[0]
    new_crawl(path, seed)
    with ServedWeb(asked) as served:
        settings = [*FULL_SPEED, f"fetch.proxy={served.proxy_url}"]
        began = time.perf_counter()
        with subprocess.Popen(crawl_command(path, settings, pages=1), stdout=subprocess.DEVNULL) as program:
            program.wait(LIMIT)
        crawl(path, settings, pages=PAGES, limit=LIMIT)
    return asked.at - began


def _status(path: Path) -> Run:
    return measured(scenthound("status", str(path)), limit=LIMIT)


def report(first: float, shown: list[Run], demo: Run) -> Report:
    """Put the waits together."""
    return Report(
        figures=(
            Figure(
                name="status, from its start to its end",
                value=min(one.seconds for one in shown),
                unit="s",
                goal=at_most(0.3),
            ),
            Figure(name="the same, processor time", value=min(one.cpu for one in shown), unit="s"),
            Figure(name="crawl, from its start to the first request", value=first, unit="s", goal=at_most(2)),
            Figure(name="demo, from its start to its end", value=demo.seconds, unit="s", goal=at_most(10)),
            Figure(name="the same, processor time", value=demo.cpu, unit="s"),
        )
    )
