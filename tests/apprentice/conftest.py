"""What holds in a crawl holds here: sums are added up by one thread. Several that wait for each other take twenty
times as long.
"""

from collections.abc import Iterator

import pytest
from threadpoolctl import threadpool_limits


@pytest.fixture(autouse=True, scope="session")
def one_thread() -> Iterator[None]:
    with threadpool_limits(1, user_api="blas"):
        yield
