"""How the house stands: the size of its rooms, names used twice, parameters, and where the store is asked in SQL.

Counted from the source by `ast`. `python -m bench.house FOLDER` prints the same figures for another checkout, so that a
change can be compared with what was there before.
"""

import ast
import re
import statistics
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from bench.figures import Figure, Goal, Report
from bench.running import ROOT

# Words of the field, and nouns that only look like a gerund.
NOUNS: Final = frozenset(
    {
        "pruning",
        "tunnelling",
        "politeness",
        "string",
        "ranking",
        "content_encoding",
        "meaning",
        "spelling",
        "setting_guard",
    }
)
# File names that repeat on purpose: each role has a file in every store.
TWINS: Final = ("store/sqlite", "store/sqlite/file", "store/postgres", "store/memory", "store/indexed", "store/roles")
SQL: Final = re.compile(
    r"\b(SELECT\s.+\sFROM|INSERT\s+INTO|UPDATE\s+\w+\s+SET|DELETE\s+FROM|CREATE\s+(TEMP\s+)?TABLE)\b", re.S
)


def run(*, quick: bool = False) -> Report:
    """Count this checkout."""
    return Report(figures=tuple(figures(ROOT)))


def figures(root: Path) -> Iterator[Figure]:
    """Count a checkout."""
    package = root / "src" / "scenthound"
    files = sorted(package.rglob("*.py"))
    trees = {file: ast.parse(file.read_bytes()) for file in files}
    folders = Counter(file.parent.relative_to(package).as_posix() for file in files)
    yield Figure(name="files in the largest folder", value=max(folders.values()), goal=_most(22))
    yield Figure(name="file names used twice or more", value=len(repeated(package, files)), goal=_most(11))
    yield Figure(name="modules named by a gerund", value=len(gerunds(files)), goal=_most(0))
    lane = _class(trees, "Lane")
    yield Figure(name="parameters of Lane", value=len(_init(lane).args.kwonlyargs) if lane else 0, goal=_most(9))
    yield Figure(name="lines of Lane with a None check", value=_none_checks(lane) if lane else 0, goal=_most(9))
    yield Figure(name="places that set a priority", value=len(priority_setters(package, trees)), goal=_most(3))
    yield Figure(name="methods of the largest store protocol", value=_methods(package, trees), goal=_most(12))
    yield Figure(name="files with SQL outside the store", value=len(raw_sql(package, trees)), goal=_most(0))
    lines = {file: len(file.read_text(encoding="utf-8").splitlines()) for file in files}
    yield Figure(name="shipped lines", value=sum(lines.values()))
    yield Figure(name="shipped files", value=len(files))
    yield Figure(name="lines of the median file", value=statistics.median(lines.values()))
    lengths = [one.end_lineno - one.lineno + 1 for one in _functions(trees) if one.end_lineno]
    yield Figure(name="lines of the median function", value=statistics.median(lengths))


def repeated(package: Path, files: list[Path]) -> dict[str, int]:
    """Return the file names used more than once; stores are twins, and count as one."""
    names = {
        (file.stem, "store" if file.parent.relative_to(package).as_posix() in TWINS else str(file))
        for file in files
        if not file.stem.startswith("__")
    }
    found = Counter(stem for stem, _ in names)
    return {stem: many for stem, many in found.items() if many > 1}


def gerunds(files: list[Path]) -> list[str]:
    """Return the modules with a gerund in their name that is no noun of its own."""
    parts = {file.stem: file.stem.split("_") for file in files if file.stem not in NOUNS}
    return [stem for stem, words in parts.items() if any(word.endswith("ing") and word not in NOUNS for word in words)]


def priority_setters(package: Path, trees: dict[Path, ast.Module]) -> list[str]:
    """Return the functions that give a URL its priority: they write it into a value, or have the store change it.

    A value is a `Discovery` or an `Outcome`; the store's verbs are `move`, `rescore` and `distilled`. The store is not
    counted: it carries out what these ask for.
    """
    found = []
    for file, tree in trees.items():
        if file.relative_to(package).parts[0] in ("store", "types"):
            continue
        for function in (one for one in ast.walk(tree) if isinstance(one, ast.FunctionDef)):
            calls = [node for node in ast.walk(function) if isinstance(node, ast.Call)]
            if any(_sets_priority(call) for call in calls):
                found.append(f"{file.relative_to(package)}:{function.name}")
    return found


def _sets_priority(call: ast.Call) -> bool:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    named = {keyword.arg for keyword in call.keywords}
    if name in ("replace", "Discovery", "Outcome"):
        return bool({"priority", "moves"} & named)
    return name in ("move", "rescore", "distilled") and "now" in named


def raw_sql(package: Path, trees: dict[Path, ast.Module]) -> list[str]:
    """Return the files outside the store that hold statements in SQL; docstrings do not count."""
    found = []
    for file, tree in trees.items():
        place = file.relative_to(package)
        if place.parts[0] == "store":
            continue
        docs = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        texts = [
            node.value
            for node in ast.walk(tree)
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs
        ]
        if any(SQL.search(text) for text in texts):
            found.append(place.as_posix())
    return found


def _methods(package: Path, trees: dict[Path, ast.Module]) -> int:
    """Return how many methods the largest protocol of the store declares itself."""
    protocols = [
        node
        for file, tree in trees.items()
        if file.relative_to(package).parts[0] == "store"
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef) and any(getattr(base, "id", "") == "Protocol" for base in node.bases)
    ]
    return max((sum(isinstance(one, ast.FunctionDef) for one in node.body) for node in protocols), default=0)


def _class(trees: dict[Path, ast.Module], name: str) -> ast.ClassDef | None:
    classes = (node for tree in trees.values() for node in ast.walk(tree) if isinstance(node, ast.ClassDef))
    return next((node for node in classes if node.name == name), None)


def _init(node: ast.ClassDef) -> ast.FunctionDef:
    return next(one for one in node.body if isinstance(one, ast.FunctionDef) and one.name == "__init__")


def _none_checks(node: ast.ClassDef) -> int:
    checks = (one for one in ast.walk(node) if isinstance(one, ast.Compare))
    return len(
        {
            one.lineno
            for one in checks
            if any(isinstance(right, ast.Constant) and right.value is None for right in one.comparators)
        }
    )


def _functions(trees: dict[Path, ast.Module]) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for tree in trees.values():
        yield from (one for one in ast.walk(tree) if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef))


def _most(bound: float) -> Goal:
    return Goal(bound=bound, side="at most")


if __name__ == "__main__":
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT
    for one in figures(folder):
        print(f"{one.name:42}{one.value:>8g}  {one.goal or ''!s:14}{one.verdict}")
    if "--names" in sys.argv:
        source = folder / "src" / "scenthound"
        code = {file: ast.parse(file.read_bytes()) for file in sorted(source.rglob("*.py"))}
        for found in (
            repeated(source, list(code)),
            gerunds(list(code)),
            priority_setters(source, code),
            raw_sql(source, code),
        ):
            print(found)
