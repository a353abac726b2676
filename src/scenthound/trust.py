"""The code that a crawl directory may run: only what its user has trusted.

A crawl directory may come from somebody else, and its settings can name functions and commands. Trust is stored in the
user's own folder, never in the crawl directory. It is bound to the real path of the directory and to the name of the
code: another setting, or a copy of the directory, needs trust again.
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
    """Describe a function that needs trust.

    >>> function("my_module:rank")
    'the function my_module:rank'
    """
    return f"the function {name}"


def command(words: str) -> str:
    """Describe a command, or an outside file, that needs trust."""
    return f"the command or file {words}"


def server(address: str) -> str:
    """Describe a server that needs trust: it gets what the crawl knows, and may ask for a password."""
    return f"the server {address}"


def is_trusted(directory: Path, thing: str) -> bool:
    """Return whether the user trusts a directory to run something."""
    return thing in _remembered().get(os.path.realpath(directory), ())


def require(directory: Path, things: Iterable[str]) -> None:
    """Raise an error unless the user trusts all of these things."""
    missing = [thing for thing in dict.fromkeys(things) if not is_trusted(directory, thing)]
    if missing:
        raise UntrustedError(directory, missing)


def remember(directory: Path, things: Iterable[str]) -> None:
    """Remember that the user trusts a directory to run these things."""
    things = set(things)
    known = _remembered()
    place = os.path.realpath(directory)
    told = sorted({*known.get(place, ()), *things})
    if things and told != known.get(place):
        write_own(FILE, json.dumps(known | {place: told}, indent=1, ensure_ascii=False) + "\n")


def _remembered() -> dict[str, list[str]]:
    try:
        told = json.loads((own_folder() / FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError):  # missing or damaged: nothing is trusted
        return {}
    return (
        {place: things for place, things in told.items() if isinstance(things, list)} if isinstance(told, dict) else {}
    )
