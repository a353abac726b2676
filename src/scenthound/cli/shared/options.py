"""Arguments and options that several commands share."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

Dir = Annotated[Path, typer.Argument(metavar="DIR", help="The crawl directory.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for other programs.")]


Trust = Annotated[
    bool,
    typer.Option("--trust", help="From now on, allow the functions and commands that the crawl directory names."),
]


def trust_if(wanted: bool, path: Path) -> None:
    """Remember that a crawl is trusted, if `--trust` was given."""
    if wanted:
        from scenthound.cli.shared.trust_prompt import trust_all

        trust_all(path)


class By(StrEnum):
    """How stored pages are classified: by the critic in memory, or in SQL (RELATIONAL's BulkProbe and SingleProbe)."""

    CRITIC = "critic"
    BULK = "bulk"
    SINGLE = "single"
