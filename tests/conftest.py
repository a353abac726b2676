"""What all tests have in common."""

from collections.abc import Iterator

import pytest
from hypothesis import settings

from tests.often import FAST, USUAL

# How long one example takes says more about what else the machine does than about the code.
settings.register_profile("whole", max_examples=USUAL, deadline=None)
settings.register_profile("fast", max_examples=FAST, deadline=None)


def pytest_configure(config: pytest.Config) -> None:
    """Try fewer examples in the fast suite."""
    settings.load_profile("fast" if config.getoption("markexpr") == "not slow" else "whole")


@pytest.fixture(scope="session", autouse=True)
def _own_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep what tests trust out of the folder of whoever runs them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        yield
