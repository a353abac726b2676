"""`scenthound new`: make a crawl directory."""

from pathlib import Path
from typing import Annotated

import typer


def new(
    path: Annotated[Path, typer.Argument(metavar="DIR", help="The folder to create. It must be new or empty.")],
    urls: Annotated[
        list[str] | None,
        typer.Argument(metavar="URL", help="Pages you want more of. The crawl starts there."),
    ] = None,
    topics: Annotated[
        Path | None, typer.Option("--topics", metavar="F.toml", help="Read topics and examples from a topics file.")
    ] = None,
    bookmarks: Annotated[
        Path | None,
        typer.Option(
            "--bookmarks", metavar="F.html", help="Read bookmarks exported by a browser. Folders become topics."
        ),
    ] = None,
    dmoz: Annotated[
        Path | None,
        typer.Option("--dmoz", metavar="F.rdf", help="Read the content dump of dmoz.org, plain or gzipped."),
    ] = None,
    under: Annotated[
        list[str] | None,
        typer.Option(
            "--under", metavar="TOPIC", help="With --dmoz: take only this topic and its subtopics. Can be repeated."
        ),
    ] = None,
    folder: Annotated[
        Path | None,
        typer.Option("--folder", metavar="D", help="Copy a folder of documents. Subfolders become topics."),
    ] = None,
    query: Annotated[
        str | None, typer.Option("--query", metavar="WORDS", help="Describe what you want in a few words.")
    ] = None,
    start: Annotated[
        list[str] | None,
        typer.Option(
            "--start", metavar="URL", help="Start at this page too, without using it as an example. Can be repeated."
        ),
    ] = None,
    good: Annotated[
        list[str] | None,
        typer.Option(
            "--good",
            metavar="TOPIC",
            help="Mark this topic good: its path, or the end of its path if that is unique. Can be repeated.",
        ),
    ] = None,
    apprentice: Annotated[
        Path | None,
        typer.Option(
            "--apprentice", metavar="FILE", help="Start from what the apprentice of another crawl has learnt."
        ),
    ] = None,
    overrides: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="K=V", help="Write this setting into crawl.toml. Can be repeated."),
    ] = None,
) -> int:
    """Create a crawl directory from examples of what you want.

    Give URLs, or one source of topics and the names of the good ones. URLs become examples of the good topic.
    """
    from scenthound.cli.work.new_report import show_new
    from scenthound.services.crawls.new_crawl import Wish

    return show_new(
        Wish(
            path=path,
            urls=urls or (),
            topics=topics,
            bookmarks=bookmarks,
            dmoz=dmoz,
            under=under or (),
            folder=folder,
            query=query,
            start=start or (),
            good=good or (),
            apprentice=apprentice,
            overrides=overrides or (),
        )
    )
