"""Where the processor time of a whole crawl goes, process by process and stage by stage.

`python -m bench.account DIR PAGES SETTING…` crawls a directory in this process and prints the account as JSON. The
crawl counts the stages of its lane and its event loop (`Summary.stages`); the kernel counts processes.
"""

import json
import resource
import sys
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import process_time
from typing import Final

from bench.crawling import fetched_by
from bench.figures import markdown_table
from bench.running import cpu_of, measured, python_module

LIMIT: Final = 600.0
LOOK: Final = 0.1  # seconds between two looks at helpers: what one does after the last is taken for a reader's
HELPERS: Final = {"distiller": b"distil_process", "indexer": b"search.indexer"}  # by a part of the command line
# In the order of the flow: where a stage runs, and what it is.
PLACES: Final[Mapping[str, tuple[str, str]]] = {
    "start-up": ("crawl", "importing the program, opening the crawl, trust, settings"),
    "event loop": ("crawl, event loop", "fetching, and moving values about"),
    "claim": ("crawl, lane", "choosing what to fetch"),
    "judge": ("crawl, lane", "the critic"),
    "conclude": ("crawl, lane", "weighing links against rules and traps"),
    "score": ("crawl, lane", "the apprentice learns, and scores links"),
    "archive": ("crawl, lane", "telling what is kept already, queueing records"),
    "record": ("crawl, lane", "pages, links, lessons and frontier into the database"),
    "learn": ("crawl, lane", "training the critic, judging examples, the first order of the frontier"),
    "look": ("crawl, lane", "taking in hubs, looking at the crawl, upkeep of the order"),
    "rest": ("crawl, other threads", "writing and syncing files, counting for progress, closing"),
    "readers": ("reader processes", "unpacking, parsing, links, words, digest, archive record"),
    "distiller": ("distiller process", "hubs and authorities"),
    "indexer": ("indexer process", "the index for search, from the tenth second on"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """Seconds of processor by stage, over one crawl with so many pages, examples included."""

    pages: int
    seconds: Mapping[str, float]


def take_account(path: Path, settings: Sequence[str], *, pages: int) -> Account:
    """Crawl in another process, and return where its time went."""
    seconds = measured(python_module("bench.account", str(path), str(pages), *settings), limit=LIMIT).json()
    return Account(pages=fetched_by(path), seconds=seconds)


def table_of(account: Account) -> str:
    """Lay an account out as a table."""
    whole = sum(account.seconds.values())
    rows = [
        [name, *PLACES[name], f"{1000 * spent / account.pages:.2f}", f"{100 * spent / whole:.0f} %"]
        for name, spent in account.seconds.items()
    ]
    total = ["**all**", "", "", f"**{1000 * whole / account.pages:.2f}**", "100 %"]
    return markdown_table(["stage", "where", "what", "ms a page", "share"], [*rows, total], right=(3, 4))


class HelperWatch(threading.Thread):
    """Looks now and then how much processor the helpers below this process have used."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self._used: dict[str, dict[int, float]] = {name: {} for name in HELPERS}
        self._done = threading.Event()

    def run(self) -> None:
        while not self._done.wait(LOOK):
            for pid in _children():
                try:
                    command = Path(f"/proc/{pid}/cmdline").read_bytes()
                    for name, part in HELPERS.items():
                        if part in command:
                            self._used[name][pid] = cpu_of(pid)
                except OSError:  # it has just ended
                    continue

    def seconds(self) -> dict[str, float]:
        self._done.set()
        self.join()
        return {name: sum(used.values()) for name, used in self._used.items()}


def _children() -> list[int]:
    """Return the processes that any thread of this one has started."""
    found: list[int] = []
    for task in Path("/proc/self/task").iterdir():
        try:
            found += map(int, (task / "children").read_text(encoding="ascii").split())
        except OSError:  # the thread has ended
            continue
    return found


def main(path: str, pages: str, *settings: str) -> None:
    """Crawl, and print the account."""
    from scenthound.crawl.directory.crawl_directory import CrawlDirectory
    from scenthound.crawl.engine.assemble import StopSwitch, run_crawl
    from scenthound.events import ignore
    from scenthound.services.search.indexer import indexing_beside

    started = process_time()
    directory = CrawlDirectory.open(Path(path))
    chosen = directory.settings([*settings, f"crawl.pages={pages}"])
    watch = HelperWatch()
    watch.start()
    with indexing_beside(directory, on=chosen.search.beside):
        summary = run_crawl(directory, chosen, listener=ignore, stop=StopSwitch())
        helpers = watch.seconds()
    below = resource.getrusage(resource.RUSAGE_CHILDREN)
    stages = {"start-up": started} | (summary.stages or {})
    stages.pop("read", None)  # by the clock; the kernel knows better
    stages["rest"] = process_time() - sum(stages.values())
    stages["readers"] = below.ru_utime + below.ru_stime - sum(helpers.values())
    stages |= helpers
    print(json.dumps({name: stages[name] for name in PLACES if name in stages}), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
