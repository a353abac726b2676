"""How often something is tried with random values: a third as often as usual in the whole suite, hardly ever in the
fast one.

Each run draws other values, so that many runs try more than one long one does. To hunt for something, set THOROUGH.

The profile is chosen in `conftest.py`. A parameter that repeats what another one has shown is left to the whole suite
too:

    @pytest.mark.parametrize("seed", [0, *slowly(1, 2, 3)])

With THOROUGH=1 in the environment the longest tests run in full: ten thousand hostile streams of lessons, every page
of the messy web, the archived webs whole, the benches. Without it they take a part of that, or are skipped
(`thoroughly`), because two cores have minutes.
"""

import os
from typing import Any

import pytest
from hypothesis import settings

USUAL = 100  # examples, to which the numbers that tests give to `often` refer
FAST = 8
THOROUGH = bool(os.environ.get("THOROUGH"))
WHOLE = USUAL if THOROUGH else 33
thoroughly = pytest.mark.skipif(not THOROUGH, reason="repeats what others show; set THOROUGH=1 to run it")


def often(examples: int, **more: Any) -> settings:
    """Return settings for so many examples, or the suite's share of them; the time that each takes does not matter."""
    share = settings.default.max_examples / USUAL if settings.default else 1.0
    return settings(max_examples=max(2, round(share * examples)), deadline=None, **more)


def slowly(*values: Any) -> list[Any]:
    """Return parameters that only the whole suite tries."""
    return [
        pytest.param(*(value if isinstance(value, tuple) else (value,)), marks=pytest.mark.slow) for value in values
    ]
