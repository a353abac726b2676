"""Critics are tested here: each of them is trained."""

from collections.abc import Iterator

import pytest

from tests import known_critics


@pytest.fixture(scope="module", autouse=True)
def _trained_each_time() -> Iterator[None]:
    with known_critics.each_time():
        yield
