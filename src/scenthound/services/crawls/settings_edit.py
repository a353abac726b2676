"""Changing single settings in crawl.toml with tomlkit, which keeps everything else as its author wrote it.

A running crawl applies some changes at once (`settings_watch.at_once`) and the others at its next start. Settings that
run code, open private networks or read files (`Guard`) are never written from here: you have to edit the file.
"""

import re
import tomllib
from collections.abc import Mapping, MutableMapping, Sequence
from dataclasses import dataclass

import tomlkit
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import Comment, Table

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.crawl.directory.settings_watch import at_once, flat
from scenthound.errors import DirectoryError, SettingError
from scenthound.settings.file import override, settings_from
from scenthound.settings.help import all_settings, toml_value
from scenthound.settings.schema import Settings
from scenthound.whole_file import write_whole


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
    try:
        for key in changed:
            text = with_setting(text, key, values[key])
    except TOMLKitError:
        raise SettingError(_UNUSUAL) from None
    if settings_from(tomllib.loads(text), where="crawl.toml") != after:
        raise SettingError(_UNUSUAL)
    if changed:
        _write(directory, text)
    return _effects(changed, running=directory.is_running())


_UNUSUAL = "crawl.toml has an unusual layout and cannot be changed from here; edit the file yourself"


def refuse_guarded(before: Settings, after: Settings) -> None:
    """Refuse changes that only the owner of crawl.toml may make, however they are spelt."""
    was, values = flat(before), flat(after)
    for setting in all_settings():
        value = values[setting.key]
        if value != was[setting.key] and (why := setting.forbids(value)):
            raise SettingError(
                f"{setting.key} cannot be set to {toml_value(value)} from here: {why}; "
                "write it into crawl.toml yourself"
            )


def overridden(settings: Settings, changes: Sequence[str]) -> Settings:
    """Change settings as `--set` does; what cannot be used is said without a word of that, for here nobody typed it."""
    try:
        return override(settings, changes)
    except SettingError as error:
        raise SettingError(str(error).removeprefix("--set").lstrip(": ")) from None


def with_setting(text: str, key: str, value: object) -> str:
    """Return a crawl.toml with one setting changed. A default that is commented out is replaced in its place.

    >>> print(with_setting("[fetch]\\n#delay = 1.0\\ntries = 3\\n", "fetch.delay", 2.5), end="")
    [fetch]
    delay = 2.5
    tries = 3
    """
    section, _, name = key.partition(".")
    document = tomlkit.parse(text if text.endswith("\n") else f"{text}\n")
    item = tomlkit.value(toml_value(value))
    table = document.get(section)
    if not isinstance(table, MutableMapping):
        return f"{tomlkit.dumps(document)}\n[{section}]\n{name} = {item.as_string()}\n"
    if name not in table and (default := _commented_default(table, name)):
        default.trivia.comment = f"{name} = {item.as_string()}"
    else:
        table[name] = item
    return tomlkit.dumps(document)


def _commented_default(table: object, name: str) -> Comment | None:
    """Return the comment that shows a setting with its default, as `#delay = 1.0`."""
    body = table.value.body if isinstance(table, Table) else []
    comments = (item for _, item in body if isinstance(item, Comment))
    return next((one for one in comments if re.match(rf"#\s*{re.escape(name)}\s*=", one.trivia.comment)), None)


def _write(directory: CrawlDirectory, text: str) -> None:
    path = directory.settings_file
    try:
        write_whole(path, text)
    except OSError as error:
        raise DirectoryError(f"{path} cannot be written: {error.strerror}") from None


def _effects(changed: Sequence[str], *, running: bool) -> list[str]:
    if not changed:
        return ["Nothing has changed."]
    if not running:
        return [f"Saved: {', '.join(changed)}."]
    now, later = [key for key in changed if at_once(key)], [key for key in changed if not at_once(key)]
    told = [f"Saved, and taken up by the running crawl: {', '.join(now)}."] if now else []
    return told + ([f"Saved for the next start of the crawl: {', '.join(later)}."] if later else [])
