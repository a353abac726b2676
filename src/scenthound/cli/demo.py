"""`scenthound demo`: crawl a small artificial web on this machine."""

from pathlib import Path
from typing import Annotated

import typer


def demo(
    path: Annotated[
        Path | None, typer.Option("--dir", metavar="DIR", help="Put the crawl into this folder. Default: demo-crawl.")
    ] = None,
    pages: Annotated[int, typer.Option("--pages", min=1, metavar="N", help="Stop after N pages.")] = 1500,
) -> int:
    """Crawl a small artificial web on this machine.

    It needs no network and takes less than half a minute.
    """
    from scenthound.cli.work.demo_run import show_demo

    return show_demo(path, pages=pages)
