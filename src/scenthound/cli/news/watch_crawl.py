"""`scenthound watch`: keep a crawl fresh and ask its questions, by a schedule."""

from typing import Annotated

import typer

from scenthound.cli.shared.options import Dir, Trust, trust_if
from scenthound.errors import UsageError


def watch(
    path: Dir,
    every: Annotated[
        str, typer.Option("--every", metavar="SPAN", help="The time between two rounds: 30m, 6h, 1d, 1w.")
    ] = "",
    once: Annotated[
        bool,
        typer.Option("--once", help="Do one round and end, for cron. With --every, only if a round is due."),
    ] = False,
    pages: Annotated[
        int | None, typer.Option("--pages", min=0, metavar="N", help="End a round after N fetched pages.")
    ] = None,
    minutes: Annotated[
        float | None,
        typer.Option(
            "--minutes", min=0, metavar="M", help="End the crawl of a round after M minutes. Default: the SPAN."
        ),
    ] = None,
    overrides: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="K=V", help="Change a setting for these rounds only. Can be repeated."),
    ] = None,
    no_crawl: Annotated[bool, typer.Option("--no-crawl", help="Only ask the questions; fetch nothing.")] = False,
    trust: Trust = False,
) -> int:
    """Revisit pages and ask saved questions by a schedule.

    A round is `crawl --revisit`, then all questions. The next round is kept in the crawl directory: after a restart a
    round that was missed happens once. While another process crawls here, a round waits for it. Ctrl-C and SIGTERM end
    it in good order.
    """
    trust_if(trust, path)
    if not every and not once:
        raise UsageError("say how often, such as: scenthound watch DIR --every 6h")
    from scenthound.cli.work.watch_run import Watching, watch_directory

    return watch_directory(
        Watching(
            path=path,
            every=every,
            once=once,
            pages=pages,
            minutes=minutes,
            overrides=tuple(overrides or ()),
            crawls=not no_crawl,
        )
    )
