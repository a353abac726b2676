"""Where the milliseconds of a page go: the crawl's own timing of its stages on the schools web, and reading in detail.

The crawl keeps the account itself (`Summary.stages`). Stages run side by side, on the event loop, in the lane's thread
and in reader processes, so that the sum is the work of a page and not the time until the next one.
By hand: `python -m bench.stages DIR PROXY` crawls a directory at full speed and prints the account as JSON.
"""

import json
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from bench.crawling import FULL_SPEED, UNJUDGED, new_crawl
from bench.figures import Figure, Report, markdown_table
from bench.picture import Part, stacked_bar
from bench.running import ProgramFailedError, measured, python_module
from bench.serving import SCHOOLS, SCHOOLS_LOCK, SCHOOLS_SEED, ServerProcess, missing, webs_file
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.crawl.engine.assemble import StopSwitch, run_crawl
from scenthound.events import ignore

LIMIT = 300.0
QUICK_PAGES = 300
PICTURE = "stages.svg"
# In the order of the flow, with where each runs and what it is; the lane's names are those of crawl/engine/lane.py.
STAGES = {
    "claim": ("lane", "choosing what to fetch"),
    "event loop": ("event loop", "fetching, and moving values about"),
    "read": ("reader processes", "unpacking, parsing, links, digest, archive record"),
    "conclude": ("lane", "weighing links against rules and traps"),
    "archive": ("lane", "telling what is kept already, queueing records"),
    "record": ("lane", "records to the disk, pages, links and frontier into the database"),
    "learn": ("lane", "training the critic, if there is one"),
    "look": ("lane", "looking at the crawl, and upkeep of its order"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """Milliseconds a page by stage, over one crawl."""

    pages: int
    seconds: float
    stages: Mapping[str, float]

    @property
    def work(self) -> float:
        return sum(self.stages.values())


def run(*, quick: bool = False) -> Report:
    """Crawl once and divide what each stage took by the number of pages."""
    warc = webs_file(SCHOOLS)
    if warc is None:
        return Report(skipped=missing(SCHOOLS))
    with ServerProcess(warc) as server, tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "crawl")
        new_crawl(path, SCHOOLS_SEED)
        command = python_module("bench.stages", str(path), server.proxy, str(QUICK_PAGES if quick else 0))
        account = account_of(json.loads(measured(command, limit=LIMIT).output.splitlines()[-1]))
    return report(account, _finer())


def account_of(told: Mapping[str, object]) -> Account:
    """Turn a crawl's seconds by stage into milliseconds a page; stages unknown here come last, under their own name."""
    stages, pages = told["stages"], int(str(told["pages"]))
    assert isinstance(stages, dict)
    known = {name: stages[name] for name in STAGES if name in stages}
    others = {name: spent for name, spent in stages.items() if name not in STAGES}
    return Account(
        pages=pages,
        seconds=float(str(told["seconds"])),
        stages={name: 1000 * spent / pages for name, spent in (known | others).items()},
    )


def report(account: Account, finer: str) -> Report:
    figures = [Figure(name=name, value=spent, unit="ms a page") for name, spent in account.stages.items()]
    table = markdown_table(
        ["stage", "where", "what", "ms a page", "share"],
        [
            [name, *STAGES.get(name, ("", "")), f"{spent:.3f}", f"{100 * spent / account.work:.0f} %"]
            for name, spent in account.stages.items()
        ],
        right=(3, 4),
    )
    elapsed = 1000 * account.seconds / account.pages
    story = (
        f"{account.work:.2f} ms of work a page; the clock says {elapsed:.2f} ms a page for all of it side by side. "
        "The event loop is counted in processor time, the others by the clock: on a busy machine that includes "
        "waiting for a processor."
    )
    parts = (table, story, f"![Work for one page by stage]({PICTURE})", finer)
    return Report(figures=tuple(figures), text=tuple(part for part in parts if part), pictures={PICTURE: draw(account)})


def draw(account: Account) -> str:
    parts = [Part(label=name, value=spent) for name, spent in account.stages.items()]
    return stacked_bar("Work for one page", parts, unit="ms")


def _finer() -> str:
    """Return what the reading bench prints of the steps of reading."""
    try:
        told = measured(python_module("bench.reading"), limit=LIMIT)
    except ProgramFailedError as error:
        return f"Reading in finer steps could not be measured: {str(error).splitlines()[-1]}"
    return f"Reading in finer steps (`python -m bench.reading`):\n\n```\n{told.output.strip()}\n```"


def main(path: str, proxy: str, pages: str = "0") -> None:
    """Crawl at full speed and print the account."""
    directory = CrawlDirectory.open(Path(path))
    settings = directory.settings(
        [*FULL_SPEED, *UNJUDGED, SCHOOLS_LOCK, f"fetch.proxy={proxy}", f"crawl.pages={pages}"]
    )
    summary = run_crawl(directory, settings, listener=ignore, stop=StopSwitch())
    print(json.dumps({"pages": summary.pages_this_run, "seconds": summary.elapsed, "stages": summary.stages}))


if __name__ == "__main__":
    main(*sys.argv[1:])
