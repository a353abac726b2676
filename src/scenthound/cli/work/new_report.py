"""The work of `scenthound new`: create the crawl directory, with a progress bar for long imports."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as ProgressBar

from scenthound.parse.urls import typed_address
from scenthound.services.crawls.new_crawl import Wish, make_crawl
from scenthound.terminal import say
from scenthound.topics.imported import Progress, silent


def show_new(wish: Wish) -> int:
    with _progress(wish) as progress:
        told = make_crawl(wish, progress=progress)
    for typed, address in zip(wish.urls, map(typed_address, wish.urls), strict=True):
        if typed != address:
            say(f"{typed} is read as {address}.")
    say("\n".join(told))
    return 0


@contextmanager
def _progress(wish: Wish) -> Iterator[Progress]:
    """Show a progress bar on a terminal while a web directory is read."""
    if wish.dmoz is None or not sys.stderr.isatty():
        yield silent
        return
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with ProgressBar(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(f"reading {wish.dmoz.name}", total=1.0)
        yield lambda share: bar.update(task, completed=share)
