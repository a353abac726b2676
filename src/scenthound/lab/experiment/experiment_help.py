"""The keys of an experiment file in words, from their declarations; error messages and the reference use them."""

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import Struct, inspect

from scenthound.lab.experiment.experiment import Experiment, StrategyKeys, WorldChoice
from scenthound.settings.help import SettingHelp, toml_value

_TABLES: dict[str, type[Struct]] = {"": Experiment, "[[world]]": WorldChoice, "[[strategy]]": StrategyKeys}
_MADE = "<!-- Made by `make docs` from the code; change it there. -->"


def keys_of(kind: type[Struct], section: str = "") -> tuple[SettingHelp, ...]:
    """Describe the keys of one table, in the order of their declaration.

    >>> [key.takes for key in keys_of(Experiment) if key.name == "draws"]
    ['a whole number, 1 or more']
    """
    described = inspect.type_info(kind)
    assert isinstance(described, inspect.StructType)
    return tuple(_key(field, section) for field in described.fields)


def _key(field: inspect.Field, section: str) -> SettingHelp:
    assert isinstance(field.type, inspect.Metadata)
    schema, extra = field.type.extra_json_schema or {}, field.type.extra or {}
    return SettingHelp(
        section=section,
        name=field.encode_name,
        takes=str(extra["takes"]),
        default=_default(field),
        help=str(schema["description"]),
    )


def _default(field: inspect.Field) -> Any:
    """Return the default of a key; None if it has none, or if the key is required."""
    if field.default is not msgspec.NODEFAULT:
        return field.default
    return None if field.default_factory is msgspec.NODEFAULT else field.default_factory()


def experiment_page() -> Iterator[str]:
    """Yield the reference of the experiment file."""
    yield from ("# The experiment file", _MADE, "")
    yield (
        "`scenthound lab run F.toml` reads it; [how to compare strategies](../how-to/compare-strategies.md) shows one "
        "whole. "
        "What is left out has its default; a key that does not exist is an error. Relative paths start from the "
        "folder of the "
        "file. `--set key=value` replaces a key of the first table, `--set section.name=value` a setting of the crawl."
    )
    for section, kind in _TABLES.items():
        title = section or "Keys at the top"
        yield from (
            "",
            f"## {title}",
            "",
            _sentence(kind),
            "",
            "| key | takes | default | what it does |",
            "|---|---|---|---|",
        )
        for told in keys_of(kind, section):
            if not told.takes.startswith("[["):
                yield f"| `{told.name}` | {told.takes} | {_shown(told)} | {_cell(told.help)} |"


def _sentence(kind: type[Struct]) -> str:
    return " ".join((kind.__doc__ or "").split())


def _shown(told: SettingHelp) -> str:
    if told.default in (None, ""):
        return "must be given" if told.name == "name" else ""
    return f"`{toml_value(told.default)}`"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
