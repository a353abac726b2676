"""Asks the user whether to trust a crawl directory; `--trust` says yes in advance."""

import sys
from pathlib import Path

from scenthound.errors import DirectoryError, UntrustedError
from scenthound.services.crawls.crawl_list import Crawls
from scenthound.terminal import say
from scenthound.trust import remember


def trust_all(path: Path) -> None:
    """Trust a crawl, or all crawls in a folder, to run the code that they name now."""
    from scenthound.crawl.directory.crawl_directory import CrawlDirectory
    from scenthound.crawl.directory.trust_check import trust

    found = [path] if (path / "crawl.toml").exists() else [path / name for name in Crawls.at(path).names()]
    for one in found:
        try:
            trust(CrawlDirectory(path=one))
        except OSError as error:
            raise DirectoryError(_unwritable(error)) from None


def is_now_trusted(error: UntrustedError) -> bool:
    """Ask on a terminal. Elsewhere nobody can answer."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    say(f"{error.directory} wants to use, with all your permissions:", file=sys.stderr)
    for thing in error.things:
        say(f"  {thing}", file=sys.stderr)
    say("Do you trust it? You are asked only once. [y/N] ", end="", file=sys.stderr, flush=True)
    if sys.stdin.readline().strip().lower() not in ("y", "yes"):
        return False
    try:
        remember(error.directory, error.things)
    except OSError as trouble:
        raise DirectoryError(_unwritable(trouble)) from None
    return True


def _unwritable(error: OSError) -> str:
    return (
        f"{error.filename}: {error.strerror}; trust is stored there; set XDG_STATE_HOME to a folder that you can write"
    )
