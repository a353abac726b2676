"""Imports follow the layers that pyproject.toml draws; an import against them is found."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.patience import PATIENCE

ROOT = Path(__file__).parent.parent


def lint_imports(folder: Path) -> subprocess.CompletedProcess[str]:
    """Check the package below `folder` in a fresh process, which finds it before the installed one."""
    program = "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports(no_cache=True))"
    environment = {"PYTHONPATH": str(folder / "src"), "PATH": ""}
    return subprocess.run(
        [sys.executable, "-c", program], cwd=folder, env=environment, capture_output=True, text=True, timeout=PATIENCE
    )


def copy_of_project(folder: Path) -> Path:
    shutil.copytree(ROOT / "src", folder / "src", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", folder)
    return folder


def test_upper_layers_import_lower_ones_only() -> None:
    checked = lint_imports(ROOT)
    assert checked.returncode == 0, checked.stdout + checked.stderr


@pytest.mark.slow
def test_an_import_against_the_layers_is_found(tmp_path: Path) -> None:
    folder = copy_of_project(tmp_path)
    with (folder / "src/scenthound/types/links.py").open("a") as file:
        file.write("\nimport scenthound.crawl.diagnosis.speed\n")
    checked = lint_imports(folder)
    assert checked.returncode != 0
    assert "scenthound.types is not allowed to import scenthound.crawl" in checked.stdout


@pytest.mark.slow
def test_a_module_without_a_place_in_the_layers_is_found(tmp_path: Path) -> None:
    folder = copy_of_project(tmp_path)
    (folder / "src/scenthound/utils.py").write_text("")
    checked = lint_imports(folder)
    assert checked.returncode != 0
    assert "utils" in checked.stdout
