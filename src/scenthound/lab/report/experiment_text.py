"""An experiment as the text of a file that gives it again: what results.json holds as a tree, in TOML."""

from collections.abc import Mapping
from typing import Any

from scenthound.settings.help import toml_value


def experiment_text(experiment: Mapping[str, Any]) -> str:
    """Write an experiment as the TOML file that it could be read from; what has no value is left out.

    >>> shark = {"name": "shark", "gamma": 0.5, "crawl.tunnel": 0}
    >>> print(experiment_text({"title": "Trial", "about": "", "strategy": [shark]}))
    title = "Trial"
    <BLANKLINE>
    [[strategy]]
    name = "shark"
    gamma = 0.5
    "crawl.tunnel" = 0
    """
    lines = _lines({name: value for name, value in experiment.items() if not _tables(value)})
    for name, value in experiment.items():
        for entry in value if _tables(value) else ():
            lines += ["", f"[[{name}]]", *_lines(entry)]
    return "\n".join(lines)


def _tables(value: Any) -> bool:
    return isinstance(value, list | tuple) and bool(value) and all(isinstance(entry, Mapping) for entry in value)


def _lines(entries: Mapping[str, Any]) -> list[str]:
    there = {name: value for name, value in entries.items() if value not in (None, "", [], (), {})}
    return [f"{_key(name)} = {_value(value)}" for name, value in there.items()]


def _value(value: Any) -> str:
    """Write a value; a text of several lines stands as such."""
    if isinstance(value, str) and "\n" in value:
        lines = [toml_value(line)[1:-1] for line in value.split("\n")]
        return '"""\n' + "\n".join(lines) + '"""'
    return toml_value(_known(value))


def _key(name: str) -> str:
    bare = name.replace("_", "").replace("-", "")
    return name if bare.isascii() and bare.isalnum() else toml_value(name)


def _known(value: Any) -> Any:
    """Leave out of tables in tables what has no value, which TOML cannot write."""
    if isinstance(value, Mapping):
        return {name: _known(inner) for name, inner in value.items() if inner is not None}
    return [_known(inner) for inner in value] if isinstance(value, list | tuple) else value
