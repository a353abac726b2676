"""Arguments and options that several commands share."""

from pathlib import Path
from typing import Annotated

import typer

Dir = Annotated[Path, typer.Argument(metavar="DIR", help="The crawl directory.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for other programs.")]
