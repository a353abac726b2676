"""Sources that know which pages cite a page: a file, or a command that takes the page's address as its last argument.

The web has no links backwards; search engines, link archives and servers' own logs know some ("Surfing the web
backwards", Chakrabarti, Gibson and McCurley, WWW 1999). A fault of a source is a sentence in its answer, never an
exception.
"""

import os
import shlex
import shutil
import signal
import subprocess
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

import msgspec

from scenthound.errors import SettingError
from scenthound.parse.urls import canonical
from scenthound.settings.schema import BacklinksSettings

OWN_LINKS: Final = "links"
MOST_BYTES: Final = 1_000_000  # of what a command prints that are read
TOLERATED: Final = 0.5  # part of the lines of a file that may be no addresses before it is taken for another file


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """Addresses that cite a page, as far as the source knows, and the trouble it had. If it `failed`, ask again
    later."""

    urls: tuple[str, ...] = ()
    trouble: str = ""
    failed: bool = False


class CitingSource(Protocol):
    def citing(self, url: str) -> Named:
        """Return which pages cite this one. It may take a while, and be called from several threads."""
        ...

    def close(self) -> None:
        """Give up what is under way."""
        ...


def source_of(settings: BacklinksSettings, folder: Path) -> CitingSource:
    """Return the source that the settings name: a program if there is one, else a file in the crawl's folder or from
    here."""
    try:
        words = shlex.split(settings.source)
    except ValueError as error:
        raise SettingError(f"backlinks.source: {settings.source} cannot be read as a command: {error}") from error
    for path in (folder / settings.source, Path(settings.source)):
        if path.is_file() and not os.access(path, os.X_OK):
            return CitingFile(_read(path))
    if words and (program := shutil.which(words[0])):
        return CitingCommand([str(Path(program).absolute()), *words[1:]], timeout=settings.timeout)
    raise SettingError(
        f"backlinks.source: {settings.source} is neither a file nor a program that can be run; "
        f'give one, or "{OWN_LINKS}"'
    )


class CitingFile:
    """A file of lines "cited<TAB>citing", or of JSON objects with these two keys."""

    def __init__(self, citing: Mapping[str, Sequence[str]]) -> None:
        self._citing = citing

    def citing(self, url: str) -> Named:
        return Named(urls=tuple(self._citing.get(url, ())))

    def close(self) -> None:
        """Do nothing: the file is read."""


def _read(path: Path) -> Mapping[str, Sequence[str]]:
    found: dict[str, dict[str, None]] = {}
    lines = bad = 0
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            for line in filter(None, map(str.strip, file)):
                lines += 1
                cited, citing = _pair(line)
                if cited and citing:
                    found.setdefault(cited, {})[citing] = None
                else:
                    bad += 1
    except OSError as error:
        raise SettingError(f"backlinks.source: {path} cannot be read ({error.strerror}); see that you may") from error
    if bad > TOLERATED * lines:
        raise SettingError(
            f"backlinks.source: {bad:,} of {lines:,} lines of {path} name no two addresses; "
            'write "cited<TAB>citing" in each, '
            'or {"cited": …, "citing": …}'
        )
    return {cited: list(citing) for cited, citing in found.items()}


def _pair(line: str) -> tuple[str | None, str | None]:
    if line.startswith("{"):
        row: object = None
        with suppress(msgspec.DecodeError):
            row = msgspec.json.decode(line)
        both = (row.get("cited"), row.get("citing")) if isinstance(row, dict) else (None, None)
    else:
        cited, _, citing = line.partition("\t")
        both = (cited, citing)
    return _address(both[0]), _address(both[1])


def _address(text: object) -> str | None:
    return canonical(text.strip()) if isinstance(text, str) and "://" in text else None


class CitingCommand:
    """A program that prints one address a line. It is run without a shell, and ended with all that it has started."""

    def __init__(self, words: Sequence[str], *, timeout: float) -> None:
        self._words = list(words)
        self._timeout = timeout
        self._running: set[subprocess.Popen[bytes]] = set()
        self._closed = False

    def citing(self, url: str) -> Named:
        name = Path(self._words[0]).name
        try:
            process = subprocess.Popen(
                [*self._words, url],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        except OSError as error:
            return Named(trouble=f"{name} cannot be run ({error.strerror})", failed=True)
        overdue = threading.Event()
        with process:
            self._running.add(process)
            timer = threading.Timer(self._timeout, _end_late, [process, overdue])
            timer.start()
            try:
                printed = _printed(process)
            finally:
                timer.cancel()
                _end(process)
                self._running.discard(process)
        if overdue.is_set():
            return Named(trouble=f"{name} took longer than {self._timeout:g} s (backlinks.timeout)", failed=True)
        if process.returncode and len(printed) < MOST_BYTES:
            trouble = "" if self._closed else f"{name} ended with status {process.returncode}"
            return Named(trouble=trouble, failed=True)
        return _understood(printed, name)

    def close(self) -> None:
        self._closed = True
        for process in list(self._running):
            _end(process)


def _printed(process: "subprocess.Popen[bytes]") -> bytes:
    """Read what a command prints up to the bound; then wait for it, unless it goes on printing."""
    assert process.stdout is not None
    printed = process.stdout.read(MOST_BYTES)
    if len(printed) < MOST_BYTES:
        process.wait()
    return printed


def _end_late(process: "subprocess.Popen[bytes]", overdue: threading.Event) -> None:
    overdue.set()
    _end(process)


def _end(process: "subprocess.Popen[bytes]") -> None:
    if process.poll() is None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)


def _understood(printed: bytes, name: str) -> Named:
    lines = list(_lines(printed))
    found = [address for line in lines if (address := _address(line))]
    rubbish = len(lines) - len(found)
    trouble = f"{name} printed {rubbish:,} of {len(lines):,} lines that are no addresses" if rubbish else ""
    return Named(urls=tuple(dict.fromkeys(found)), trouble=trouble)


def _lines(printed: bytes) -> Iterator[str]:
    whole = printed if len(printed) < MOST_BYTES else printed[: printed.rfind(b"\n") + 1]
    for line in whole.decode("utf-8", "replace").splitlines():
        if text := line.strip():
            yield text
