"""The output of an experiment: results.json, byte for byte the same in every run, and timings.json, which
differs.

The results contain no time, no path of the machine and no number of processes.
"""

from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path, PurePath
from typing import Any

import msgspec

from scenthound.errors import LabError
from scenthound.lab.experiment.experiment import Experiment
from scenthound.lab.experiment.values import Results, RunResult, StrategyChoice, Tuning, WorldNote
from scenthound.lab.metrics.relatives import with_relatives
from scenthound.lab.metrics.statistics import duels, standings
from scenthound.lab.strategies.kinds import kind_of
from scenthound.whole_file import write_whole

RESULTS, TIMINGS = "results.json", "timings.json"
ORACLE, RANDOM = "oracle", "random"  # the kinds that others are compared with


def assembled(
    experiment: Experiment,
    *,
    worlds: Sequence[WorldNote],
    choices: Sequence[StrategyChoice],
    tunings: Sequence[Tuning],
    runs: Sequence[RunResult],
) -> Results:
    """Summarise the crawls; `choices` are the strategies as they ran, with the tuned values."""
    related = with_relatives(runs, oracle=_named(ORACLE, choices), random=_named(RANDOM, choices))
    return Results(
        title=experiment.title or "An experiment",
        about=experiment.about,
        version=version("scenthound"),
        seed=experiment.seed,
        experiment=told(experiment),
        worlds=tuple(worlds),
        strategies=tuple(map(strategy_table, choices)),
        tunings=tuple(tunings),
        runs=tuple(related),
        standings=standings(related, seed=experiment.seed),
        duels=duels(related, baseline=experiment.baseline, seed=experiment.seed),
    )


def told(experiment: Experiment) -> dict[str, Any]:
    """Return an experiment as tables like those of its file, without the folders of this machine."""
    table: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(experiment))  # as it will be read again
    del table["base"]
    for world in table["world"]:
        world["warc"] = [PurePath(path).name for path in world["warc"]]
        world["crawl"], world["labels"] = PurePath(world["crawl"]).name, PurePath(world["labels"]).name
    table["strategy"] = [_declared(choice) for choice in experiment.strategies]
    return table


def strategy_table(choice: StrategyChoice) -> dict[str, Any]:
    """Return a strategy as it ran."""
    kind = kind_of(choice)
    return {
        "name": choice.name,
        "kind": choice.kind,
        "summary": kind.summary,
        "parameters": dict(kind.parameters_for(choice)),
        "settings": dict(kind.settings_for(choice)),
        "knows_truth": kind.knows_truth,
    }


def write_results(results: Results, folder: Path) -> Path:
    """Write results.json into a folder, whole or not at all."""
    return _write(folder / RESULTS, msgspec.json.encode(results) + b"\n")


def write_timings(timings: Mapping[str, Any], folder: Path) -> Path:
    return _write(folder / TIMINGS, msgspec.json.format(msgspec.json.encode(timings), indent=1) + b"\n")


def read_results(folder: Path) -> Results:
    """Read the results of an experiment from a folder."""
    path = folder / RESULTS
    try:
        return msgspec.json.decode(path.read_bytes(), type=Results)
    except FileNotFoundError:
        raise LabError(
            f"{folder} has no {RESULTS}; `scenthound lab run` writes it when an experiment is done"
        ) from None
    except OSError as error:
        raise LabError(f"{path} cannot be read: {error.strerror}") from None
    except msgspec.MsgspecError as error:
        raise LabError(f"{path} is not what an experiment writes ({error}); run it again") from None


def _named(kind: str, choices: Sequence[StrategyChoice]) -> str:
    return next((choice.name for choice in choices if choice.kind == kind), "")


def _declared(choice: StrategyChoice) -> dict[str, Any]:
    tune = {"tune": {name: list(values) for name, values in choice.tune.items()}} if choice.tune else {}
    return {"name": choice.name, "kind": choice.kind, **choice.parameters, **choice.settings, **tune}


def _write(path: Path, text: bytes) -> Path:
    write_whole(path, text)
    return path
