"""All errors of scenthound, in one tree.

    ScenthoundError                 exit 1
    ├── UsageError                  exit 2: wrong input from the user
    │   ├── SettingError            a key or value in crawl.toml or --set
    │   ├── TopicsError             a topics file
    │   │   └── UntaughtError       no example of a good topic can be read
    │   ├── LabError                an experiment, a world or a strategy of the lab
    │   ├── UrlError                not a URL of a web page
    │   └── DirectoryError          not a crawl directory, or not usable for the command
    │       └── UntrustedError      it names code that the user has not trusted
    ├── OpenFilesError              exit 1: the process has too many open files
    ├── CrawlsFailedError           exit 1: some crawls of an experiment failed
    └── StoreError                  exit 1: the database cannot be used
        ├── NewerStoreError         written by a newer scenthound
        └── DiskFullError           the disk is full; recorded data is safe

A message is one line: what is wrong, where, and what to do. Whatever goes wrong on the web (a 404, a robots.txt rule,
a timeout) is a value, `types.Reason`, never an exception.
"""

import errno
import resource
import shlex
from collections.abc import Sequence
from pathlib import Path


class ScenthoundError(Exception):
    """The root of the tree. Users see its text unchanged."""

    exit_code = 1


class UsageError(ScenthoundError):
    exit_code = 2


class SettingError(UsageError):
    """A setting that does not exist, or has a wrong value."""


class TopicsError(UsageError):
    """A topics file with a mistake."""


class UntaughtError(TopicsError):
    """No example of a good topic can be read, so the critic cannot learn."""


class LabError(UsageError):
    """An experiment, a world or a strategy with a mistake."""


class UrlError(UsageError):
    """A text that is not the URL of a web page."""


class DirectoryError(UsageError):
    """A folder that is not a crawl directory, or cannot be used as one now."""

    @classmethod
    def unwritable(cls, folder: Path, error: OSError) -> "DirectoryError":
        """Return the error for a folder that cannot be written."""
        advice = "change its permissions, or use a copy of the crawl"
        return cls(f"{folder} is not writable: {error.strerror}; {advice}")


class OpenFilesError(ScenthoundError):
    """The process needs more file descriptors than it may have."""

    def __init__(self) -> None:
        most = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
        super().__init__(
            f"too many open files (limit {most}); raise the limit (ulimit -n) or lower fetch.concurrency, then start "
            "again; all recorded data is safe"
        )

    @staticmethod
    def explains(error: BaseException | None) -> bool:
        """Return whether an error has this cause."""
        seen = set[int]()  # chains of causes can be circular
        while error is not None and id(error) not in seen:
            if isinstance(error, OSError) and error.errno in (errno.EMFILE, errno.ENFILE):
                return True
            seen.add(id(error))
            error = error.__cause__ or error.__context__
        return False


class UntrustedError(DirectoryError):
    """A crawl directory names code that the user has not trusted."""

    def __init__(self, directory: Path, things: Sequence[str]) -> None:
        self.directory = directory
        self.things = tuple(things)
        super().__init__(
            f"{directory} wants to use {' and '.join(things)}; if you trust it, "
            "add --trust once to crawl, classify, topics or serve"
        )


class CrawlsFailedError(ScenthoundError):
    """Some crawls of an experiment failed. The results of the others are written."""


class StoreError(ScenthoundError):
    """The database cannot be used."""


class NewerStoreError(StoreError):
    """A newer version wrote the database."""


class LostServerError(StoreError):
    """The server of a store went away. What was not committed is undone."""


class DiskFullError(StoreError):
    """The disk is full. Everything recorded before is safe."""


def repair_command(directory: Path) -> str:
    """Return the command that repairs a crawl."""
    return shlex.join(["scenthound", "repair", str(directory)])
