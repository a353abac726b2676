"""Orders of columns in crawls that run: what the server is asked for, what `why` says, and that a resumed crawl goes
on in the same order.
"""

import json
from pathlib import Path

import pytest

from scenthound.crawl.directory.open_store import open_store
from scenthound.crawl.order.note import ORDERED
from scenthound.crawl.revisit.calendar import Revisit
from tests.crawl.scene import Crawled, command, resume
from tests.crawl.topical_web import new, topical_web, topics

DISCOVERY, EXPECTED = "tries, -relevance, server_load", "tries, -expected, server_load"


def about_birds(asked: list[str]) -> float:
    pages = [url for url in asked if "/page" in url]
    return sum(url.startswith("http://birds.") for url in pages) / len(pages)


def waiting(crawled: Crawled) -> dict[str, float]:
    with open_store(crawled.directory, read_only=True) as store:
        return {one.url: one.priority for one in store.waiting(limit=1000)}


@pytest.mark.slow
@pytest.mark.parametrize("order", [DISCOVERY, pytest.param(EXPECTED, marks=pytest.mark.slow)])
def test_what_promises_most_is_asked_for_first_and_why_tells_the_columns(tmp_path: Path, order: str) -> None:
    with topical_web() as served:
        settings = served.settings(f"crawl.order={order}", "crawl.pages=20")
        crawled = resume(new(tmp_path / "crawl", topics()), settings)
        asked = served.asked()[24:]  # behind the examples
    assert about_birds(asked) >= 0.6
    assert crawled.trouble() == []
    numbers = waiting(crawled)
    assert max(numbers.values()) > 1.0  # they are packed, and no relevance
    last = min(numbers, key=lambda url: numbers[url])
    place = json.loads(command("why", str(crawled.directory.path), last, "--json"))["place"]
    assert list(place["columns"]) == order.split(", ")
    assert place["before"] == sum(number > numbers[last] for number in numbers.values())
    assert "In the order tries 0, " in crawled.why(last)


@pytest.mark.slow
@pytest.mark.parametrize("order", [DISCOVERY, EXPECTED])
def test_a_crawl_in_pieces_asks_for_the_same_as_one_that_runs_through(tmp_path: Path, order: str) -> None:
    runs = []
    for name, budgets in (("through", [36]), ("pieces", [10, 11, 36])):
        with topical_web() as served:
            directory = new(tmp_path / name, topics())
            for budget in budgets:
                resume(directory, served.settings(f"crawl.order={order}", f"crawl.pages={budget}"))
            runs.append(served.asked())
    assert runs[0] == runs[1]


@pytest.mark.slow
def test_the_order_may_change_between_the_papers_ways(tmp_path: Path) -> None:
    with topical_web() as served:
        directory = new(tmp_path / "crawl", topics())
        resume(directory, served.settings("crawl.order=best-first", "crawl.pages=12"))
        crawled = resume(directory, served.settings(f"crawl.order={DISCOVERY}", "crawl.pages=16"))
        back = resume(directory, served.settings("crawl.order=best-first", "crawl.pages=18"))
    assert any(f"the order from now on is {DISCOVERY}" in notice for notice in crawled.notices)
    assert max(waiting(back).values()) <= 1.0
    with open_store(directory, read_only=True) as store:
        assert store.note(ORDERED) == "best-first"


@pytest.mark.slow
def test_pages_asked_again_come_in_the_order_of_their_last_visit(tmp_path: Path) -> None:
    """RELATIONAL §3.2, crawl maintenance, the other way round, so that pages never visited do not come first."""
    order = "crawl.order=-last_visited, -hub"
    with topical_web() as served:
        directory = new(tmp_path / "crawl", topics(examples=2))
        crawled = resume(directory, served.settings("crawl.order=breadth", "crawl.pages=12"))
        for _ in range(2):  # at the first time the order changes; at the second, only what waits in it
            last = {row.url: int(16 * row.fetched_at) for row in crawled.pages() if row.depth and row.status == 200}
            before = len(served.asked())
            crawled = resume(directory, served.settings(order, "crawl.pages=22"), revisit=Revisit.ALL)
            again = [last[url] for url in served.asked()[before:] if url in last]
            assert len(again) > 6
            assert again == sorted(again, reverse=True)
            assert len(set(again)) > 1
