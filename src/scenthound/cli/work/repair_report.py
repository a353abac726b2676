"""The work of `scenthound repair`: repair a crawl and report what is lost."""

import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

from scenthound.counted import count
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.crawl.directory.lost_archives import lose_archives, missing_archives
from scenthound.crawl.directory.repair_crawl import repair_crawl
from scenthound.errors import UsageError
from scenthound.events import Event, Notice
from scenthound.terminal import say


def show_repair(path: Path, *, lost: Sequence[int]) -> int:
    directory = CrawlDirectory.open(path)
    if not isinstance(directory.store, Path):
        return _show_missing(directory, lost)
    if lost:
        raise UsageError("--lost is for a crawl on a server; without it, repair strikes off what is missing here")
    told = repair_crawl(directory, directory.settings(), listener=_say)
    if not told:
        say(f"Nothing is wrong with {path}.")
        return 0
    say("\n".join(told))
    say(f"Go on with: {shlex.join(['scenthound', 'crawl', str(path)])}")
    return 0


def _show_missing(directory: CrawlDirectory, lost: Sequence[int]) -> int:
    if lost:
        for file, pages in lose_archives(directory, lost).items():
            say(f"{file} is struck off: {count(pages, 'page')} will be fetched again.")
        return 0
    missing = missing_archives(directory)
    if not missing:
        say(f"No archive file of {directory.path} is missing.")
        return 0
    for engine, files in missing.items():
        say(f"Engine {engine}: {count(len(files), 'archive file')} neither here nor uploaded: {', '.join(files[:3])} …")
    say("If a machine is gone for good, have its pages fetched again: scenthound repair DIR --lost ENGINE")
    return 0


def _say(event: Event) -> None:
    if isinstance(event, Notice):
        say(event.text, file=sys.stderr, flush=True)
