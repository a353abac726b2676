"""The name of the file of a trace: a digest of everything that the crawl depends on.

That is the world, the task, the strategy with its parameters, the conditions, the code and the libraries under it. An
unchanged crawl does not run again; when the code of one strategy changes, only that strategy runs again.
"""

import ast
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from hashlib import blake2b
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import msgspec

import scenthound
from scenthound.frontier.orders import APPRENTICE
from scenthound.lab.experiment.jobs import Job
from scenthound.lab.experiment.values import StrategyChoice
from scenthound.lab.strategies.kinds import Kind, kind_of

_ROOT: Final = Path(scenthound.__path__[0])
# Of the lab only the crawl itself: the rest comes before it, and is in the task, or after it.
_CRAWLING: Final = (
    *("*.py", "settings/**/*.py", "types/*.py", "topics/*.py", "parse/**/*.py", "archive/*.py"),
    *("store/**/*.py", "store/**/*.sql", "crawl/**/*.py", "distill/*.py", "fetch/*.py", "frontier/*.py"),
    *("judge/**/*.py", "lab/runs/critics.py", "lab/runs/distillation_at_once.py", "lab/runs/strategy_guide.py"),
    *("lab/runs/offline_apprentice.py", "lab/runs/run.py", "lab/strategies/strategy.py", "lab/world/*.py"),
)
_STRATEGIES: Final = "scenthound.lab.strategies."
_LIBRARIES: Final = ("msgspec", "numpy", "scikit-learn", "scipy", "scenthound")


def trace_key(job: Job, kind: Kind, world: str) -> str:
    """Return the name for the trace of a job, in a world with this digest."""
    task = {name: getattr(job.task, name) for name in ("topic", "examples", "others", "other_topics", "start")}
    known = {
        "world": world,
        "task": {**task, "wanted": sorted(job.task.wanted)},
        "strategy": _strategy(job.choice, kind),
        "within": None if job.within is None else trace_key(job.within, kind_of(job.within.choice), world),
        "conditions": job.conditions,
        "code": [
            _ground(),
            digest_of(strategy_files(kind.made_by)),
            _apprentice() if _is_guided(job.choice, kind) else "",
        ],
    }
    return blake2b(msgspec.json.encode(known, order="deterministic"), digest_size=16).hexdigest()


def strategy_files(made_by: type | None) -> list[Path]:
    """Return the files of a strategy: that of its class and, for ours, those that it imports."""
    if made_by is None:
        return []
    home = sys.modules[made_by.__module__]
    return sorted(_with_neighbours(Path(str(home.__file__)), found=set()))


def _with_neighbours(file: Path, found: set[Path]) -> set[Path]:
    """Collect a file and the files beside it that it imports, recursively; only the file itself for a user's own."""
    if file not in found:
        found.add(file)
        for module in _imported_files(file):
            if module.startswith(_STRATEGIES):
                _with_neighbours(_ROOT / "lab" / "strategies" / f"{module.removeprefix(_STRATEGIES)}.py", found)
    return found


def _imported_files(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_bytes())):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


def digest_of(files: Iterable[Path]) -> str:
    """Return a digest of some files, by name and content."""
    seen = blake2b(digest_size=16)
    for file in files:
        seen.update(file.name.encode() + b"\n" + file.read_bytes())
    return seen.hexdigest()


def crawling_files() -> list[Path]:
    """Return the files of the code of all crawls."""
    return sorted({file for pattern in _CRAWLING for file in _ROOT.glob(pattern)})


@cache
def _ground() -> str:
    """Return a digest of the code of all crawls, and of the libraries that compute for it."""
    versions = " ".join(f"{name} {version(name)}" for name in _LIBRARIES)
    return f"{digest_of(crawling_files())} {versions}"


@cache
def _apprentice() -> str:
    """Return a digest of what only crawls with an apprentice depend on."""
    folder = _ROOT / "apprentice"
    return digest_of(sorted(file for ending in ("py", "json", "npz") for file in folder.rglob(f"*.{ending}")))


def _is_guided(choice: StrategyChoice, kind: Kind) -> bool:
    return kind.settings_for(choice).get("crawl.order") == APPRENTICE


def _strategy(choice: StrategyChoice, kind: Kind) -> dict[str, Any]:
    """Return the identity of a strategy: its class and all values, including defaults, but not its name."""
    return {
        "class": getattr(kind.made_by, "__name__", ""),
        "parameters": kind.parameters_for(choice),
        "settings": kind.settings_for(choice),
    }
