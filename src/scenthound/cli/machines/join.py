"""`scenthound join`: crawl together with others, from a crawl on a server."""

from pathlib import Path
from typing import Annotated

import typer

from scenthound.cli.shared.options import Trust


def join(
    url: Annotated[
        str,
        typer.Argument(
            metavar="URL", help="The crawl: postgresql://USER@HOST/DATABASE?crawl=NAME.", show_default=False
        ),
    ],
    folder: Annotated[
        Path | None,
        typer.Option(
            "--dir",
            metavar="DIR",
            help="The folder of this engine, made if it is missing. Without it: NAME, in the current folder.",
        ),
    ] = None,
    minutes: Annotated[
        float | None,
        typer.Option("--minutes", min=0, metavar="M", help="Stop this engine after M minutes. 0 means no limit."),
    ] = None,
    overrides: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="K=V",
            help="Change a setting for this engine only: section.name=value. Can be repeated.",
        ),
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="Show no progress, only the summary at the end.")] = False,
    trust: Trust = False,
) -> int:
    """Join a crawl on a PostgreSQL server as one more engine.

    Settings and topics come from the server. The engines share the hosts; when one stops, the others take its hosts
    over. Ctrl-C stops this one.
    """
    from scenthound.cli.work.join_run import join_crawl

    return join_crawl(url, folder, minutes=minutes, overrides=tuple(overrides or ()), quiet=quiet, trust=trust)
