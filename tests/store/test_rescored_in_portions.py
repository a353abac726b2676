"""A new critic moves a frontier piece by piece: the answers are the same, and memory does not grow with the frontier."""

import tracemalloc
from pathlib import Path

import pytest

from scenthound.store.memory.store import MemoryStore
from scenthound.store.sqlite.store import SqliteStore
from scenthound.store.walk import PIECE, rescore
from scenthound.types import Standing
from tests.store.small_world import claim, found, page, put

HOSTS = 5


def fill(store: MemoryStore | SqliteStore, pages: int, links: int) -> None:
    """Fetch pages with so many links each to pages of their own, and to those of the page before."""
    store.add([found(f"http://a{number}.test/", 1.0) for number in range(pages)], now=0.0)
    held = sorted(claim(store, now=0.0, limit=pages), key=lambda one: one.url)
    for number, one in enumerate(held):
        targets = [f"http://b{n % HOSTS}.test/{number - step}/{n}" for step in (0, 1) for n in range(links)]
        standing = Standing(promise=0.9 - 0.1 * (number % 8) if number % 4 else None)
        put(store, page(one, at=0.0, links=[found(url, 0.5) for url in targets], standing=standing), now=0.0)


def rescored(store: MemoryStore | SqliteStore, piece: int = PIECE) -> tuple[int, dict[str, float]]:
    moved = rescore(store, by_promise=True, blend=True, nofollow=True, now=1.0, piece=piece)
    return moved, {one.url: one.priority for one in store.waiting(limit=10_000)}


@pytest.mark.parametrize("piece", [1, 7, 1_000])
def test_pieces_of_any_size_give_the_same_answers(piece: int, tmp_path: Path) -> None:
    simple = MemoryStore()
    fill(simple, 9, 6)
    with SqliteStore(tmp_path / "crawl.db") as store:
        fill(store, 9, 6)
        found = rescored(store, piece)
        assert store.check() == []
    assert found == rescored(simple)
    assert found[0] > 0


@pytest.mark.slow
def test_memory_grows_with_the_piece_and_not_with_the_frontier(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "crawl.db") as store:
        fill(store, 8, 400)
        tracemalloc.start()
        try:
            moved = rescore(store, by_promise=True, blend=True, nofollow=True, now=1.0, piece=50)
            _, most = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
    assert moved > 2_000
    assert most < 400_000
