"""A new critic moves a frontier of any size portion by portion: the answers are the same, and memory does not grow with it."""

import tracemalloc
from pathlib import Path

import pytest

from scenthound.store import sqlite_judging
from scenthound.store.memory import MemoryStore
from scenthound.store.sqlite import SqliteStore
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


def rescored(store: MemoryStore | SqliteStore) -> tuple[int, dict[str, float]]:
    moved = store.rescore(by_promise=True, blend=True, nofollow=True, now=1.0)
    return moved, {one.url: one.priority for one in store.waiting(limit=10_000)}


@pytest.mark.parametrize("portion", [1, 7, 1_000])
def test_portions_of_any_size_give_the_same_answers(
    portion: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_judging, "AT_ONCE", portion)
    simple = MemoryStore()
    fill(simple, 9, 6)
    with SqliteStore(tmp_path / "crawl.db") as store:
        fill(store, 9, 6)
        found = rescored(store)
        assert store.check() == []
    assert found == rescored(simple)
    assert found[0] > 0


def test_memory_follows_the_portion_and_not_the_frontier(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite_judging, "AT_ONCE", 50)
    with SqliteStore(tmp_path / "crawl.db") as store:
        fill(store, 8, 400)
        tracemalloc.start()
        try:
            moved = store.rescore(by_promise=True, blend=True, nofollow=True, now=1.0)
            _, most = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
    assert moved > 2_000
    assert most < 400_000
