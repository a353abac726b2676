"""`scenthound serve`: open the window in the browser."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from scenthound.cli.shared.options import Trust, trust_if
from scenthound.terminal import say


def serve(
    path: Annotated[Path, typer.Argument(metavar="DIR", help="A crawl directory, or a folder of crawls.")],
    overrides: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="K=V", help="A setting for pages fetched before a crawl exists, such as fetch.proxy."
        ),
    ] = None,
    host: Annotated[
        str,
        typer.Option("--host", metavar="ADDRESS", help="The address to listen on. 0.0.0.0 lets other machines in."),
    ] = "127.0.0.1",
    port: Annotated[
        int | None,
        typer.Option(
            "--port",
            min=0,
            max=65535,
            metavar="N",
            help="The port. 0 means any free one. Default: 8765, or the next one that is free.",
        ),
    ] = None,
    names: Annotated[
        list[str] | None,
        typer.Option(
            "--name",
            metavar="NAME",
            help="A host name that browsers may use, such as that of a TLS proxy in front. Can be repeated.",
        ),
    ] = None,
    token: Annotated[
        bool,
        typer.Option(
            "--token/--no-token",
            help="Require the secret link that is printed, or let in everybody who can reach this machine's port.",
        ),
    ] = True,
    no_open: Annotated[bool, typer.Option("--no-open", help="Do not open the browser.")] = False,
    trust: Trust = False,
) -> int:
    """Set up, watch and explore crawls in the browser.

    Given a folder, it lists the crawls in it and can create new ones. Crawls that it starts keep running when you close
    the window.
    """
    from scenthound.services.crawls.crawl_list import Crawls
    from scenthound.settings.file import override
    from scenthound.settings.schema import Settings

    trust_if(trust, path)
    Crawls.at(path)  # report mistakes before anything opens
    override(Settings(), overrides or [])
    say("Opening the window …", file=sys.stderr, flush=True)
    from scenthound.ui.server import Serving, serve

    return serve(
        Serving(
            path=path,
            overrides=overrides or (),
            host=host,
            port=port,
            names=tuple(names or ()),
            token=token,
            show=not no_open,
        )
    )
