"""What the files of the tests import beside each other, and what takes most of the time in which a worker starts.

The workers of a run are forked from a process that has imported this (`nursery.py`).
"""

import sys
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from pkgutil import walk_packages
from typing import Final

import scenthound

_LIBRARIES: Final = (
    "fastapi",
    "hypothesis.extra.numpy",
    "hypothesis.stateful",
    "matplotlib.figure",
    "mcp.client.session",
    "moto.server",
    "nbclient",
    "nicegui",
    "pandas",
    "playwright.sync_api",
    "reportlab.platypus",
    "scipy.stats",
    "sklearn.svm",
)
# pytest changes the assertions of packages with plug-ins as they are imported, and warns when it comes too late. It
# leaves those alone whose docstring has this word.
_LEAVE: Final = "PYTEST_DONT_REWRITE"


def import_all() -> None:
    """Import them, before pytest is there."""
    for name in _LIBRARIES:
        import_module(name)
    for module in walk_packages(scenthound.__path__, "scenthound."):
        if not module.name.endswith("__main__"):
            import_module(module.name)
    for plugin in entry_points(group="pytest11"):
        for name in {Path(file).parts[0].removesuffix(".py") for file in (plugin.dist and plugin.dist.files) or ()}:
            if (package := sys.modules.get(name)) is not None:
                package.__doc__ = f"{package.__doc__ or ''}\n{_LEAVE}"
