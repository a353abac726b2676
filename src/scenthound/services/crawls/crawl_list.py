"""The crawls that a window shows: one crawl directory, or all those in a folder, each known by the name of its folder.

A name is looked up among the folders that are there and never joined to a path unseen, so that no name leads out.
"""

import shlex
from dataclasses import dataclass
from pathlib import Path

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.errors import DirectoryError, UsageError

_LONGEST_NAME = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Crawls:
    """One crawl (`single`), or a folder of crawls in which new ones can be made."""

    path: Path
    single: bool

    @classmethod
    def at(cls, path: Path) -> "Crawls":
        """Look whether a path is a crawl or a folder of crawls.

        One that does not exist is refused and not made by and by: a slip of the pen would look like the loss of all
        crawls.
        """
        if not path.exists():
            raise DirectoryError(
                f"{path} does not exist; to make crawls there in the window: mkdir -p {shlex.quote(str(path))}"
            )
        if not path.is_dir():
            raise DirectoryError(f"{path} is a file; name a crawl directory, or a folder of crawls")
        if single := (path / "crawl.toml").exists():
            CrawlDirectory.open(path)
        return cls(path=path.resolve(), single=single)

    def names(self) -> list[str]:
        """Return the names of all crawls, in the order of the alphabet."""
        if self.single:
            return [self.path.name]
        if not self.path.is_dir():
            return []
        return sorted(
            (one.name for one in self.path.iterdir() if (one / "crawl.toml").is_file()),
            key=lambda name: name.casefold(),
        )

    def open(self, name: str) -> CrawlDirectory:
        """Return the crawl of a name."""
        if name not in self.names():
            raise UnknownCrawlError(f"there is no crawl {name!r} here; choose one of the list")
        return CrawlDirectory.open(self.path if self.single else self.path / name)

    def place_for(self, name: str) -> Path:
        """Return where a new crawl of that name goes; nothing is made yet."""
        if self.single:
            raise UsageError(
                "this window shows a single crawl; serve a folder to make new ones: scenthound serve FOLDER"
            )
        if fault := fault_of_name(name):
            raise UsageError(f"a crawl cannot be called {name!r}: {fault}")
        place = self.path / name
        if place.exists():
            raise UsageError(f"there is a folder {name!r} here already; choose another name")
        return place


class UnknownCrawlError(DirectoryError):
    """No crawl of that name is shown here."""


def fault_of_name(name: str) -> str:
    """Say why a text cannot be the name of a folder, or nothing if it can.

    >>> fault_of_name("cycling 2"), fault_of_name("../etc"), fault_of_name("")
    ('', 'it may not hold / or \\\\', 'it is empty')
    """
    if not name.strip():
        return "it is empty"
    if "/" in name or "\\" in name:
        return "it may not hold / or \\"
    if name.startswith("."):
        return "it may not begin with a dot"
    if not name.isprintable() or name != name.strip():
        return "it may not begin or end with a space, or hold characters that cannot be printed"
    return f"it is longer than {_LONGEST_NAME} characters" if len(name) > _LONGEST_NAME else ""
