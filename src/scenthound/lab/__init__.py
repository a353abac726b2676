"""The lab: crawl archived webs with the loop that ships, compare strategies fairly, and report what was found.

The names below are what other programs may rely on. Each is imported when it is first used: a strategy of somebody's own needs
two of them, and should not have to wait for the rest.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scenthound.lab.experiment import Experiment as Experiment
    from scenthound.lab.experiment import WorldChoice as WorldChoice
    from scenthound.lab.experiment_file import load_experiment as load_experiment
    from scenthound.lab.report import write_report as write_report
    from scenthound.lab.results import read_results as read_results
    from scenthound.lab.runner import run_experiment as run_experiment
    from scenthound.lab.strategy import Briefing as Briefing
    from scenthound.lab.strategy import Seen as Seen
    from scenthound.lab.strategy import Strategy as Strategy
    from scenthound.lab.values import Results as Results
    from scenthound.lab.values import StrategyChoice as StrategyChoice
    from scenthound.lab.world import World as World
    from scenthound.lab.world import WorldSource as WorldSource
    from scenthound.lab.world import open_world as open_world

_HOMES = {
    "Briefing": "strategy",
    "Experiment": "experiment",
    "Results": "values",
    "Seen": "strategy",
    "Strategy": "strategy",
    "StrategyChoice": "values",
    "World": "world",
    "WorldChoice": "experiment",
    "WorldSource": "world",
    "load_experiment": "experiment_file",
    "open_world": "world",
    "read_results": "results",
    "run_experiment": "runner",
    "write_report": "report",
}

__all__ = [
    "Briefing",
    "Experiment",
    "Results",
    "Seen",
    "Strategy",
    "StrategyChoice",
    "World",
    "WorldChoice",
    "WorldSource",
    "load_experiment",
    "open_world",
    "read_results",
    "run_experiment",
    "write_report",
]


def __getattr__(name: str) -> object:
    if name in _HOMES:
        return getattr(import_module(f"scenthound.lab.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'scenthound.lab' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
