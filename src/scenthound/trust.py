"""What a crawl directory may run: what its user has trusted once, and nothing else.

A crawl directory may come from somebody else, and its settings can name functions and commands. What was trusted is remembered
in the user's own folder, never in the directory, by the real path of the directory and by what would be run: another setting,
or a copy elsewhere, is asked about again.
"""

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from scenthound.errors import UntrustedError
from scenthound.own_folder import own_folder, write_own

FILE: Final = "trusted.json"


def function(name: str) -> str:
    """Name a function as a thing to be trusted.

    >>> function("my_module:rank")
    'the function my_module:rank'
    """
    return f"the function {name}"


def command(words: str) -> str:
    """Name a command, or a file elsewhere that may be one, as a thing to be trusted."""
    return f"the command or file {words}"


def is_trusted(directory: Path, thing: str) -> bool:
    """Tell whether the user has trusted a directory to run something."""
    return thing in _remembered().get(os.path.realpath(directory), ())


def require(directory: Path, things: Iterable[str]) -> None:
    """Refuse to go on unless all of these things were trusted."""
    missing = [thing for thing in dict.fromkeys(things) if not is_trusted(directory, thing)]
    if missing:
        raise UntrustedError(directory, missing)


def remember(directory: Path, things: Iterable[str]) -> None:
    """Trust a directory with these things from now on."""
    things = set(things)
    known = _remembered()
    place = os.path.realpath(directory)
    told = sorted({*known.get(place, ()), *things})
    if things and told != known.get(place):
        write_own(FILE, json.dumps(known | {place: told}, indent=1, ensure_ascii=False) + "\n")


def _remembered() -> dict[str, list[str]]:
    try:
        told = json.loads((own_folder() / FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError):  # nothing yet, or not as we write it: then nothing is trusted
        return {}
    return (
        {place: things for place, things in told.items() if isinstance(things, list)} if isinstance(told, dict) else {}
    )
