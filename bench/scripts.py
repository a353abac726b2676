"""Benches that are scripts of their own: run one to its end and take the figures from its closing line of JSON."""

import json
from collections.abc import Mapping

from bench.running import measured, python_module

SHOWN = 25  # lines of a script's output that are kept in the report


def closing(name: str, *arguments: str, limit: float) -> tuple[dict[str, float], str]:
    """Run a bench script; return its closing figures by name, and what it printed before them, for people."""
    output = measured(python_module(f"bench.{name}", *arguments), limit=limit).output.strip().splitlines()
    told = figures_in(output[-1])
    shown = "\n".join(output[:-1][-SHOWN:])
    return told, f"`python -m bench.{name} {' '.join(arguments)}`:\n\n```\n{shown}\n```"


def figures_in(line: str) -> dict[str, float]:
    """Read the numbers of a line of JSON.

    >>> figures_in('{"mutations": 50, "unit": "ms", "scale": {"ratio": 1.2}}')
    {'mutations': 50.0, 'scale.ratio': 1.2}
    """
    return dict(_numbers(json.loads(line), ""))


def _numbers(told: Mapping[str, object], above: str) -> list[tuple[str, float]]:
    found: list[tuple[str, float]] = []
    for name, value in told.items():
        if isinstance(value, dict):
            found += _numbers(value, f"{above}{name}.")
        elif isinstance(value, int | float):
            found.append((above + name, float(value)))
    return found
