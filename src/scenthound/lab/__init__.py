"""The lab: crawl archived webs with the real crawl loop, compare strategies fairly, and report the results.

`world/` reads webs, `experiment/` declares and draws tasks, `strategies/` chooses links, `runs/` crawls, `metrics/`
scores, `report/` writes the page. Imports: `crawl` and everything below it; nothing of `cli`, `ui` or `services`.

Other programs may rely on the names below. Each is imported at its first use, so that a user's own strategy, which
needs two of them, does not wait for the rest.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scenthound.lab.experiment.experiment import Experiment as Experiment
    from scenthound.lab.experiment.experiment import WorldChoice as WorldChoice
    from scenthound.lab.experiment.experiment_file import load_experiment as load_experiment
    from scenthound.lab.experiment.values import Results as Results
    from scenthound.lab.experiment.values import StrategyChoice as StrategyChoice
    from scenthound.lab.report import write_report as write_report
    from scenthound.lab.runs.results_file import read_results as read_results
    from scenthound.lab.runs.runner import run_experiment as run_experiment
    from scenthound.lab.strategies.strategy import Briefing as Briefing
    from scenthound.lab.strategies.strategy import Seen as Seen
    from scenthound.lab.strategies.strategy import Strategy as Strategy
    from scenthound.lab.world.world import World as World
    from scenthound.lab.world.world import WorldSource as WorldSource
    from scenthound.lab.world.world import open_world as open_world

_HOMES = {
    "Briefing": "strategies.strategy",
    "Experiment": "experiment.experiment",
    "Results": "experiment.values",
    "Seen": "strategies.strategy",
    "Strategy": "strategies.strategy",
    "StrategyChoice": "experiment.values",
    "World": "world.world",
    "WorldChoice": "experiment.experiment",
    "WorldSource": "world.world",
    "load_experiment": "experiment.experiment_file",
    "open_world": "world.world",
    "read_results": "runs.results_file",
    "run_experiment": "runs.runner",
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
