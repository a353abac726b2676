"""What all tests have in common."""

import pytest
from hypothesis import settings

from tests.often import FAST, USUAL

# How long one example takes says more about what else the machine does than about the code.
settings.register_profile("whole", max_examples=USUAL, deadline=None)
settings.register_profile("fast", max_examples=FAST, deadline=None)


def pytest_configure(config: pytest.Config) -> None:
    """Try fewer examples in the fast suite."""
    settings.load_profile("fast" if config.getoption("markexpr") == "not slow" else "whole")
