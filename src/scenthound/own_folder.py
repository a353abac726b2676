"""The folder for data of a user that belongs to no crawl: what they trust, and the link that opens the browser.

It follows the XDG base directory specification: `$XDG_STATE_HOME/scenthound`, or `~/.local/state/scenthound`.
"""

import os
import tempfile
from contextlib import suppress
from pathlib import Path


def own_folder() -> Path:
    """Return the path of the folder, which may not exist yet."""
    given = os.environ.get("XDG_STATE_HOME", "")
    base = Path(given) if given.startswith("/") else Path("~/.local/state").expanduser()
    return base / "scenthound"


def write_own(name: str, text: str) -> Path:
    """Write a file atomically, readable only by its owner, and return its path."""
    folder = own_folder()
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    descriptor, beside = tempfile.mkstemp(prefix=f".{name}-", dir=folder)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
        return Path(beside).replace(folder / name)
    except BaseException:
        with suppress(OSError):
            Path(beside).unlink()
        raise
