"""Experiments from TOML files: read, checked, and every mistake said in one line with the file and the key.

title = "Does tunnelling help?"
budgets = ["n", "2n"]

[[world]]
name = "schools"
warc = ["schools.warc.gz"]
labels = "schools.labels.tsv"

[[strategy]]
name = "best-first"
"""

import dataclasses
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from scenthound.errors import LabError, SettingError
from scenthound.lab.experiment.experiment import Experiment, StrategyKeys, WorldChoice, budget_size
from scenthound.lab.experiment.experiment_help import keys_of
from scenthound.lab.experiment.values import StrategyChoice
from scenthound.settings.file import nearest, read_toml, settings_from
from scenthound.settings.help import all_settings, toml_value

Table = dict[str, Any]
S = TypeVar("S", bound=Struct)

BASELINE = "best-first"
# Decided by the experiment itself, for all strategies alike.
_RULED = {
    "crawl.pages": "budgets",
    "crawl.pages_per_host": "host_caps",
    "crawl.seed": "seed",
    "fetch.locked": "locked in [[world]]",
}
_PLACE = re.compile(r" - at `\$\.?(?P<key>[^.`\[]*)")
_NAME = re.compile(r"[\w.+() =,-]+")


def load_experiment(path: Path, *, base: Path | None = None, overrides: Sequence[str] = ()) -> Experiment:
    """Read an experiment file; each override (`key=value`) replaces one of its keys or a setting of the crawl.

    Relative paths start from `base`, by default the folder of the file.
    """
    table = read_toml(path, LabError)
    try:
        for text in overrides:
            _override(table, text)
        table["base"] = str((base or path.parent) / str(table.get("base", "")))
        experiment = checked(experiment_from(table))
    except (LabError, SettingError) as error:
        raise LabError(f"{path.name}: {error}") from None
    return replace(experiment, strategies=tuple(located(one, path.parent) for one in experiment.strategies))


def located(choice: StrategyChoice, folder: Path) -> StrategyChoice:
    """Return a strategy with the location of its file, if it is a user's own class: `FILE.py:CLASS`, from a folder."""
    file, _, name = choice.kind.rpartition(":")
    own = name and file.endswith(".py")
    return dataclasses.replace(choice, source=str(folder / file)) if own else choice


def experiment_from(table: Mapping[str, Any]) -> Experiment:
    """Make an experiment from the tables of a TOML file."""
    worlds = [_convert_table(entry, WorldChoice, _entry("world", entry, n)) for n, entry in _entries(table, "world")]
    strategies = [strategy_from(entry, n) for n, entry in _entries(table, "strategy")]
    plain = {name: value for name, value in table.items() if name not in ("world", "strategy")}
    plain["settings"] = _flat(plain.get("settings", {}), "settings")
    return _convert_table({**plain, "world": worlds, "strategy": strategies}, Experiment, "")


def strategy_from(entry: Mapping[str, Any], number: int = 1) -> StrategyChoice:
    """Make a strategy from its table; a key of its own is a parameter or, with a dot, a setting.

    >>> choice = strategy_from({"name": "no tunnel", "kind": "best-first", "crawl": {"tunnel": 0}, "gamma": 0.5})
    >>> choice.settings, choice.parameters
    ({'crawl.tunnel': 0}, {'gamma': 0.5})
    """
    where = _entry("strategy", entry, number)
    own = {name: value for name, value in entry.items() if name in StrategyKeys.__struct_fields__}
    keys = _convert_table(own, StrategyKeys, where)
    sections = {setting.section for setting in all_settings()}
    rest = {name: value for name, value in entry.items() if name not in own}
    settings = {name: value for name, value in rest.items() if "." in name or name in sections}
    return StrategyChoice(
        name=keys.name,
        kind=keys.kind or keys.name,
        parameters={name: value for name, value in rest.items() if name not in settings},
        settings=_flat(settings, where),
        tune=keys.tune,
    )


def checked(experiment: Experiment) -> Experiment:
    """Check an experiment; raise an error if it cannot run, and return it with its baseline."""
    for fault in (*_world_faults(experiment), *_strategy_faults(experiment), *_budget_faults(experiment)):
        raise LabError(fault)
    names = [choice.name for choice in experiment.strategies]
    baseline = experiment.baseline or (BASELINE if BASELINE in names else names[0])
    if baseline not in names:
        raise LabError(f'baseline = "{baseline}" is none of the strategies{_guess(baseline, names)}')
    _check_settings(experiment.settings, "settings")
    return replace(experiment, baseline=baseline)


def _world_faults(experiment: Experiment) -> Iterator[str]:
    if not experiment.worlds:
        yield 'there is no world to crawl; add [[world]] with name = "demo" and demo = 7, or warc and labels'
    yield from _names_twice("world", [world.name for world in experiment.worlds])
    for world in experiment.worlds:
        yield from (f'world "{world.name}": {fault}' for fault in _faults_of(world))


