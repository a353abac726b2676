"""A crawl directory: one folder is one crawl, with its settings, topics, database, archive, models and logs.

Copy the folder and you have the whole crawl. One process at a time may crawl in it; any number may look.
"""

import fcntl
import os
import shutil
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Self

from scenthound.archive.files import files_of
from scenthound.archive.place import ArchivePlace
from scenthound.crawl.directory.named_code import code_of
from scenthound.errors import DirectoryError, SettingError, TopicsError, repair_command
from scenthound.parse.urls import canonical
from scenthound.settings.file import Table, load_settings, read_toml
from scenthound.settings.help import settings_text
from scenthound.settings.schema import Settings
from scenthound.settings.server_url import ServerUrl
from scenthound.store.store_place import Place, is_there, shown_place
from scenthound.taxonomy import Topics
from scenthound.topics.history import History
from scenthound.topics.imported import ExampleFile
from scenthound.topics.start_pages import seeds_of, what_is_missing
from scenthound.topics.topics_file import OWN_NAMES, check_topics, load_topics
from scenthound.topics.topics_text import rewritten
from scenthound.trust import remember, require, server

CRAWLING = "crawl"


@dataclass(frozen=True, slots=True, kw_only=True)
class AtWork:
    """The process that crawls in a directory: since when, and whether signals can pause and stop it."""

    process: int | None = None
    since: int = 0
    takes_signals: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlDirectory:
    """The paths of one crawl; `create` and `open` are the ways to one that exists."""

    path: Path

    @classmethod
    def create(
        cls,
        path: Path | str,
        *,
        topics: Topics,
        settings: Settings | None = None,
        files: Sequence[ExampleFile] = (),
        topics_text: str = "",
    ) -> Self:
        """Make a crawl in a new or empty folder. crawl.toml is written last: it is what makes it a crawl.

        What its settings would run is its maker's own word, and trusted (`crawl.directory.trust_check`).

        `files` are copied; `topics_text` is a topics file whose comments are to be kept.
        """
        path = Path(path)
        check_topics(topics, folder=path, coming={file.name for file in files})
        directory = cls._begin(path)
        for file in files:
            _copy(file, directory.path)
        _write(directory.topics_file, rewritten(topics_text, topics))
        with suppress(OSError):  # then it is asked about when it would be run
            remember(directory.path, code_of(settings or Settings(), directory.path).values())
        directory._finish(settings or Settings())
        with suppress(OSError):
            remember(directory.path, directory.servers())
        return directory

    @classmethod
    def open(cls, path: Path | str) -> Self:
        """Find the crawl in a folder."""
        path = Path(path)
        directory = cls(path=path)
        if not path.exists():
            raise DirectoryError(f"{path} does not exist; make a crawl there with: scenthound new {path} URL…")
        if directory.settings_file.is_dir():
            raise DirectoryError(
                f"{directory.settings_file} is a folder; move it away and put the crawl's settings file there"
            )
        if not directory.settings_file.is_file():
            raise DirectoryError(f"{path} is not a crawl directory (it has no crawl.toml); scenthound new makes one")
        require(path, [*directory.links_out(), *directory.servers()])
        return directory

    def links_out(self) -> list[str]:
        """Return the links among the crawl's own files that lead elsewhere: writing here would write there."""
        found = [self.path / name for name in OWN_NAMES if (self.path / name).is_symlink()]
        home = self.path.resolve()
        return [
            f"the link {path.name} to {path.resolve()}" for path in found if not path.resolve().is_relative_to(home)
        ]

    def servers(self) -> list[str]:
        """Return the servers that the crawl would send what it knows to, and a password if one asks for it."""
        store, archive = self.store, self._in_table("archive", "url")
        return [*([] if isinstance(store, Path) else [server(store.shown)]), *([server(archive)] if archive else [])]

    @property
    def settings_file(self) -> Path:
        return self.path / "crawl.toml"

    @property
    def topics_file(self) -> Path:
        return self.path / "topics.toml"

    @property
    def database(self) -> Path:
        return self.path / "crawl.db"

    @property
    def store(self) -> Place:
        """Where the crawl keeps what it knows: its database, or a schema of the server that crawl.toml names."""
        url = self._in_table("store", "url")
        return ServerUrl.read(url) if url else self.database

    @property
    def asked_store(self) -> Place:
        """Where questions in SQL go: to the store; on a server, as the user that crawl.toml names for reading."""
        store, reader = self.store, self._in_table("store", "reader")
        return store if isinstance(store, Path) or not reader else store.as_user(reader)

    def _in_table(self, section: str, key: str) -> str:
        """Return a text that crawl.toml has as it stands."""
        try:
            found = self.settings_table().get(section)
        except SettingError:  # who needs the settings says what is wrong with them
            return ""
        value = found.get(key) if isinstance(found, dict) else None
        return value if isinstance(value, str) else ""

    @property
    def begun(self) -> bool:
        """Whether the crawl has a store: it was started once."""
        return is_there(self.store)

    @property
    def archive(self) -> Path:
        return self.path / "archive"

    @property
    def archive_place(self) -> ArchivePlace:
        """Where its exchanges are read: in the archive folder, or elsewhere if crawl.toml names such a place."""
        return _archive_place(self, self.settings_stamp())

    @property
    def models(self) -> Path:
        return self.path / "models"

    @property
    def logs(self) -> Path:
        return self.path / "logs"

    @property
    def search(self) -> Path:
        return self.path / "search"

    @property
    def texts(self) -> Path:
        """Texts that readers have left for search."""
        return self.search / "texts"

    @property
    def extracts(self) -> Path:
        return self.path / "extracts"

    @property
    def lock_file(self) -> Path:
        return self.path / "crawl.lock"

    @property
    def lost_database(self) -> bool:
        """Whether there was a crawl here whose database is gone."""
        store = self.store
        if (is_there(store) and store.stat().st_size) if isinstance(store, Path) else is_there(store):
            return False
        return bool(files_of(self.archive)) or any(self.models.glob("*"))

    def refuse_lost_database(self) -> None:
        """Say how to go on with a crawl whose database is gone."""
        if self.lost_database:
            raise DirectoryError(
                f"{shown_place(self.store)} is gone, but the crawl has an archive or models; "
                "restore it from a copy, or make a new one from "
                f"what is left: {repair_command(self.path)}"
            )

    @property
    def asks_to_forgive(self) -> bool:
        """Whether the crawl that runs here is asked to give failed hosts another chance."""
        return self._forgive_file.exists()

    def ask_to_forgive(self, wanted: bool = True) -> None:
        """Ask for that, or take it back; the crawl does so when it has seen it."""
        try:
            self._forgive_file.touch() if wanted else self._forgive_file.unlink(missing_ok=True)
        except OSError as error:
            raise DirectoryError.unwritable(self.path, error) from None

    @property
    def asks_to_harvest(self) -> bool:
        """Whether the crawl here is asked to end its learning phase."""
        return self._harvest_file.exists()

    def ask_to_harvest(self, wanted: bool = True) -> None:
        """Ask for that, or take it back; a crawl that learns does so at its next turn."""
        try:
            self._harvest_file.touch() if wanted else self._harvest_file.unlink(missing_ok=True)
        except OSError as error:
            raise DirectoryError.unwritable(self.path, error) from None

    @property
    def _harvest_file(self) -> Path:
        return self.path / "crawl.harvest"

    @property
    def _forgive_file(self) -> Path:
        return self.path / "crawl.forgive"

    def settings(self, overrides: Sequence[str] = ()) -> Settings:
        """Read crawl.toml, with single values replaced for this run."""
        return load_settings(self.settings_file, overrides)

    def settings_table(self) -> Table:
        """Read crawl.toml as it stands: what it does not mention is not there."""
        return read_toml(self.settings_file, SettingError)

    def topics(self) -> Topics:
        return load_topics(self.topics_file, confined=True)

    def topics_stamp(self) -> object:
        """Return what changes when topics.toml is written."""
        return _stamp(self.topics_file)

    def settings_stamp(self) -> object:
        """Return what changes when crawl.toml is written."""
        return _stamp(self.settings_file)

    @property
    def history(self) -> History:
        """The versions of topics.toml, and the way to change it."""
        return History(file=self.topics_file)

    def seeds(self) -> list[str]:
        """Return the addresses that the crawl starts from; there may be none yet."""
        return list(dict.fromkeys((*seeds_of(self.topics(), folder=self.path), *self._starts())))

    def _starts(self) -> list[str]:
        """Return the places to begin at that are no examples."""
        return [url for url in map(canonical, self.settings().crawl.start) if url]

    def starting_points(self) -> list[str]:
        """Return the addresses that the crawl starts from, or say what is missing and how it is added."""
        found = self.seeds()
        if not found:
            raise TopicsError(f"{self.path} {what_is_missing(self.topics(), self.path)}")
        return found

    @contextmanager
    def lock(self, work: str = "") -> Iterator[None]:
        """Keep every other process from crawling here. The lock ends with this process, however that ends.

        `work` is CRAWLING for a process that takes signals: SIGINT or SIGTERM to stop, SIGUSR1 to pause, SIGUSR2 to go
        on.
        """
        try:
            descriptor = os.open(self.lock_file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise DirectoryError.unwritable(self.path, error) from None
        with os.fdopen(descriptor, "r+", encoding="ascii", errors="replace") as file:
            if not _take_soon(file.fileno()):
                raise DirectoryError(self._who_is_at_work(file.read()))
            file.truncate(0)
            file.seek(0)
            file.write(f"{os.getpid()} {time.time():.0f} {work}".rstrip() + "\n")
            file.flush()
            try:
                yield
            finally:
                # The file stays: removing it would let two processes lock two files of one name. Unlocked by word,
                # because a forked worker that outlives us has the same open file and would keep the lock.
                fcntl.flock(file.fileno(), fcntl.LOCK_UN)

    def is_running(self) -> bool:
        """Tell whether a process is crawling here now."""
        try:
            with self.lock_file.open("rb") as file:
                return not _take(file.fileno(), fcntl.LOCK_SH)
        except FileNotFoundError:
            return False

    def at_work(self) -> "AtWork | None":
        """Return which process is crawling here now, if one is."""
        if not self.is_running():
            return None
        return _at_work(self.lock_file.read_text(encoding="ascii", errors="replace"))

    @classmethod
    def _begin(cls, path: Path) -> Self:
        directory = cls(path=path)
        if directory.settings_file.exists():
            raise DirectoryError(f"{path} is a crawl already; resume it with: scenthound crawl {path}")
        if path.exists() and not path.is_dir():
            raise DirectoryError(f"{path} is a file; a crawl needs a folder of its own")
        if path.is_dir() and any(path.iterdir()):
            raise DirectoryError(f"{path} is not empty; a crawl needs a folder of its own")
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise DirectoryError(f"{path} cannot be made: {error.strerror}") from None
        return directory

    def _finish(self, settings: Settings) -> Self:
        for folder in (self.archive, self.models, self.logs):
            folder.mkdir()
        _write(self.settings_file, settings_text(settings))
        return self

    def _who_is_at_work(self, note: str) -> str:
        advice = f"stop it, or look at it with: scenthound status {self.path}"
        found = _at_work(note)
        if found.process is None:
            return f"{self.path} is already being crawled; {advice}"
        clock = time.strftime("%H:%M", time.localtime(found.since))
        return f"{self.path} is already being crawled by process {found.process} since {clock}; {advice}"


@lru_cache(maxsize=8)
def _archive_place(directory: CrawlDirectory, _stamp: object) -> ArchivePlace:
    """Read it from crawl.toml once, and again when that was edited: this is asked for each page."""
    try:
        settings = directory.settings().archive
    except SettingError:  # who needs the settings says what is wrong with them
        return ArchivePlace(directory.archive)
    return ArchivePlace(directory.archive, settings.url, settings.cache_size)


def _at_work(note: str) -> AtWork:
    """Read the note of a lock file; one that is being written says nothing yet.

    >>> _at_work("17 1700000000 crawl"), _at_work("")
    (AtWork(process=17, since=1700000000, takes_signals=True), AtWork(process=None, since=0, takes_signals=False))
    """
    words = note.split()
    if len(words) < 2 or not words[0].isdigit() or not words[1].isdigit():
        return AtWork()
    return AtWork(process=int(words[0]), since=int(words[1]), takes_signals=words[2:] == [CRAWLING])


def _take_soon(descriptor: int) -> bool:
    """Try for a tenth of a second: `is_running` in another process holds the lock for an instant to test it."""
    for _ in range(10):
        if _take(descriptor):
            return True
        time.sleep(0.01)
    return False


def _take(descriptor: int, kind: int = fcntl.LOCK_EX) -> bool:
    try:
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _stamp(path: Path) -> object:
    """Return a stamp that changes when a file is written: an editor may keep its time or size, but not inode and
    both."""
    try:
        seen = path.stat()
    except OSError:
        return None
    return seen.st_mtime_ns, seen.st_size, seen.st_ino


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise DirectoryError(f"{path} cannot be written: {error.strerror}") from None


def _copy(file: ExampleFile, folder: Path) -> None:
    there = folder / file.name
    try:
        there.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file.source, there)
    except OSError as error:
        raise DirectoryError(f"{file.source} cannot be copied to {there}: {error.strerror}") from None
