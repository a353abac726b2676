"""`scenthound repair`: make a damaged crawl usable again."""

from typing import Annotated

import typer

from scenthound.cli.shared.options import Dir


def repair(
    path: Dir,
    lost: Annotated[
        list[int] | None,
        typer.Option(
            metavar="ENGINE",
            help="On a server: the machine of this engine is gone for good. Its pages whose archive files were not "
            "uploaded are fetched again. May be repeated.",
        ),
    ] = None,
) -> int:
    """Repair a damaged crawl so that it can continue.

    Use it when the database or the archive is missing or broken. It reports what is lost and keeps a copy of every file
    that it replaces. For a crawl on a server it lists archive files that are neither here nor uploaded.
    """
    from scenthound.cli.work.repair_report import show_repair

    return show_repair(path, lost=lost or [])
