"""Reads settings from crawl.toml and from `--set section.name=value`, and reports each mistake in one line.

For an unknown name it suggests the nearest one; for a wrong value it says what the setting takes.
"""

import difflib
import re
import tomllib
from collections.abc import Sequence
from copy import deepcopy
from functools import lru_cache
from pathlib import Path
from typing import Final

import msgspec

from scenthound.errors import ScenthoundError, SettingError
from scenthound.settings.checks import faults
from scenthound.settings.help import SettingHelp, all_settings, toml_value
from scenthound.settings.schema import Settings

Table = dict[str, object]
_SMALL: Final = 100_000  # characters; the topics of a whole directory of the web need not stay in memory

_PLACE = re.compile(r"^(?P<what>.*?)(?: - at `\$\.?(?P<path>[^`]*)`)?$", re.DOTALL)


def load_settings(path: Path, overrides: Sequence[str] = ()) -> Settings:
    """Read a crawl.toml, then apply overrides (`section.name=value`)."""
    table = read_toml(path, SettingError)
    settings = settings_from(table, where=path.name)
    return override(settings, overrides) if overrides else settings


def override(settings: Settings, overrides: Sequence[str]) -> Settings:
    """Replace single values by texts such as `fetch.delay=0.5`.

    >>> override(Settings(), ["crawl.order=random", 'fetch.locked=["*/index/*"]']).fetch.locked
    ['*/index/*']
    """
    table = {name: _as_table(getattr(settings, name)) for name in settings.__struct_fields__}
    for text in overrides:
        section, name, value = _parse_override(text)
        table[section][name] = value
    return settings_from(dict(table), where="--set")


def settings_from(table: Table, *, where: str) -> Settings:
    """Check a table of sections against the declared settings. Messages start with `where`."""
    _refuse_unknown(table, where)
    table = _with_order_as_text(table)
    try:
        settings = msgspec.convert(table, Settings)
    except msgspec.ValidationError as error:
        raise SettingError(f"{where}: {_type_fault(table, str(error))}") from None
    for fault in faults(settings):
        raise SettingError(f"{where}: {fault.key} = {_shown(fault.key, fault.value)} cannot be used: {fault.rule}")
    return settings


def _with_order_as_text(table: Table) -> Table:
    """Turn an order that is a list of columns into its text form."""
    crawl = table.get("crawl")
    order = crawl.get("order") if isinstance(crawl, dict) else None
    if isinstance(crawl, dict) and isinstance(order, list) and all(isinstance(name, str) for name in order):
        return table | {"crawl": crawl | {"order": ", ".join(order)}}
    return table


