"""The examples in docstrings, a module at a time.

pytest could collect them itself (`--doctest-modules`). Each worker would then import every module of the program, and
look for examples in every test, before it runs the first one: that took four seconds of each core.
"""

import doctest
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FOLDERS = (ROOT / "src" / "scenthound", ROOT / "papers", ROOT / "tests")


def _modules_with_examples() -> list[str]:
    files = (path for folder in FOLDERS for path in sorted(folder.rglob("*.py")) if path != Path(__file__))
    return [_module_name(path) for path in files if ">>> " in path.read_text(encoding="utf-8")]


def _module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(part for part in parts if part not in ("src", "__init__"))


@pytest.mark.parametrize("module", _modules_with_examples())
def test_examples_print_what_is_shown_below_them(module: str) -> None:
    failed, tried = doctest.testmod(import_module(module))
    assert failed == 0
    assert tried > 0
