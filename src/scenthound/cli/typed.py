"""Arguments and options that several commands share."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

Dir = Annotated[Path, typer.Argument(metavar="DIR", help="The crawl directory.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for other programs.")]


Trust = Annotated[
    bool,
    typer.Option("--trust", help="Let it run the functions and commands that the crawl directory names, from now on."),
]


class By(StrEnum):
    """Who judges stored pages: the critic in memory, or its tables in a database (RELATIONAL's BulkProbe and SingleProbe)."""

    CRITIC = "critic"
    BULK = "bulk"
    SINGLE = "single"
