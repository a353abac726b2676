"""`scenthound lab …`: what can be typed to compare strategies on archived webs. The work is done in the modules beside it.

Each form returns the program's exit code and imports its work when it runs.
"""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from scenthound.cli.typed import Json

lab = typer.Typer(
    rich_markup_mode=None,
    add_completion=False,
    help="Compare strategies on archived webs, and report.",
)


class Topics(StrEnum):
    """The topics that an experiment may be run for."""

    DEVELOPMENT = "development"
    TEST = "test"
    ALL = "all"


Results = Annotated[Path, typer.Argument(metavar="DIR", help="The folder that an experiment has written into.")]


@lab.command()
def run(
    experiment: Annotated[
        str, typer.Argument(metavar="F.toml|NAME", help="An experiment file, or a name that `lab list` shows.")
    ],
    out: Annotated[
        Path | None, typer.Option("--out", metavar="DIR", help="Where results go; else lab-NAME in this folder.")
    ] = None,
    processes: Annotated[
        int, typer.Option("--processes", min=0, metavar="N", help="Processes that crawl; 0 is one for each core.")
    ] = 0,
    topics: Annotated[
        Topics | None,
        typer.Option("--topics", metavar="|".join(Topics), help="The topics to crawl for, whatever the file says."),
    ] = None,
    strategies: Annotated[
        list[str] | None,
        typer.Option(
            "--strategy",
            metavar="F.py:CLASS",
            help="One strategy more: a class of yours, or a kind that `lab list` shows; may be repeated.",
        ),
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="Only a look: one draw, a few topics, the first budget and host cap.")
    ] = False,
    overrides: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="K=V",
            help="A key of the experiment (draws=1) or a setting of its crawls (critic.kind=bayes); may be repeated.",
        ),
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="Show no progress, only what was found.")] = False,
) -> int:
    """Run an experiment, or go on with one.

    What was crawled before is not crawled again. It writes results.json and report.html and shows how the strategies stand.
    """
    from scenthound.cli.lab_run import Wish, run_lab

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
    """List strategies, experiments that come with scenthound, and worlds that were read before."""
    from scenthound.cli.lab_list import list_all

    return list_all()


@lab.command()
def show(path: Results, as_json: Json = False) -> int:
    """Show how the strategies of an earlier experiment stand."""
    from scenthound.cli.lab_show import show_results

    return show_results(path, as_json=as_json)


@lab.command()
def papers(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="NAME", help="Experiments of the papers that `lab list` shows; else all that measure no time."
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="DIR", help="Where results go; else lab-papers in this folder.")
    ] = None,
    write: Annotated[
        Path | None, typer.Option("--write", metavar="F.md", help="Write the page there too, its pictures beside it.")
    ] = None,
    processes: Annotated[
        int, typer.Option("--processes", min=0, metavar="N", help="Processes that crawl; 0 is one for each core.")
    ] = 0,
    quick: Annotated[
        bool, typer.Option("--quick", help="Only a look: one draw and a few topics of the demo web.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Show no progress, only what was found.")] = False,
) -> int:
    """Make the papers' experiments again, or go on with them.

    It says what the papers found and what is found here, and writes a page about it. Where the archived webs are absent, the
    demo web stands in for them.
    """
    from scenthound.cli.lab_papers import PapersWish, run_papers

    wish = PapersWish(names=tuple(names or ()), out=out, write=write, processes=processes, quick=quick, quiet=quiet)
    return run_papers(wish)


@lab.command()
def world(
    source: Annotated[
        list[str],
        typer.Argument(metavar="SOURCE", help="WARC files, a crawl directory, or demo:SEED for a demo web."),
    ],
    labels: Annotated[
        Path | None,
        typer.Option("--labels", metavar="F.tsv", help="A table with a line `url <TAB> topic path` for each label."),
    ] = None,
) -> int:
    """Read a world into the cache and tell about it.

    Experiments do this by themselves; here one sees the topics and their sizes before one is written.
    """
    from scenthound.cli.lab_world import tell_world

    return tell_world(source, labels=labels)
