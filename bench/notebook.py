"""Runs the notebook of the docs in a kernel of its own and writes what its cells showed back into it.

    python -m bench.notebook

Tests run it in the same way, and compare what is stored with what comes.
"""

import os
import tempfile
from pathlib import Path
from typing import Any, Final

import nbformat
from nbclient import NotebookClient
from traitlets.config import Config

from bench.running import ROOT

NOTEBOOK: Final = ROOT / "docs" / "tutorial" / "python.ipynb"
_SECONDS: Final = 300  # for one cell, on a machine that does much else


def read(path: Path = NOTEBOOK) -> Any:
    """Return a notebook as it is stored."""
    return nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]


def ran(notebook: Any, folder: Path) -> Any:
    """Run a notebook in a folder and return it with its outputs; a cell that fails is an error.

    The kernel talks over files in that folder, and leaves none in the user's own.
    """
    places = {"ConnectionFileMixin": {"transport": "ipc", "connection_file": str(folder / "kernel.json")}}
    client = NotebookClient(
        notebook,
        kernel_name="python3",
        config=Config(places),
        timeout=_SECONDS,
        record_timing=False,
        resources={"metadata": {"path": str(folder)}},
    )
    client.execute(env={**os.environ, "IPYTHONDIR": str(folder)})
    return notebook


def main() -> None:
    """Run the notebook of the docs and store its outputs."""
    with tempfile.TemporaryDirectory() as folder:
        notebook = ran(read(), Path(folder))
    # Of the kernel only what a reader needs: versions of this machine would change with every run.
    notebook.metadata = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    nbformat.write(notebook, NOTEBOOK)  # type: ignore[no-untyped-call]


if __name__ == "__main__":
    main()
