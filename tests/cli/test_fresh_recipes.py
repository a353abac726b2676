"""The recipes of docs/how-to/keep-a-collection-fresh.md, and what `status` says of pages that are due, on a crawl made
by hand.
"""

import json
import re
import time
from dataclasses import replace
from pathlib import Path

import pytest

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.frontier.rates import DAY
from scenthound.store.sqlite.store import SqliteStore
from scenthound.topics.url_topics import topics_of_urls
from scenthound.types import Distillation, PageScore, Reason
from tests.cli.conftest import scenthound
from tests.store.small_world import FREE, claim, failed, found, page, put

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "keep-a-collection-fresh.md"
HUB, LEAF, LOST, BACK = (f"http://{name}.test/" for name in ("hub", "leaf", "lost", "back"))


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four pages, a month old; then a hub changed twice, and two pages vanished, of which one came back."""
    directory = CrawlDirectory.create(tmp_path_factory.mktemp("fresh") / "crawl", topics=topics_of_urls([HUB]))
    now = time.time()
    with SqliteStore(directory.database) as store:
        store.add([found(url) for url in (HUB, LEAF, LOST, BACK)], now=now - 30 * DAY)
        for taken in claim(store, now=now - 30 * DAY):
            links = [found(LOST)] if taken.url == HUB else []
            put(store, page(taken, at=now - 30 * DAY, relevance=0.5, links=links), now=now - 30 * DAY)
        store.distilled(Distillation(at=now), [PageScore(url=HUB, hub=0.25)], moves={}, now=now)
        for days in (20, 0.1):
            store.revisit({HUB: 0, LOST: 1, BACK: 2}, now=now - days * DAY)
            for taken in claim(store, now=now - days * DAY, limits=replace(FREE, again=True)):
                at = now - days * DAY
                there = taken.url == HUB or (taken.url == BACK and days < 1)
                links = [found(f"{HUB}{days:.0f}")] if taken.url == HUB else []
                changed = page(taken, at=at, digest=f"{taken.url} {days}", relevance=0.5, links=links)
                put(store, changed if there else failed(taken, Reason.HTTP_ERROR, at=at, status=404), now=at)
    return directory.path


def answers(path: Path, number: int) -> list[dict[str, object]]:
    question = re.findall(r"```sql\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)[number]
    rows: list[dict[str, object]] = json.loads(scenthound("sql", str(path), question, "--json").out)
    return rows


@pytest.mark.slow
def test_what_changed_this_week(path: Path) -> None:
    [row] = answers(path, 0)
    assert (row["url"], row["gained"], row["lost"], row["relevance"]) == (HUB, 1, 1, 0.5)


def test_pages_that_have_vanished_and_are_not_back(path: Path) -> None:
    assert [row["url"] for row in answers(path, 1)] == [LOST]


def test_the_liveliest_hubs(path: Path) -> None:
    assert answers(path, 2) == [{"url": HUB, "hub": 0.25, "changes": 2, "links": 2.0}]


def test_links_that_pages_have_dropped(path: Path) -> None:
    assert [(row["page"], row["link"]) for row in answers(path, 3)] == [(HUB, f"{HUB}20"), (HUB, LOST)]


@pytest.mark.slow
def test_status_counts_what_is_due(path: Path) -> None:
    """The leaf was not seen for a month; the others were visited today."""
    assert "  1 page is due to be asked for again (crawl --revisit)" in scenthound("status", str(path)).out
    assert json.loads(scenthound("status", str(path), "--json").out)["due"] == {"pages": 1, "whole": True}


@pytest.mark.slow
def test_why_says_how_often_a_page_changes(path: Path) -> None:
    told = scenthound("why", str(path), LEAF).out
    assert "(a guess, from other pages)" in told
    assert told.splitlines()[-1].endswith("; due now.")
    assert json.loads(scenthound("why", str(path), HUB, "--json").out)["outlook"]["due"] > time.time()
