"""Our code and the user's own, kept apart: processes of ours find nothing but the installation, and code that a setting names as
"module:function" is looked for beside the user too. Who may name it is not decided here: see `trust`.
"""

import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType


def python(module: str, *arguments: str) -> list[str]:
    """Return the command that runs a module of ours in a process of its own.

    With -P the folder that the user happens to be in is not looked through: a file there with the name of one of our
    dependencies would be run in its place.
    """
    return [sys.executable, "-P", "-m", module, *arguments]


def imported(module: str) -> ModuleType:
    """Import a module from the installation, or from the folder that the program was started in.

    That folder comes last, and only now: a file there that has the name of something installed must not be taken for it.
    """
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.append(here)
    return import_module(module)
