"""How fast a crawl is with the apprentice and with best-first: the same web, examples and critic, in turns.

The archived schools web is served from memory by a process of its own, and each crawl fetches all of it, so that both
do the same work in another order. The critic has learnt before: both begin with a copy of the same crawl directory. By
hand: `python -m bench.apprentice_speed DIR PROXY ORDER PAGES` crawls a directory and prints its account as JSON.
"""

import json
import shutil
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Final

from bench.crawling import FULL_SPEED
from bench.focus import LABELS, tasks, taught
from bench.running import measured, python_module
from bench.serving import SCHOOLS, SCHOOLS_LOCK, ServerProcess, webs_file
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.crawl.engine.assemble import StopSwitch, run_crawl
from scenthound.events import ignore

TOPIC: Final = "Science"
ORDERS: Final = ("apprentice", "best-first")
ROUNDS: Final = 3
LIMIT: Final = 600.0  # seconds for one crawl


@dataclass(frozen=True, slots=True, kw_only=True)
class Lap:
    """One crawl. `cpu` is the processor time of the program and its readers, `score` that of the guide alone."""

    pages: int
    seconds: float
    cpu: float
    score: float

    @property
    def figures(self) -> dict[str, float]:
        """Speed, and what a page costs."""
        return {
            "pages/s": self.pages / self.seconds,
            "ms of processor": 1000 * self.cpu / self.pages,
            "ms of learning and scoring": 1000 * self.score / self.pages,
        }


Laps = Mapping[str, Sequence[Lap]]


def laps(*, pages: int = 0, rounds: int = ROUNDS) -> dict[str, list[Lap]] | None:
    """Let both orders take turns, with so many pages or all; None if the web is not there."""
    warc, labels = webs_file(SCHOOLS), webs_file(LABELS)
    if warc is None or labels is None:
        return None
    task = next(task for task in tasks(labels) if task.topic == TOPIC)
    found: dict[str, list[Lap]] = {order: [] for order in ORDERS}
    with ServerProcess(warc) as server, tempfile.TemporaryDirectory() as folder:
        source = taught(Path(folder, "taught"), task, settings(server.proxy))
        for number in range(rounds):
            for order in ORDERS:
                path = Path(folder, f"{order}{number}")
                shutil.copytree(source.path, path)
                lap = _lap(path, server.proxy, order, pages)
                shutil.rmtree(path)
                found[order].append(lap)
                print(
                    f"  round {number + 1} {order:<10} {lap.pages:>5} pages {lap.pages / lap.seconds:8.1f}/s",
                    flush=True,
                )
    return found


def ratio(found: Laps, kind: str) -> float:
    """Return how much of something the apprentice has, over what best-first has: medians of the rounds."""
    ours, theirs = (median(lap.figures[kind] for lap in found[order]) for order in ORDERS)
    return ours / theirs


def cost(found: Laps) -> float:
    """Return the milliseconds of learning and scoring for a page of a crawl with the apprentice."""
    return median(lap.figures["ms of learning and scoring"] for lap in found[ORDERS[0]])


def settings(proxy: str) -> list[str]:
    return [*FULL_SPEED, SCHOOLS_LOCK, f"fetch.proxy={proxy}"]


def _lap(path: Path, proxy: str, order: str, pages: int) -> Lap:
    done = measured(python_module("bench.apprentice_speed", str(path), proxy, order, str(pages)), limit=LIMIT)
    told = done.json()
    return Lap(pages=int(told["pages"]), seconds=told["seconds"], cpu=done.cpu, score=told["score"])


def main(path: str, proxy: str, order: str, pages: str) -> None:
    """Crawl at full speed and print the account."""
    directory = CrawlDirectory.open(Path(path))
    chosen = directory.settings([*settings(proxy), f"crawl.order={order}", f"crawl.pages={pages}"])
    summary = run_crawl(directory, chosen, listener=ignore, stop=StopSwitch())
    score = (summary.stages or {}).get("score", 0.0)
    print(json.dumps({"pages": summary.pages_this_run, "seconds": summary.elapsed, "score": score}))


if __name__ == "__main__":
    main(*sys.argv[1:])
