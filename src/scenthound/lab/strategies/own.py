"""A user's own strategy: a class in a file, given as FILE.py:CLASS.

The class takes the briefing first and its parameters as keywords, has `see`, and may set `wants_text = True` or
`knows_truth = True`. Any mistake is reported in one line, before anything is crawled.
"""

import importlib.util
import inspect
import sys
from hashlib import blake2b
from pathlib import Path
from types import ModuleType

from scenthound.errors import LabError
from scenthound.lab.strategies.classes import class_kind
from scenthound.lab.strategies.kind import Kind


def own_kind(given: str, source: str = "") -> Kind:
    """Return the kind of a class: `given` is FILE.py:CLASS; `source` is the location of the file, if it differs."""
    path, _, name = given.rpartition(":")
    file = Path(source or path)
    found = _class(_module(file), name, file)
    _check(found, file)
    return class_kind(f"{Path(path).name}:{name}", found)


def _module(file: Path) -> ModuleType:
    """Run a file as a module and register it, because dataclasses look up their module."""
    if not file.is_file():
        raise LabError(f"{file}: there is no such file; a strategy of your own is given as FILE.py:CLASS")
    name = f"scenthound_strategy_{blake2b(str(file.resolve()).encode(), digest_size=8).hexdigest()}"
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise LabError(f"{file}: not a Python file; a strategy of your own is given as FILE.py:CLASS")
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:  # anything that the user's code raises
        del sys.modules[name]
        raise LabError(f"{file}: cannot be loaded: {type(error).__name__}: {_one_line(error)}") from error
    return module


def _class(module: ModuleType, name: str, file: Path) -> type:
    found = getattr(module, name, None)
    if isinstance(found, type):
        return found
    classes = [one for one in vars(module).values() if isinstance(one, type) and one.__module__ == module.__name__]
    there = ", ".join(sorted(one.__name__ for one in classes)) or "no class at all"
    raise LabError(f'{file} has no class "{name}"; it has {there}')


def _check(found: type, file: Path) -> None:
    where = f"{found.__name__} in {file}"
    if not callable(getattr(found, "see", None)):
        raise LabError(f"{where} has no method see(self, page), which returns the priorities of URLs")
    taken = list(inspect.signature(found).parameters.values())
    if not taken or taken[0].kind not in (taken[0].POSITIONAL_ONLY, taken[0].POSITIONAL_OR_KEYWORD):
        raise LabError(f"{where} cannot be made: its constructor must take the briefing, as __init__(self, briefing)")


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())
