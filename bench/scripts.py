"""Benches that are separate scripts with output for people: run one, and take its figures from the output."""

import re
from collections.abc import Sequence

from bench.running import ProgramFailedError, measured, python_module


def script_output(name: str, *arguments: str, limit: float, accept: Sequence[int] = (0,)) -> str:
    """Run a bench script to its end and return what it printed."""
    output = measured(python_module(f"bench.{name}", *arguments), limit=limit, accept=accept).output.strip()
    print("\n".join(f"  {line}" for line in output.splitlines()[-12:]), flush=True)
    return output


def number_in(output: str, pattern: str) -> float:
    """Return the number that the first group of a pattern finds; thousands may be marked with commas.

    >>> number_in("largest resident memory 1,204 MB", "memory (NUMBER) MB")
    1204.0
    """
    found = re.search(pattern.replace("NUMBER", r"[\d,.]*\d"), output)
    if found is None:
        raise ProgramFailedError(f"no figure like {pattern!r} in what the script printed:\n{output[-1000:]}")
    return float(found[1].replace(",", ""))


def as_text(name: str, output: str) -> str:
    """Show a script's output on the page of figures."""
    return f"`python -m bench.{name}` printed:\n\n```\n{output}\n```"
