"""`scenthound move`: put what a crawl knows on a PostgreSQL server, or back into its folder."""

from typing import Annotated

from typer import Option

from scenthound.cli.shared.options import Dir


def move(
    path: Dir,
    to: Annotated[
        str,
        Option(
            "--to",
            metavar="URL|sqlite",
            help="postgresql://USER@HOST/DATABASE?crawl=NAME, or sqlite for the crawl directory.",
        ),
    ],
) -> int:
    """Move what a crawl knows to a PostgreSQL server, or back.

    The copy is compared with the crawl before anything changes. Start it again if it was stopped: it goes on where it
    was. The archive, the models and the search index stay in the crawl directory.
    """
    from scenthound.cli.work.move_report import show_move

    return show_move(path, to)
