"""What all workers of a run share: the first one that needs it makes it, the others wait and take what is there."""

import fcntl
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

from tests.often import THOROUGH

CRITICS: Final = "SCENTHOUND_TEST_CRITICS"  # variable with the folder of critics that tests have trained


def shared_folder(factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the whole run."""
    root = factory.getbasetemp()
    return root.parent if "PYTEST_XDIST_WORKER" in os.environ else root


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], None]) -> Path:
    """Return a folder of the run that `make` has filled, here or in another worker. Tests only look at it."""
    folder = shared_folder(factory) / name
    made = folder.with_name(f"{name}.made")
    with folder.with_name(f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not made.exists():
            folder.mkdir()
            make(folder)
            made.touch()
    return folder


@contextmanager
def critics_folder() -> Iterator[None]:
    """Share trained critics among this process and those that it starts (`known_critics.py`)."""
    with (
        tempfile.TemporaryDirectory(prefix="critics", ignore_cleanup_errors=True) as folder,
        pytest.MonkeyPatch.context() as patch,
    ):
        if not THOROUGH:
            patch.setenv(CRITICS, folder)
        yield
