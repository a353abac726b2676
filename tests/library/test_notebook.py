"""The notebook of the docs runs in a real kernel, and shows what it shows there."""

import json
from pathlib import Path
from typing import Any

import pytest

from bench.notebook import NOTEBOOK, ran, read

LARGEST = 40_000  # bytes of the stored notebook


def last_form(cell: Any) -> list[tuple[str, list[str]]]:
    """Return of what kind a cell's last output is; before it, a slow machine may show progress."""
    return [(one.output_type, sorted(one.get("data", {}))) for one in cell.get("outputs", [])][-1:]


@pytest.mark.slow
def test_the_notebook_runs_and_shows_what_is_stored(tmp_path: Path) -> None:
    stored, fresh = read(), ran(read(), tmp_path)
    for before, after in zip(stored.cells, fresh.cells, strict=True):
        assert last_form(before) == last_form(after), before.source
    shown = json.dumps(fresh)
    assert "page budget reached: 60 pages in" in shown  # the progress, written over to its last state
    assert "pages on topic: " in shown
    assert "starting \\u2026" not in shown


def test_the_stored_notebook_is_small_and_says_nothing_of_its_machine() -> None:
    text = NOTEBOOK.read_text(encoding="utf-8")
    assert len(text) < LARGEST
    assert "page budget reached: 60 pages in" in text
    for word in ("/home/", "/root", "/tmp", "site-packages", "Traceback", "Warning"):
        assert word not in text
