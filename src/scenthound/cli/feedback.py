"""`scenthound feedback`: tell the critic which pages are good."""

from typing import Annotated

import typer

from scenthound.cli.shared.options import Dir, Json


def feedback(
    path: Dir,
    urls: Annotated[
        list[str] | None,
        typer.Argument(metavar="URL", help="Pages of the crawl, or any others; - reads addresses from stdin."),
    ] = None,
    good: Annotated[bool, typer.Option("--good", help="They are what you want.")] = False,
    not_good: Annotated[bool, typer.Option("--not-good", help="They are not what you want.")] = False,
    topic: Annotated[
        str,
        typer.Option("--topic", metavar="TOPIC", help="They belong to this topic. With --good: to this good topic."),
    ] = "",
    undo: Annotated[bool, typer.Option("--undo", help="Take back the last feedback on them.")] = False,
    ask: Annotated[
        int,
        typer.Option("--ask", metavar="N", min=0, help="Ask about N pages and measure how often the critic is right."),
    ] = 0,
    as_json: Json = False,
) -> int:
    """Say which pages are good, so that the critic learns.

    Each page becomes an example. The command shows how many pages are on topic before and after, and which change most.
    """
    from scenthound.cli.work.feedback_answers import ask_for_feedback, give_feedback

    if ask:
        return ask_for_feedback(path, ask, as_json=as_json)
    return give_feedback(path, urls or [], good=good, not_good=not_good, topic=topic, undo=undo)
