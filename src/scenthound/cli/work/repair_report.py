"""The work of `scenthound repair`: repair a crawl and report what is lost."""

import shlex
import sys
from pathlib import Path

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.crawl.directory.repair_crawl import repair_crawl
from scenthound.events import Event, Notice
from scenthound.terminal import say


def show_repair(path: Path) -> int:
    directory = CrawlDirectory.open(path)
    told = repair_crawl(directory, directory.settings(), listener=_say)
    if not told:
        say(f"Nothing is wrong with {path}.")
        return 0
    say("\n".join(told))
    say(f"Go on with: {shlex.join(['scenthound', 'crawl', str(path)])}")
    return 0


def _say(event: Event) -> None:
    if isinstance(event, Notice):
        say(event.text, file=sys.stderr, flush=True)
