"""Crawls made by the command line as a user would type it, for benches to measure."""

import io
import json
import re
import sqlite3
from collections.abc import Sequence
from contextlib import closing, redirect_stdout
from dataclasses import dataclass
from pathlib import Path

from bench.running import ProgramFailedError, Run, measured, scenthound
from scenthound.cli.main import main

# Nothing but the work itself limits these crawls: the servers are ours. Traps are still watched for.
FULL_SPEED = ("fetch.delay=0", "fetch.per_host=64", "fetch.per_domain=0", "fetch.per_ip=0", "fetch.concurrency=64")
DATABASE = "crawl.db"
UNJUDGED = ("critic.kind=none", "crawl.order=breadth")  # where what is measured is fetching

_SUMMARY = re.compile(r"([\d,]+) pages? in .*? \(([\d.]+) a second\); ([\d,]+) in all")


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlRun:
    """A crawl that ended by itself: the program around it, and what its closing lines say of the crawl proper."""

    run: Run
    pages: int
    pages_per_second: float
    pages_in_all: int
    stopped: str


def new_crawl(path: Path, *seeds: str) -> None:
    """Make a crawl directory."""
    _printed("new", str(path), *seeds)


def _printed(*arguments: str) -> str:
    """Return what a command prints. It runs in this process: that it takes time is not what a bench measures."""
    with redirect_stdout(io.StringIO()) as output:
        if code := main(list(arguments)):
            raise ProgramFailedError(f"scenthound {' '.join(arguments)} ended with {code}")
    return output.getvalue()


def crawl_command(path: Path, settings: Sequence[str], *, pages: int = 0) -> list[str]:
    budget = ["--pages", str(pages)] if pages else []
    chosen = [word for setting in settings for word in ("--set", setting)]
    return scenthound("crawl", str(path), "--quiet", *budget, *chosen)


def crawl(path: Path, settings: Sequence[str], *, pages: int = 0, limit: float) -> CrawlRun:
    """Run a crawl until it stops by itself."""
    run = measured(crawl_command(path, settings, pages=pages), limit=limit)
    return summarised(run)


def summarised(run: Run) -> CrawlRun:
    """Read the closing lines of `scenthound crawl`."""
    found = _SUMMARY.search(run.output)
    if found is None:
        raise ValueError(f"no summary in what the crawl printed:\n{run.output}")
    pages, speed, in_all = (float(text.replace(",", "")) for text in found.groups())
    return CrawlRun(
        run=run,
        pages=int(pages),
        pages_per_second=speed,
        pages_in_all=int(in_all),
        stopped=run.output.splitlines()[0].removeprefix("Stopped: "),
    )


def exported(path: Path) -> list[dict[str, object]]:
    """Return the rows of `scenthound export`."""
    return [dict(json.loads(line)) for line in _printed("export", str(path), "--format", "jsonl").splitlines()]


def fetched_by(path: Path) -> int:
    """Count all pages that a crawl has fetched, examples included, which its budget does not count."""
    with closing(sqlite3.connect(f"file:{path / DATABASE}?mode=ro", uri=True)) as con:
        return int(con.execute("SELECT count(*) FROM pages WHERE ending = 'page'").fetchone()[0])


def pages_of(path: Path) -> list[str]:
    """Return the addresses of the pages that a crawl has, in fetch order."""
    return [str(row["final_url"] or row["url"]) for row in exported(path) if row["status"] == 200]
