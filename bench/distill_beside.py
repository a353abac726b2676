"""How fast a crawl is while a distiller is at work beside it: the demo web at full speed, in turns with and without.

The distiller is the process that ships, on a made-up crawl of 10 million links, begun again as often as it is done. The
crawl has none of its own. Both share the machine's processors; the distiller gives way. By hand: `python -m
bench.distill_beside DIR PAGES` crawls the demo web and prints its account as JSON.
"""

import json
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Final

from bench.crawling import FULL_SPEED
from bench.running import measured, python_module
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.crawl.engine.assemble import StopSwitch, run_crawl
from scenthound.crawl.hubs.distiller_process import DistillerProcess
from scenthound.demo.server import ServedWeb
from scenthound.demo.web import DemoWeb
from scenthound.events import ignore
from scenthound.settings.schema import DistillSettings
from scenthound.taxonomy import Topic, Topics

ROUNDS: Final = 5
PAGES: Final = 1_000
GOOD: Final = "Recreation/Cycling"
LOOK: Final = 0.1  # seconds between two looks at the distiller
LIMIT: Final = 300.0


def beside(database: Path, *, rounds: int = ROUNDS, pages: int = PAGES) -> dict[str, float]:
    """Let crawls take turns.

    Return the speed of each kind, their ratio, and how many distillations were done meanwhile.
    """
    alone, accompanied, done = list[float](), list[float](), 0
    for number in range(rounds):
        alone.append(_lap(pages))
        with _at_work(database) as counted:
            accompanied.append(_lap(pages))
        done += len(counted)
        print(
            f"  round {number + 1}: {alone[-1]:.0f} pages/s alone, {accompanied[-1]:.0f} beside a distiller", flush=True
        )
    ratio = median(with_it / without for with_it, without in zip(accompanied, alone, strict=True))
    return {"alone": median(alone), "beside": median(accompanied), "ratio": ratio, "done": done}


@contextmanager
def _at_work(database: Path) -> Iterator[list[int]]:
    """Have a distiller at work until the end of the `with`.

    The list has the pages of each distillation that was done.
    """
    done, stop = list[int](), threading.Event()
    with (
        tempfile.TemporaryDirectory() as folder,
        DistillerProcess(database, DistillSettings(), log=Path(folder, "log")) as worker,
    ):
        worker.begin()
        thread = threading.Thread(target=_keep_at_it, args=(worker, done, stop))
        thread.start()
        try:
            yield done
        finally:
            stop.set()
            thread.join()


def _keep_at_it(worker: DistillerProcess, done: list[int], stop: threading.Event) -> None:
    while not stop.wait(LOOK):
        found = worker.result()
        if found is not None:
            done.append(found.pages)
            worker.begin()


def _lap(pages: int) -> float:
    with tempfile.TemporaryDirectory() as folder:
        told = measured(python_module("bench.distill_beside", f"{folder}/crawl", str(pages)), limit=LIMIT).json()
    return told["pages"] / told["seconds"]


def main(path: str, pages: str) -> None:
    """Crawl the demo web at full speed and print the account."""
    demo = DemoWeb()
    topics = [Topic(path=name, good=name.startswith(GOOD), examples=tuple(demo.seeds(name, 4))) for name in demo.topics]
    directory = CrawlDirectory.create(Path(path), topics=Topics(topics=tuple(topics)))
    with ServedWeb(demo.answer) as served:
        chosen = directory.settings(
            [
                *FULL_SPEED,
                f'fetch.resolve={{"*.test" = "127.0.0.1:{served.port}"}}',
                f"crawl.pages={pages}",
                "distill.on=false",
            ]
        )
        summary = run_crawl(directory, chosen, listener=ignore, stop=StopSwitch())
    print(json.dumps({"pages": summary.pages_this_run, "seconds": summary.elapsed}))


if __name__ == "__main__":
    main(*sys.argv[1:])
