"""Every store, for the tests that every store must pass."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from scenthound.store.base import Store
from scenthound.store.indexed.store import IndexedStore
from scenthound.store.memory.store import MemoryStore
from scenthound.store.sqlite.store import SqliteStore
from tests.store.postgres_server import emptied_store

STORES: dict[str, Callable[[Path], AbstractContextManager[Store]]] = {
    "memory": lambda _: MemoryStore(),
    "indexed": lambda _: IndexedStore(),
    "sqlite": lambda folder: SqliteStore(folder / "crawl.db"),
    "postgres": lambda _: emptied_store(),
}


# A server takes as long for them as all others together.
@pytest.fixture(params=[name if name != "postgres" else pytest.param(name, marks=pytest.mark.slow) for name in STORES])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    with STORES[request.param](tmp_path) as store:
        yield store
