"""Describes every setting: what it takes, its default, its help. Everything is derived from `schema.Settings`.

The commented crawl.toml of a new crawl, the reference in the docs and the error messages use it.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

import msgspec
from msgspec import inspect

from scenthound.settings.schema import Guard, Settings

OPEN: Final = Guard()  # for settings that take a number or one of a few words


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingHelp:
    """The description of one setting."""

    section: str
    name: str
    takes: str
    default: object
    help: str
    guard: Guard = OPEN

    @property
    def key(self) -> str:
        return f"{self.section}.{self.name}"

    def forbids(self, value: object) -> str:
        """Return why the window and the API may not set a value; "" if they may.

        >>> order = next(one for one in all_settings() if one.key == "crawl.order")
        >>> order.forbids("breadth"), order.forbids("my_module:rank")
        ('', 'a function runs code')
        """
        guard = self.guard
        return guard.why if not guard.values or re.search(guard.values, str(value)) else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionHelp:
    """A section of crawl.toml with its settings, in order."""

    name: str
    help: str
    settings: tuple[SettingHelp, ...]


@cache
def sections() -> tuple[SectionHelp, ...]:
    """Describe the whole of crawl.toml.

    >>> [section.name for section in sections()][:3]
    ['crawl', 'fetch', 'read']
    >>> next(setting.takes for setting in all_settings() if setting.key == "fetch.robots_hours")
    'a number above 0 and at most 24'
    """
    kinds = ((field.name, _bare(field.type)) for field in _fields(inspect.type_info(Settings)))
    return tuple(section_help(name, kind.cls) for name, kind in kinds if isinstance(kind, inspect.StructType))


def all_settings() -> Iterator[SettingHelp]:
    """Yield every setting, in the order of crawl.toml."""
    for section in sections():
        yield from section.settings


def settings_text(settings: Settings) -> str:
    """Write a crawl.toml with every setting. Defaults are commented out."""
    lines = [
        "# The settings of this crawl, each with its help and its default.",
        "# Remove the # before a name to change it. For one run only, use --set section.name=value.",
    ]
    for section in sections():
        lines += ["", "", f"[{section.name}]", f"# {section.help}"]
        for setting in section.settings:
            lines += ["", f"# {setting.help}", f"# Takes {setting.takes}.", _line(setting, settings)]
    return "\n".join(lines) + "\n"


def toml_value(value: object) -> str:
    """Write a value as TOML.

    >>> print(toml_value({"text/*": 5_000_000, "on": True, "names": ["a", 'b"']}))
    { "text/*" = 5_000_000, "on" = true, "names" = ["a", "b\\""] }
    """
    match value:
        case bool():
            return "true" if value else "false"
        case int():
            return f"{value:_}"
        case float():
            return repr(value)
        case str():
            # TOML knows all escapes of JSON. Only DEL needs one in TOML but not in JSON.
            return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
        case list() | tuple():
            return "[" + ", ".join(toml_value(item) for item in value) + "]"
        case dict():
            inside = ", ".join(f"{toml_value(key)} = {toml_value(item)}" for key, item in value.items())
            return "{ " + inside + " }" if inside else "{}"
    raise TypeError(f"{type(value).__name__} has no form in crawl.toml")


def _line(setting: SettingHelp, settings: Settings) -> str:
    value = getattr(getattr(settings, setting.section), setting.name)
    mark = "#" if value == setting.default else ""
    return f"{mark}{setting.name} = {toml_value(value)}"


def section_help(name: str, kind: type[msgspec.Struct]) -> SectionHelp:
    """Describe one section. Raise TypeError if a free-text setting does not declare a guard."""
    settings = tuple(_setting(name, field) for field in _fields(inspect.type_info(kind)))
    return SectionHelp(name=name, help=(kind.__doc__ or "").strip(), settings=settings)


def _setting(section: str, field: inspect.Field) -> SettingHelp:
    default = field.default
    if default is msgspec.NODEFAULT:
        default = field.default_factory()
    schema = field.type.extra_json_schema if isinstance(field.type, inspect.Metadata) else None
    text = str((schema or {}).get("description", ""))
    guard = (field.type.extra or {}).get("guard") if isinstance(field.type, inspect.Metadata) else None
    if guard is None and _is_free(field.type):
        raise TypeError(f"{section}.{field.name} takes any text: declare who may set it (settings.guard)")
    return SettingHelp(
        section=section,
        name=field.name,
        takes=_takes(field.type),
        default=default,
        help=text,
        guard=guard or OPEN,
    )


def _is_free(kind: inspect.Type) -> bool:
    """Return whether a setting takes free text, which may name files, hosts, commands or code."""
    return not isinstance(_bare(kind), inspect.BoolType | inspect.IntType | inspect.FloatType | inspect.LiteralType)


def _fields(kind: inspect.Type) -> tuple[inspect.Field, ...]:
    assert isinstance(kind, inspect.StructType)
    return kind.fields


def _bare(kind: inspect.Type) -> inspect.Type:
    return kind.type if isinstance(kind, inspect.Metadata) else kind


def _takes(kind: inspect.Type) -> str:
    match _bare(kind):
        case inspect.BoolType():
            return "true or false"
        case inspect.IntType() as number:
            return "a whole number" + _range(number)
        case inspect.FloatType() as number:
            return "a number" + _range(number)
        case inspect.StrType():
            return "a text"
        case inspect.LiteralType() as literal:
            return " or ".join(toml_value(value) for value in literal.values)
        case inspect.ListType() as many:
            return f"a list of {_plural(many.item_type)}"
        case inspect.DictType() as table:
            return f"a table of {_plural(table.value_type)}"
        case inspect.UnionType() as union:
            return ", or ".join(_takes(option) for option in union.types)
    raise TypeError(f"no words for {kind}")


def _plural(kind: inspect.Type) -> str:
    return _takes(kind).removeprefix("a ") + "s"


def _range(number: inspect.IntType | inspect.FloatType) -> str:
    low = f"{_bound(number.ge)} or more" if number.ge is not None else ""
    above = f"above {_bound(number.gt)}" if number.gt is not None else ""
    most = f"at most {_bound(number.le)}" if number.le is not None else ""
    if above:
        return " " + " and ".join(filter(None, (above, most)))
    return "".join(f", {part}" for part in (low, most) if part)


def _bound(number: float) -> str:
    return f"{number:,.0f}" if number == int(number) else f"{number:g}"
