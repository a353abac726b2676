"""The settings, topics and example files of a crawl that several engines share: the same in the folder of each.

The last version of each file lies on the server. A file that was edited here is put there, one that was edited
elsewhere is written here, and the crawl then follows it as it follows any edit. If both happened, the version on the
server stays, and the one of this folder is kept beside it. The address of the server stays each folder's own.
"""

import json
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path, PurePosixPath
from typing import Final

import tomlkit
from tomlkit.exceptions import TOMLKitError

from scenthound.clock import Clock
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.crawl.engine.hooks import Batch, Hook
from scenthound.errors import ScenthoundError, UsageError
from scenthound.events import Listener, Notice
from scenthound.store.roles.engines import Engines
from scenthound.store.store_place import shown_place
from scenthound.topics.topics_file import OWN_NAMES
from scenthound.types import SharedFile
from scenthound.whole_file import write_whole

SETTINGS: Final = "crawl.toml"
TOPICS: Final = "topics.toml"
EVERY: Final = 2.0  # seconds between two looks
NOTE: Final = "shared.json"  # in the folder: which versions it has
_EXAMPLES: Final = "examples/"  # how the names of example files begin on the server
_LARGEST: Final = 20_000_000  # bytes of an example file that is shared


class SharedFolder:
    """The files of one folder beside those on the server."""

    def __init__(self, directory: CrawlDirectory, listener: Listener) -> None:
        self._directory = directory
        self._listener = listener

    def sync(self, engines: Engines) -> None:
        """Put there what was edited here, and write here what was edited elsewhere."""
        self.pull(engines)
        seen = self._seen()
        for name in self._names():
            content = self._content(name)
            version, digest = seen.get(name, (0, ""))
            if content is None or _digest(content) == digest:
                continue
            new = engines.share_file(name, content, after=version)
            if new is not None:
                seen[name] = (new, _digest(content))
        self._remember(seen)

    def pull(self, engines: Engines) -> None:
        """Write here what was edited elsewhere. Examples come first: the topics name them."""
        seen = self._seen()
        there = engines.shared_versions()
        examples = [name for name in there if name.startswith(_EXAMPLES)]
        for name in [*examples, *(name for name in (TOPICS, SETTINGS) if name in there)]:
            if there[name] == seen.get(name, (0, ""))[0]:
                continue
            file = engines.shared_file(name)
            if file is not None:
                self._take(file, known=seen.get(name, (0, ""))[1])
                seen[name] = (file.version, _digest(file.content))
        self._remember(seen)

    def _take(self, file: SharedFile, *, known: str) -> None:
        path, here = self._path(file.name), self._content(file.name)
        if here == file.content:
            return
        if here is not None and known != _digest(here):
            kept = _unused(path)
            write_whole(kept, path.read_bytes())
            text = (
                f"{path.name} was edited here and elsewhere; the other version counts, and this one is {kept.name} now"
            )
            self._listener(Notice(text=text))
        path.parent.mkdir(parents=True, exist_ok=True)
        content = file.content
        if file.name == SETTINGS:
            store = self._directory.store if self._directory.settings_file.exists() else None
            content = with_server(content, "" if store is None or isinstance(store, Path) else store.shown)
        write_whole(path, content)

    def _names(self) -> Iterator[str]:
        yield SETTINGS
        try:
            topics = self._directory.topics()
        except ScenthoundError:  # being edited; the crawl says so
            return
        yield from (f"{_EXAMPLES}{name}" for topic in topics.topics for name in topic.example_files)
        yield TOPICS

    def _path(self, name: str) -> Path:
        if name in (SETTINGS, TOPICS):
            return self._directory.path / name
        inner = PurePosixPath(name.removeprefix(_EXAMPLES))
        if inner.is_absolute() or ".." in inner.parts or not inner.parts or inner.parts[0] in (*OWN_NAMES, NOTE):
            raise UsageError(f"the server names {inner} as an example file; delete it there from shared_files")
        return self._directory.path / inner

    def _content(self, name: str) -> bytes | None:
        """Return a file as it is shared, without the address of the server; None if it is not there."""
        path = self._path(name)
        try:
            content = path.read_bytes() if path.stat().st_size <= _LARGEST else None
        except OSError:
            return None
        return with_server(content, "") if name == SETTINGS and content is not None else content

    def _seen(self) -> dict[str, tuple[int, str]]:
        try:
            told = json.loads((self._directory.path / NOTE).read_text(encoding="utf-8"))
            if told["server"] != self._server:  # the crawl was moved
                return {}
            return {name: (int(version), str(digest)) for name, (version, digest) in told["files"].items()}
        except (OSError, ValueError, AttributeError, TypeError, KeyError):  # none yet, or damaged
            return {}

    def _remember(self, seen: dict[str, tuple[int, str]]) -> None:
        if seen != self._seen():
            told = {"server": self._server, "files": seen}
            write_whole(self._directory.path / NOTE, json.dumps(told, indent=1) + "\n")

    @property
    def _server(self) -> str:
        return shown_place(self._directory.store)


class FolderWatch(Hook):
    """Keep the folder of a running engine like those of the others."""

    def __init__(self, folder: SharedFolder, engines: Engines, clock: Clock) -> None:
        self._folder = folder
        self._engines = engines
        self._clock = clock
        self._looked = 0.0

    def after_turn(self, batch: Batch) -> None:
        now = self._clock.now()
        if now - self._looked >= EVERY:
            self._looked = now
            self._folder.sync(self._engines)


def with_server(content: bytes, url: str) -> bytes:
    """Return crawl.toml with another address of the server. One that cannot be read stays as it is.

    >>> with_server(b'[store]\\nurl = "postgresql://here/x?crawl=a"\\n', "")
    b'[store]\\nurl = ""\\n'
    """
    try:
        document = tomlkit.parse(content.decode("utf-8-sig"))
        section = document.get("store")
        if section is None and url:
            section = document["store"] = tomlkit.table()
        if section is not None and section.get("url", "") != url:
            section["url"] = url
        return tomlkit.dumps(document).encode()
    except (UnicodeDecodeError, TOMLKitError, AttributeError, TypeError):
        return content


def _digest(content: bytes) -> str:
    return blake2b(content, digest_size=16).hexdigest()


def _unused(path: Path) -> Path:
    number = 1
    while (kept := path.with_name(f"{path.name}.mine-{number}")).exists():
        number += 1
    return kept
