"""`scenthound crawl`: run a crawl, or resume it."""

from typing import Annotated

import typer

from scenthound.cli.shared.options import Dir, Trust, trust_if


def crawl(
    path: Dir,
    pages: Annotated[
        int | None,
        typer.Option(
            "--pages", min=0, metavar="N", help="Stop after N fetched pages, over all runs. 0 means no limit."
        ),
    ] = None,
    minutes: Annotated[
        float | None,
        typer.Option("--minutes", min=0, metavar="M", help="Stop this run after M minutes. 0 means no limit."),
    ] = None,
    overrides: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="K=V",
            help="Change a setting for this run only: section.name=value (crawl.toml lists them). Can be repeated.",
        ),
    ] = None,
    revisit: Annotated[
        bool,
        typer.Option(
            "--revisit",
            help="First fetch known pages again if they have probably changed. --pages then counts the pages of this "
            "run.",
        ),
    ] = False,
    revisit_all: Annotated[bool, typer.Option("--revisit-all", help="Like --revisit, for all known pages.")] = False,
    backlinks: Annotated[
        str | None,
        typer.Option(
            "--backlinks",
            metavar="SOURCE",
            help='Also fetch pages that cite good ones. SOURCE is "links" (of this crawl), a file, or a command.',
        ),
    ] = None,
    forgive: Annotated[
        bool, typer.Option("--forgive", help="Give hosts that failed too often another chance.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Show no progress, only the summary at the end.")] = False,
    window: Annotated[
        bool,
        typer.Option(
            "--serve",
            help="Also open the window in the browser. It stays open after the crawl; Ctrl-C closes both.",
        ),
    ] = False,
    trust: Trust = False,
) -> int:
    """Run a crawl, or resume it.

    It stops at a limit, when nothing is left to fetch, or on Ctrl-C, and says why.
    """
    trust_if(trust, path)
    from scenthound.cli.shared.serve_beside import beside_window
    from scenthound.cli.work.crawl_run import Run, crawl_directory
    from scenthound.crawl.revisit.calendar import Revisit

    crawling = beside_window if window else crawl_directory
    return crawling(
        Run(
            path=path,
            pages=pages,
            minutes=minutes,
            overrides=tuple(overrides or ()),
            revisit=Revisit.ALL if revisit_all else Revisit.DUE if revisit else None,
            backlinks=backlinks,
            forgive=forgive,
            quiet=quiet,
        )
    )