def read_toml(path: Path, failure: type[ScenthoundError]) -> Table:
    """Read a TOML file. Raise `failure`, with the line number if known, if that does not work."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise failure(f"{path}: the file does not exist") from None
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise failure(f"{path.name}: line {line} is not UTF-8 text; save the file as UTF-8") from None
    except OSError as error:
        raise failure(f"{path}: cannot be read: {error.strerror}") from None
    try:
        return deepcopy(_parsed(text)) if len(text) <= _SMALL else tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise failure(f"{path.name}: {_syntax_fault(text, str(error))}") from None


@lru_cache(maxsize=8)
def _parsed(text: str) -> Table:
    """Parse a text once: one short crawl reads its crawl.toml, which is nearly all comments, more than twenty times."""
    return tomllib.loads(text)


def nearest(word: str, known: Sequence[str]) -> str:
    """Return the known word that is most similar, or an empty text.

    >>> nearest("fetch.dealy", ["fetch.delay", "fetch.timeout"])
    'fetch.delay'
    """
    return next(iter(difflib.get_close_matches(word, known, n=1, cutoff=0.6)), "")


def without_password(text: str) -> str:
    """Hide a password before an @. Error messages with a mistyped proxy may end up in logs.

    >>> without_password('"http://me:secret@proxy.example:8080"'), without_password("http://proxy.example:8080")
    ('"http://me:***@proxy.example:8080"', 'http://proxy.example:8080')
    """
    hidden = re.sub(r":(?!//).*@", ":***@", text, count=1, flags=re.DOTALL)
    return re.sub(r"(password=)[^&\"]*", r"\1***", hidden)


def _as_table(section: object) -> Table:
    return {name: getattr(section, name) for name in section.__struct_fields__}  # type: ignore[attr-defined]


def _parse_override(text: str) -> tuple[str, str, object]:
    key, equals, value = text.partition("=")
    section, dot, name = key.strip().partition(".")
    if not equals or not key.strip():
        raise SettingError(f"--set {text}: write section.name=value, for example --set fetch.delay=0.5")
    known = {setting.key for setting in all_settings()}
    if not dot or f"{section}.{name}" not in known:
        raise SettingError(f"--set: {_unknown(key.strip())}")
    return section, name, _override_value(text, value.strip())


def _override_value(text: str, value: str) -> object:
    """Read a TOML value. Other text is a plain string, unless it starts like a list, a table or a quoted text."""
    try:
        table = tomllib.loads(f"value = {value}")
    except (ValueError, RecursionError) as error:  # RecursionError: thousands of brackets
        if value[:1] in ("[", "{", '"', "'"):
            reason = re.sub(r" \(at .*\)$", "", str(error))
            raise SettingError(f"--set {without_password(text)}: the value is not TOML: {reason}") from None
        return value
    return table["value"] if len(table) == 1 else value


def _refuse_unknown(table: Table, where: str) -> None:
    known = {setting.key for setting in all_settings()}
    names = {key.partition(".")[0] for key in known}
    for section, inside in table.items():
        if section not in names:
            raise SettingError(f"{where}: {_unknown(section)}")
        if not isinstance(inside, dict):
            raise SettingError(f"{where}: {section} is a section; write [{section}] on a line of its own")
        for name in inside:
            if f"{section}.{name}" not in known:
                raise SettingError(f"{where}: {_unknown(f'{section}.{name}')}")


def _unknown(key: str) -> str:
    """Say that a name does not exist, and suggest one, also from another section."""
    settings = list(all_settings())
    name = key.rpartition(".")[2]
    elsewhere = [setting.key for setting in settings if setting.name == name]
    keys = [setting.key for setting in settings]
    sections = sorted({setting.section for setting in settings})
    if key in sections:
        first = next(setting.key for setting in settings if setting.section == key)
        return f"{key} is a section; name one of its settings, such as {first}"
    guess = next(iter(elsewhere), "") or nearest(key, keys if "." in key else sections + keys)
    guess = guess or _nearest_name(name, settings)
    return f"{key} does not exist" + (f"; did you mean {guess}?" if guess else "; crawl.toml lists all settings")


def _nearest_name(name: str, settings: Sequence[SettingHelp]) -> str:
    by_name = {setting.name: setting.key for setting in settings}
    return by_name.get(nearest(name, list(by_name)), "")


def _type_fault(table: Table, message: str) -> str:
    """Reword the checker's message: the setting, its value, and what it takes."""
    found = _PLACE.match(message)
    path = (found["path"] or "") if found else ""
    section, _, rest = path.partition(".")
    name = re.split(r"[.\[]", rest)[0]
    for setting in all_settings():
        if setting.key == f"{section}.{name}":
            value = table[section][name]  # type: ignore[index]
            return f"{setting.key} = {_shown(setting.key, value)} cannot be used: it takes {setting.takes}"
    return message


def _shown(key: str, value: object) -> str:
    try:
        text = toml_value(value)
    except TypeError:  # TOML has dates and times, but no setting takes one
        return str(value)
    return without_password(text) if key in ("fetch.proxy", "store.url") else text


def _syntax_fault(text: str, message: str) -> str:
    place = re.search(r" \(at line (\d+), column \d+\)$", message)
    line = place[1] if place else text.count("\n") + 1
    reason = re.sub(r" \(at .*\)$", "", message)
    return f"line {line} is not TOML: {reason[:1].lower()}{reason[1:]}"
