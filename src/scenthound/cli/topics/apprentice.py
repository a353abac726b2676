"""`scenthound apprentice`: what the apprentice of a crawl has learnt, to be taken along to another crawl."""

from pathlib import Path
from typing import Annotated

import typer

from scenthound.cli.shared.options import Dir, Json
from scenthound.errors import UsageError


def apprentice(
    path: Dir,
    save: Annotated[
        Path | None, typer.Option("--save", metavar="FILE", help="Write what it knows to this file, for other crawls.")
    ] = None,
    take: Annotated[
        Path | None,
        typer.Option("--take", metavar="FILE", help="Start from what another apprentice has saved."),
    ] = None,
    as_json: Json = False,
) -> int:
    """Show, save or take over what an apprentice has learnt.

    It takes along how much each hint around a link is worth and where words lead, and no URLs. `new --apprentice FILE`
    begins a crawl with it.
    """
    if save is not None and take is not None:
        raise UsageError("give --save or --take, not both")
    from scenthound.cli.work.apprentice_report import save_knowledge, show_knowledge, take_knowledge

    if save is not None:
        return save_knowledge(path, save)
    return take_knowledge(path, take) if take is not None else show_knowledge(path, as_json=as_json)
