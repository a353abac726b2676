"""`scenthound lab run`: run an experiment. After Ctrl-C it can be continued."""

import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from msgspec.structs import replace

from scenthound.cli.lab.progress_view import lab_view
from scenthound.cli.lab.show_results import print_standings
from scenthound.errors import CrawlsFailedError, LabError
from scenthound.lab.experiment.experiment import Experiment, quick
from scenthound.lab.experiment.experiment_file import checked, load_experiment, located, strategy_from
from scenthound.lab.experiment.values import StrategyChoice
from scenthound.lab.experiments import named
from scenthound.lab.report import PLOTS_MISSING, can_plot, write_report
from scenthound.lab.runs.results_file import read_results
from scenthound.lab.runs.runner import run_experiment
from scenthound.settings.file import nearest
from scenthound.terminal import say

INTERRUPTED = 128 + signal.SIGINT


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """The arguments of the command."""

    experiment: str
    out: Path | None = None
    processes: int = 0
    topics: str = ""
    strategies: tuple[str, ...] = ()
    quick: bool = False
    overrides: tuple[str, ...] = ()
    quiet: bool = False


def run_lab(wish: Wish) -> int:
    """Run an experiment, print the results, and say where the report is."""
    experiment = wished(wish)
    folder = wish.out or Path(f"lab-{Path(wish.experiment).stem}")
    failure: CrawlsFailedError | None = None
    try:
        with ending_by_signal(), lab_view(quiet=wish.quiet) as listener:
            run_experiment(experiment, folder=folder, processes=wish.processes, listener=listener)
    except KeyboardInterrupt:
        say(f"Interrupted. What is done is kept in {folder}; the same command goes on from there.", file=sys.stderr)
        return INTERRUPTED
    except CrawlsFailedError as error:
        failure = error
    _tell(folder)
    if failure:
        raise failure
    return 0


def wished(wish: Wish) -> Experiment:
    """Return the requested experiment with the options applied."""
    overrides = [*wish.overrides, *([f"topics={wish.topics}"] if wish.topics else [])]
    experiment = _found(wish.experiment, overrides)
    more = [_strategy(text) for text in wish.strategies]
    experiment = checked(replace(experiment, strategies=(*experiment.strategies, *more)))
    return quick(experiment) if wish.quick else experiment


def _found(text: str, overrides: Sequence[str]) -> Experiment:
    """Find an experiment by file or name. A file comes before a built-in experiment of the same name."""
    path = Path(text)
    if path.is_file() or path.suffix == ".toml":
        return load_experiment(path, overrides=overrides)
    known = named()
    if text not in known:
        guess = nearest(text, list(known))
        hint = f"did you mean {guess}?" if guess else "`scenthound lab list` shows those that come with scenthound"
        raise LabError(f"{text} is neither a file nor the name of an experiment; {hint}")
    known[text].check()
    return known[text].load(overrides)


def _strategy(text: str) -> StrategyChoice:
    """Return the strategy that a text names: a kind, or a class in a file."""
    file, colon, name = text.rpartition(":")
    if colon and not Path(file).is_file():
        raise LabError(f"--strategy {text}: there is no file {file}; write it as path/to/file.py:Class")
    choice = strategy_from({"name": name if colon else text, "kind": text})
    return located(choice, Path())


def _tell(folder: Path) -> None:
    results = read_results(folder)
    print_standings(results)
    say(f"The report: {write_report(results, folder)}")
    if not can_plot():
        say(f"scenthound: {PLOTS_MISSING}", file=sys.stderr)


@contextmanager
def ending_by_signal() -> Iterator[None]:
    """Make SIGTERM end a run like Ctrl-C."""

    def handle(_number: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, handle)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
