"""`scenthound cluster`: the engines of a shared crawl on a Ray cluster."""

from pathlib import Path
from typing import Annotated

import typer

from scenthound.cli.shared.options import Trust


def cluster(
    url: Annotated[
        str,
        typer.Argument(
            metavar="URL", help="The crawl: postgresql://USER@HOST/DATABASE?crawl=NAME.", show_default=False
        ),
    ],
    engines: Annotated[int, typer.Option("--engines", metavar="N", min=1, help="The number of engines.")] = 4,
    folder: Annotated[
        Path | None,
        typer.Option(
            "--dir",
            metavar="DIR",
            help="The folder on each machine for the folders of its engines. Without it: NAME, in the current folder.",
        ),
    ] = None,
    ray: Annotated[
        str, typer.Option("--ray", metavar="ADDRESS", help="The Ray cluster. auto: the one of this machine.")
    ] = "auto",
    cpus: Annotated[
        float, typer.Option("--cpus", metavar="C", min=0, help="The cores that Ray sets aside for each engine.")
    ] = 1.0,
    overrides: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="K=V", help="Change a setting for these engines only: section.name=value. Can be repeated."
        ),
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="Show no progress, only how engines ended.")] = False,
    trust: Trust = False,
) -> int:
    """Join a crawl with several engines on a Ray cluster.

    Ray starts an engine again when it dies, on another machine if need be. Ctrl-C lets all of them finish what is in
    flight. The crawl must have been started once with scenthound crawl DIR.
    """
    from scenthound.cli.work.cluster_run import crawl_on_cluster

    return crawl_on_cluster(
        url, folder, engines=engines, ray=ray, cpus=cpus, overrides=tuple(overrides or ()), quiet=quiet, trust=trust
    )
