"""Everything that scenthound raises on purpose, in one tree.

    ScenthoundError                 exit 1
    ├── UsageError                  exit 2: what the user typed or wrote cannot be used as it is
    │   ├── SettingError            a key or value in crawl.toml or --set
    │   ├── TopicsError             a topics file
    │   │   └── UntaughtError       no example of a good topic can be read: a crawl ends there
    │   ├── LabError                an experiment, a world or a strategy of the lab
    │   ├── UrlError                an address that is not one
    │   └── DirectoryError          not a crawl directory, or one in a state that forbids the command
    ├── CrawlsFailedError           exit 1: crawls of an experiment failed; the others have their results
    └── StoreError                  exit 1: the database cannot go on
        ├── NewerStoreError         written by a newer scenthound
        └── DiskFullError           nothing more can be written; what was recorded is safe

A message is one line: what is wrong, where, and what to do about it. What happens to a page on the web
(a 404, a robots denial, a timeout) is a value, `types.Reason`, never an exception.
"""

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


class CrawlsFailedError(ScenthoundError):
    """Some crawls of an experiment failed; everything that the others found is written."""


class StoreError(ScenthoundError):
    """The database cannot go on."""


class NewerStoreError(StoreError):
    """The database was written by a newer version than this one."""


class DiskFullError(StoreError):
    """Nothing more can be written; everything recorded before is safe."""
