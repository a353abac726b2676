"""Where archived webs of real pages lie, for the tests that read them; they are no part of the repository."""

import os
from pathlib import Path

import pytest

from bench.reading import fetches

__all__ = ["fetches", "web"]


def web(name: str) -> Path:
    """Return the archive of a web, or skip the test and say what is missing."""
    default = Path(__file__).resolve().parents[2].parent / "shared" / "webs"
    path = Path(os.environ.get("SCENTHOUND_WEBS", default)) / f"{name}.warc.gz"
    if not path.exists():
        pytest.skip(f"{name}.warc.gz is not in {path.parent}; set SCENTHOUND_WEBS to the folder that holds it")
    return path
