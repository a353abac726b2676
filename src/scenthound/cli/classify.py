"""`scenthound classify`: place pages in the topic tree."""

from pathlib import Path
from typing import Annotated

import typer

from scenthound.cli.shared.options import By, Dir, Json, Trust, trust_if
from scenthound.errors import UsageError


def classify(
    path: Dir,
    names: Annotated[list[str] | None, typer.Argument(metavar="URL|FILE", help="URLs or files.")] = None,
    stored: Annotated[bool, typer.Option("--stored", help="Classify all pages that the crawl has fetched.")] = False,
    by: Annotated[
        By,
        typer.Option(
            "--by",
            metavar="|".join(By),
            help="With --stored: use the critic in memory, or naive Bayes as SQL, for all pages at once or one by one.",
        ),
    ] = By.CRITIC,
    keep: Annotated[
        Path | None,
        typer.Option(
            "--keep", metavar="F.sqlite", help="With --by bulk or single: keep the tables of the papers in this file."
        ),
    ] = None,
    as_json: Json = False,
    trust: Trust = False,
) -> int:
    """Show where pages fall in the topic tree, with probabilities.

    Pages that the crawl has are classified as stored. Others are fetched, and not kept. The crawl does not change.
    """
    trust_if(trust, path)
    if stored:
        from scenthound.cli.work.classify_stored import StoredWish, classify_stored

        return classify_stored(StoredWish(path=path, names=tuple(names or ()), by=by, keep=keep, as_json=as_json))
    from scenthound.cli.work.classify_pages import classify as show

    if not names or keep or by is not By.CRITIC:
        raise UsageError("name URLs or files, or use --stored for all pages of the crawl")
    return show(path, names, as_json=as_json)
