"""Keeps our code and the user's code apart.

Our own processes only import from the installation. Code that a setting names as "module:function" is also imported
from the current folder. `trust` decides who may name it.
"""

import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType


def python(module: str, *arguments: str) -> list[str]:
    """Return the command that runs one of our modules in a separate process.

    With -P Python does not import from the current folder. A file there could have the name of a dependency and would
    run in its place.
    """
    return [sys.executable, "-P", "-m", module, *arguments]


def imported(module: str) -> ModuleType:
    """Import a module from the installation, or from the current folder.

    The current folder comes last, so a file there cannot replace an installed module of the same name.
    """
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.append(here)
    return import_module(module)
