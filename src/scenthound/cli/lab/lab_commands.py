"""`scenthound lab …`: compare strategies on archived webs. The work is in the
modules beside this one.

Each form returns the program's exit code and imports its work when it runs.
"""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from scenthound.cli.shared.options import Json

lab = typer.Typer(
    rich_markup_mode=None,
    add_completion=False,
    help="Compare strategies on archived webs and write reports.",
)


class Topics(StrEnum):
    """The topics of an experiment."""

    DEVELOPMENT = "development"
    TEST = "test"
    ALL = "all"


Results = Annotated[Path, typer.Argument(metavar="DIR", help="The folder with the results of an experiment.")]


@lab.command()
def run(
    experiment: Annotated[
        str, typer.Argument(metavar="F.toml|NAME", help="An experiment file, or a name that `lab list` shows.")
    ],
    out: Annotated[
        Path | None, typer.Option("--out", metavar="DIR", help="Folder for the results. Default: lab-NAME.")
    ] = None,
    processes: Annotated[
        int, typer.Option("--processes", min=0, metavar="N", help="Number of processes. 0 means one for each core.")
    ] = 0,
    topics: Annotated[
        Topics | None,
        typer.Option(
            "--topics", metavar="|".join(Topics), help="The topics to crawl for, instead of those in the file."
        ),
    ] = None,
    strategies: Annotated[
        list[str] | None,
        typer.Option(
            "--strategy",
            metavar="F.py:CLASS",
            help="Add a strategy: a class of your own, or a kind that `lab list` shows. Can be repeated.",
        ),
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="A quick look: one draw, a few topics, the first budget and host cap.")
    ] = False,
    overrides: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="K=V",
            help="A key of the experiment (draws=1) or a setting of its crawls (critic.kind=bayes). Can be repeated.",
        ),
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="Show no progress, only the results.")] = False,
) -> int:
    """Run an experiment, or continue one.

    Crawls that are finished are not repeated. It writes results.json and report.html and prints the results.
    """
    from scenthound.cli.lab.run_experiment import Wish, run_lab

    wish = Wish(
        experiment=experiment,
        out=out,
        processes=processes,
        topics=topics.value if topics else "",
        strategies=tuple(strategies or ()),
        quick=quick,
        overrides=tuple(overrides or ()),
        quiet=quiet,
    )
    return run_lab(wish)


@lab.command("list")
def show_list() -> int:
    """List strategies, built-in experiments and cached worlds."""
    from scenthound.cli.lab.lab_list import list_all

    return list_all()


@lab.command()
def show(path: Results, as_json: Json = False) -> int:
    """Show the results of an earlier experiment."""
    from scenthound.cli.lab.show_results import show_results

    return show_results(path, as_json=as_json)


@lab.command()
def world(
    source: Annotated[
        list[str],
        typer.Argument(metavar="SOURCE", help="WARC files, a crawl directory, or demo:SEED for a demo web."),
    ],
    labels: Annotated[
        Path | None,
        typer.Option("--labels", metavar="F.tsv", help="A table of labels, one line each: `url <TAB> topic path`."),
    ] = None,
) -> int:
    """Read a world into the cache and describe it.

    Experiments do this themselves. Use it to see the topics and their sizes before you write one.
    """
    from scenthound.cli.lab.show_world import tell_world

    return tell_world(source, labels=labels)
