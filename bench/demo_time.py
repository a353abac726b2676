"""How long a newcomer waits: `make demo` and the fast tests on a fresh clone, with only PATH and HOME set.

The first `make demo` includes making the virtual environment and installing everything; the second does not.
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from bench.figures import Figure, Report, at_most
from bench.running import ROOT, Run, measured

INSTALLING = 600.0  # seconds at most
DEMO_GOAL = 120.0
AGAIN_GOAL = 30.0
TESTS_GOAL = 120.0
SHOWN = 7  # lines of the demo: what is crawled, why it stopped, what it brought


def run(*, quick: bool = False) -> Report:
    """Clone what is committed, and time what a newcomer would type."""
    with tempfile.TemporaryDirectory() as folder:
        clone = Path(folder, "clone")
        subprocess.run(["git", "clone", "--quiet", str(ROOT), str(clone)], check=True)
        first, again = _make(clone, "demo"), _make(clone, "demo")
        figures = [
            Figure(name="make demo, with installation", value=first.seconds, unit="s", goal=at_most(DEMO_GOAL)),
            Figure(name="make demo, the second time", value=again.seconds, unit="s", goal=at_most(AGAIN_GOAL)),
        ]
        begins = "\n".join(again.output.strip().splitlines()[:SHOWN])
        story = ["What `make demo` printed the second time begins with:", f"```\n{begins}\n```"]
        if not quick:
            tests = _make(clone, "fast", accept=(0, 2))
            print("\n".join(f"  {line}" for line in tests.output.splitlines() if line.startswith(("FAILED", "ERROR"))))
            figures += _tests(tests)
            story.append(f"`make fast`: {closing_line(tests.output)}.")
        return Report(figures=tuple(figures), text=tuple(story))


def _tests(tests: Run) -> list[Figure]:
    return [
        Figure(name="make fast, the fast tests", value=tests.seconds, unit="s", goal=at_most(TESTS_GOAL)),
        Figure(name="fast tests that fail", value=failures(closing_line(tests.output)), goal=at_most(0)),
    ]


def closing_line(output: str) -> str:
    """Return the line with which pytest closes, without its frame."""
    return next((line.strip("= ") for line in reversed(output.splitlines()) if line.startswith("=")), "")


def failures(closing: str) -> int:
    """Count what pytest's closing line says went wrong.

    >>> failures("2 failed, 310 passed, 1 error in 40.21s"), failures("310 passed in 40.21s")
    (3, 0)
    """
    return sum(int(count) for count in re.findall(r"(\d+) (?:failed|errors?)\b", closing))


def _make(clone: Path, target: str, *, accept: tuple[int, ...] = (0,)) -> Run:
    print(f"  make {target}", flush=True)
    return measured(
        ["make", target], limit=INSTALLING, cwd=clone, env=bare_environment(os.environ["PATH"]), accept=accept
    )


def bare_environment(path: str) -> dict[str, str]:
    """Keep PATH and HOME, and leave this Python's own folder out of PATH: a newcomer has not got it."""
    own = str(Path(sys.prefix, "bin"))
    return {"PATH": os.pathsep.join(part for part in path.split(os.pathsep) if part != own), "HOME": str(Path.home())}
