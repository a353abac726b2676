"""Asking the user whether a crawl directory may run what it names, once; and `--trust`, which says so without being asked."""

import sys
from pathlib import Path

from scenthound.desk.crawls import Crawls
from scenthound.errors import DirectoryError, UntrustedError
from scenthound.harmless import say
from scenthound.trust import remember


def trust_all(path: Path) -> None:
    """Trust a crawl, or all crawls in a folder, with what they would run now."""
    from scenthound.crawl.directory import CrawlDirectory
    from scenthound.crawl.trusting import trust

    found = [path] if (path / "crawl.toml").exists() else [path / name for name in Crawls.at(path).names()]
    for one in found:
        try:
            trust(CrawlDirectory(path=one))
        except OSError as error:
            raise DirectoryError(_unwritable(error)) from None


def is_now_trusted(error: UntrustedError) -> bool:
    """Ask on a terminal; elsewhere nobody can answer."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    say(f"{error.directory} would use, with all that you may do:", file=sys.stderr)
    for thing in error.things:
        say(f"  {thing}", file=sys.stderr)
    say("Do you trust it? It is asked once. [y/N] ", end="", file=sys.stderr, flush=True)
    if sys.stdin.readline().strip().lower() not in ("y", "yes"):
        return False
    try:
        remember(error.directory, error.things)
    except OSError as trouble:
        raise DirectoryError(_unwritable(trouble)) from None
    return True


def _unwritable(error: OSError) -> str:
    return (
        f"{error.filename}: {error.strerror}; what is trusted is written there: set XDG_STATE_HOME to a folder of yours"
    )
