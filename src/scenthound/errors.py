"""Everything that scenthound raises on purpose, in one tree.

    ScenthoundError                 exit 1
    ├── UsageError                  exit 2: what the user typed or wrote cannot be used as it is
    │   ├── SettingError            a key or value in crawl.toml or --set
    │   ├── TopicsError             a topics file
    │   │   └── UntaughtError       no example of a good topic can be read: a crawl ends there
    │   ├── LabError                an experiment, a world or a strategy of the lab
    │   ├── UrlError                an address that is not one
    │   └── DirectoryError          not a crawl directory, or one in a state that forbids the command
    │       └── UntrustedError      it would run what its user has not trusted
    ├── OpenFilesError              exit 1: this process may not open any more files
    ├── CrawlsFailedError           exit 1: crawls of an experiment failed; the others have their results
    └── StoreError                  exit 1: the database cannot go on
        ├── NewerStoreError         written by a newer scenthound
        └── DiskFullError           nothing more can be written; what was recorded is safe

A message is one line: what is wrong, where, and what to do about it. What happens to a page on the web
(a 404, a robots denial, a timeout) is a value, `types.Reason`, never an exception.
"""

import errno
import resource
import shlex
from collections.abc import Sequence
from pathlib import Path


class ScenthoundError(Exception):
    """The root of the tree; its text is shown to the user as it stands."""

    exit_code = 1


class UsageError(ScenthoundError):
    exit_code = 2


class SettingError(UsageError):
    """A setting that does not exist or has a value that it cannot have."""


class TopicsError(UsageError):
    """A topics file that cannot be read as one."""


class UntaughtError(TopicsError):
    """No example of a good topic can be read, so that nothing can be learnt."""


class LabError(UsageError):
    """An experiment, a world or a strategy that cannot be used as it is."""


class UrlError(UsageError):
    """Text that is not the address of a web page."""


class DirectoryError(UsageError):
    """A folder that is not a crawl directory, or cannot be used as one now."""

    @classmethod
    def unwritable(cls, folder: Path, error: OSError) -> "DirectoryError":
        """Return what to say of a folder that refuses to be written to."""
        advice = "change its permissions, or work on a copy of the crawl"
        return cls(f"{folder} cannot be written to: {error.strerror}; {advice}")


class OpenFilesError(ScenthoundError):
    """Connections, files and processes need more descriptors than this process may have."""

    def __init__(self) -> None:
        most = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
        super().__init__(
            f"too many open files: this process may have {most}; raise the limit (ulimit -n) or lower fetch.concurrency, and "
            "start again, all recorded is safe"
        )

    @staticmethod
    def explains(error: BaseException | None) -> bool:
        """Tell whether this is what lies behind an error."""
        seen = set[int]()  # the causes of some errors go round in circles
        while error is not None and id(error) not in seen:
            if isinstance(error, OSError) and error.errno in (errno.EMFILE, errno.ENFILE):
                return True
            seen.add(id(error))
            error = error.__cause__ or error.__context__
        return False


class UntrustedError(DirectoryError):
    """A crawl directory would run what its user has not trusted."""

    def __init__(self, directory: Path, things: Sequence[str]) -> None:
        self.directory = directory
        self.things = tuple(things)
        super().__init__(
            f"{directory} would use {' and '.join(things)}; if you trust it, "
            "give --trust once, to crawl, classify, topics or serve"
        )


class CrawlsFailedError(ScenthoundError):
    """Some crawls of an experiment failed; everything that the others found is written."""


class StoreError(ScenthoundError):
    """The database cannot go on."""


class NewerStoreError(StoreError):
    """The database was written by a newer version than this one."""


class DiskFullError(StoreError):
    """Nothing more can be written; everything recorded before is safe."""


def repair_command(directory: Path) -> str:
    """Write the command that goes on with what is left of a crawl."""
    return shlex.join(["scenthound", "repair", str(directory)])