def _faults_of(world: WorldChoice) -> Iterator[str]:
    given = [name for name, value in (("warc", world.warc), ("crawl", world.crawl)) if value]
    given += ["demo"] if world.demo is not None else []
    if not _NAME.fullmatch(world.name):
        yield "a name has letters, digits, blanks and . + ( ) = , - _ only"
    if len(given) != 1:
        yield f"give one of warc, crawl and demo, not {' and '.join(given) or 'none'}"
    if given == ["warc"] and not world.labels:
        yield 'WARC files say nothing about topics; give labels = "FILE" with a line url <TAB> topic for each label'
    if given == ["demo"] and world.labels:
        yield "the demo web brings its own labels; leave labels out"
    for pattern in (pattern for pattern in world.development if pattern in world.test):
        yield f'"{pattern}" is both in development and in test; keep it in one of them'


def _strategy_faults(experiment: Experiment) -> Iterator[str]:
    if not experiment.strategies:
        yield 'there is no strategy; add [[strategy]] with name = "best-first" or another from `scenthound lab list`'
    yield from _names_twice("strategy", [choice.name for choice in experiment.strategies])
    for choice in experiment.strategies:
        where = f'strategy "{choice.name}"'
        if not choice.name.strip():
            yield f"{where}: give it a name"
        for name, values in choice.tune.items():
            if not values:
                yield f"{where}: tune: {name} has no values to try"
            if "." in name:
                _check_settings({name: values[0]} if values else {}, f"{where}: tune")
        _check_settings(choice.settings, where)


def _budget_faults(experiment: Experiment) -> Iterator[str]:
    for name, values in (("budgets", experiment.budgets), ("host_caps", experiment.host_caps)):
        if not values:
            yield f"{name} is empty; leave it out, or give at least one"
        yield from _names_twice(name, [str(value) for value in values])
    for budget in experiment.budgets:
        budget_size(budget, 100)


def _names_twice(what: str, names: Sequence[str]) -> Iterator[str]:
    for name in {name: None for name in names if names.count(name) > 1}:
        yield f'{what} "{name}" stands here twice; each needs a name of its own'


def _check_settings(settings: Mapping[str, Any], where: str) -> None:
    for name, value in settings.items():
        if name in _RULED:
            raise LabError(f"{where}: {name} is ruled by the experiment; use {_RULED[name]}")
        section, _, rest = name.partition(".")
        settings_from({section: {rest: value}}, where=where)


def _convert_table(table: Mapping[str, Any], kind: type[S], where: str) -> S:
    """Make a declared value from a table; `where` begins the error message."""
    known = {told.name: told for told in keys_of(kind)}
    begin = f"{where}: " if where else ""
    for name in table:
        if name not in known:
            raise LabError(f"{begin}{name} does not exist{_guess(name, list(known))}")
    if "name" in known and not table.get("name"):
        raise LabError(f'{begin}it has no name; add name = "…"')
    try:
        return msgspec.convert(dict(table), kind)
    except msgspec.ValidationError as error:
        found = _PLACE.search(str(error))
        told = known.get(found["key"]) if found else None
        if told is None:
            raise LabError(f"{begin}{error}") from None
        raise LabError(
            f"{begin}{told.name} = {_shown(table[told.name])} cannot be used: it takes {told.takes}"
        ) from None


def _entries(table: Mapping[str, Any], name: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    entries = table.get(name, [])
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise LabError(f"{name}: each begins with a line [[{name}]], in double brackets")
    yield from enumerate(entries, start=1)


def _entry(what: str, entry: Mapping[str, Any], number: int) -> str:
    return f'{what} "{entry["name"]}"' if isinstance(entry.get("name"), str) else f"{what} {number}"


def _flat(settings: object, where: str) -> Table:
    """Return settings by their dotted keys, however they were written.

    >>> _flat({"crawl": {"tunnel": 0}, "critic.kind": "bayes"}, "settings")
    {'crawl.tunnel': 0, 'critic.kind': 'bayes'}
    """
    if not isinstance(settings, dict):
        raise LabError(f'{where}: settings are a table such as {{ "critic.kind" = "bayes" }}')
    flat: Table = {}
    for name, value in settings.items():
        inside = isinstance(value, dict) and "." not in name
        flat |= {f"{name}.{key}": one for key, one in value.items()} if inside else {name: value}
    return flat


def _override(table: Table, text: str) -> None:
    name, equals, value = (part.strip() for part in text.partition("="))
    if not equals or not name:
        raise LabError(f"--set {text}: write it as key=value, for example --set draws=1 or --set critic.kind=bayes")
    if "." in name:
        table["settings"] = {**_flat(table.get("settings", {}), "settings"), name: _toml(value)}
    elif name in ("world", "strategy"):
        raise LabError(f"--set {text}: a {name} cannot be given like this; write it into the file")
    else:
        table[name] = _toml(value)


def _toml(value: str) -> object:
    """Read a value as TOML; a bare word is a text."""
    try:
        table = tomllib.loads(f"value = {value}")
    except tomllib.TOMLDecodeError:
        return value
    return table["value"] if len(table) == 1 else value


def _guess(name: str, known: Sequence[str]) -> str:
    guess = nearest(name, known)
    return f"; did you mean {guess}?" if guess else f"; there are {', '.join(known)}"


def _shown(value: object) -> str:
    try:
        return toml_value(value)
    except TypeError:  # dates and times are TOML, but no key takes one
        return str(value)
