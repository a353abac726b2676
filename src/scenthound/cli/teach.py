"""`scenthound teach`: answer the few questions that teach a critic most."""

from typing import Annotated

import typer

from scenthound.cli.shared.options import Dir, Json


def teach(
    path: Dir,
    count: Annotated[int, typer.Option("--count", metavar="N", min=1, max=100, help="How many pages to show.")] = 10,
    trim: Annotated[
        str,
        typer.Option("--trim", metavar="URL", help="Use only some blocks of this page as an example."),
    ] = "",
    blocks: Annotated[
        str,
        typer.Option(
            "--blocks", metavar="1,3-5", help="With --trim: the blocks to use. Without --blocks, all blocks are shown."
        ),
    ] = "",
    harvest: Annotated[
        bool, typer.Option("--harvest", help="End the learning phase of the crawl (crawl.phases) and harvest.")
    ] = False,
    as_json: Json = False,
) -> int:
    """Answer the few questions that teach the critic most.

    It asks about pages that the critic is unsure of and about archetypes, which the crawl has added to the examples by
    itself. For each page say yes, no, or which part of it counts. It takes about a minute, and can be left out.
    """
    from scenthound.cli.work.lesson_answers import ask_for_lessons, begin_harvest, trim_page

    if harvest:
        return begin_harvest(path)
    if trim or blocks:
        return trim_page(path, trim, blocks, as_json=as_json)
    return ask_for_lessons(path, count, as_json=as_json)
