"""Changing single settings in crawl.toml: the line of each is replaced, and all else stays as its author wrote it.

A running crawl takes up what it can at once (`crawl.watching.at_once`) and the rest at its next start. What would run code,
open private networks or read files (`config.Guard`) is never written from here: only who can edit the file may do that.
"""

import os
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scenthound.config import Settings
from scenthound.crawl.directory import CrawlDirectory
from scenthound.crawl.watching import at_once, flat
from scenthound.errors import DirectoryError, SettingError
from scenthound.settings_file import override, settings_from
from scenthound.settings_help import all_settings, toml_value


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingNow:
    """A setting with its value, as TOML, beside its default; `at_once` tells whether a running crawl takes it up.

    `guarded` says why some values are refused here, or all of them where it is `read_only`; else it is empty.
    """

    section: str
    name: str
    takes: str
    help: str
    default: str
    value: str
    at_once: bool
    guarded: str = ""
    read_only: bool = False

    @property
    def key(self) -> str:
        return f"{self.section}.{self.name}"


def settings_now(directory: CrawlDirectory) -> list[SettingNow]:
    """Return every setting of a crawl."""
    values = flat(directory.settings())
    return [
        SettingNow(
            section=one.section,
            name=one.name,
            takes=one.takes,
            help=one.help,
            default=toml_value(one.default),
            value=toml_value(values[one.key]),
            at_once=at_once(one.key),
            guarded=one.guard.why,
            read_only=bool(one.guard.why) and not one.guard.values,
        )
        for one in all_settings()
    ]


def change_settings(directory: CrawlDirectory, changes: Mapping[str, str]) -> list[str]:
    """Write settings, given as TOML or as bare words, and return in sentences when they take effect.

    All are checked first: one that cannot be used leaves everything as it is.
    """
    before = directory.settings()
    after = overridden(before, [f"{key}={value}" for key, value in changes.items()])
    refuse_guarded(before, after)
    values = flat(after)
    changed = [key for key, value in values.items() if value != flat(before)[key]]
    text = directory.settings_file.read_text(encoding="utf-8-sig")
    for key in changed:
        text = with_setting(text, key, values[key])
    if settings_from(tomllib.loads(text), where="crawl.toml") != after:
        raise SettingError("crawl.toml is written in a way that cannot be changed from here; edit the file itself")
    if changed:
        _write(directory, text)
    return _effects(changed, running=directory.is_running())


def refuse_guarded(before: Settings, after: Settings) -> None:
    """Refuse changes that only the owner of crawl.toml may make, whoever asks for them and however they are spelt."""
    was, values = flat(before), flat(after)
    for setting in all_settings():
        value = values[setting.key]
        if value != was[setting.key] and (why := setting.forbids(value)):
            raise SettingError(
                f"{setting.key} cannot be set to {toml_value(value)} from here: {why}; write it into crawl.toml yourself"
            )


def overridden(settings: Settings, changes: Sequence[str]) -> Settings:
    """Change settings as `--set` does; what cannot be used is said without a word of that, for here nobody typed it."""
    try:
        return override(settings, changes)
    except SettingError as error:
        raise SettingError(str(error).removeprefix("--set").lstrip(": ")) from None


def with_setting(text: str, key: str, value: object) -> str:
    """Return a crawl.toml with one setting changed; a default that is commented out comes alive in its place.

    >>> print(with_setting("[fetch]\\n#delay = 1.0\\ntries = 3\\n", "fetch.delay", 2.5), end="")
    [fetch]
    delay = 2.5
    tries = 3
    """
    section, _, name = key.partition(".")
    lines = text.splitlines()
    line = f"{name} = {toml_value(value)}"
    begin = next((at for at, one in enumerate(lines) if re.match(rf"\s*\[{section}\]", one)), None)
    if begin is None:
        return "\n".join([*lines, "", f"[{section}]", line]) + "\n"
    end = next((at for at in range(begin + 1, len(lines)) if re.match(r"\s*\[\w", lines[at])), len(lines))
    place = _place(lines[begin + 1 : end], name)
    if place is None:
        return "\n".join([*lines[: begin + 1], line, *lines[begin + 1 :]]) + "\n"
    first, last = begin + 1 + place[0], begin + 1 + place[1]
    return "\n".join([*lines[:first], line, *lines[last:]]) + "\n"


def _place(lines: Sequence[str], name: str) -> tuple[int, int] | None:
    """Return from which line to which a setting stands; one in force counts before one that is commented out."""
    for comment in ("", "#"):
        for at, line in enumerate(lines):
            if re.match(rf"\s*{comment}\s*{re.escape(name)}\s*=", line):
                return at, at + 1 if comment else _end_of_value(lines, at)
    return None


def _end_of_value(lines: Sequence[str], begin: int) -> int:
    for end in range(begin + 1, len(lines) + 1):
        try:
            tomllib.loads("\n".join(lines[begin:end]))
        except tomllib.TOMLDecodeError:
            continue
        return end
    return begin + 1


def _write(directory: CrawlDirectory, text: str) -> None:
    path = directory.settings_file
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        beside.write_text(text, encoding="utf-8")
        beside.replace(path)
    except OSError as error:
        beside.unlink(missing_ok=True)
        raise DirectoryError(f"{path} cannot be written: {error.strerror}") from None


def _effects(changed: Sequence[str], *, running: bool) -> list[str]:
    if not changed:
        return ["Nothing has changed."]
    if not running:
        return [f"Saved: {', '.join(changed)}."]
    now, later = [key for key in changed if at_once(key)], [key for key in changed if not at_once(key)]
    told = [f"Saved, and taken up by the running crawl: {', '.join(now)}."] if now else []
    return told + ([f"Saved for the next start of the crawl: {', '.join(later)}."] if later else [])
