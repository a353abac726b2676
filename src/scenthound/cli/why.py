"""`scenthound why`: explain what happened to one URL."""

from typing import Annotated

import typer

from scenthound.cli.shared.options import Dir, Json


def why(
    path: Dir,
    url: Annotated[str, typer.Argument(metavar="URL", help="A URL, in any spelling.")],
    as_json: Json = False,
) -> int:
    """Explain everything known about one URL.

    Where it was found, what robots.txt says, every attempt to fetch it, and the result.
    """
    from scenthound.cli.work.why_lines import tell_why

    return tell_why(path, url, as_json=as_json)
