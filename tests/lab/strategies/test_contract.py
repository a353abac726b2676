"""What holds for every strategy that is a class, whatever it does."""

import json
import math
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from scenthound.lab.strategies.kind import Kind
from scenthound.lab.strategies.strategy import Briefing, Seen
from tests.lab.strategies.made_crawls import START, classes, crawls, made
from tests.lab.strategies.small_pages import Vocabulary, crawl, made_up_web, seen
from tests.patience import PATIENCE

ROOT = Path(__file__).parents[3]
every_class = pytest.mark.parametrize("kind", classes(), ids=lambda kind: kind.name)


@every_class
def test_priorities_are_finite_floats(kind: Kind) -> None:
    web = made_up_web(1)
    strategy = made(kind, web)
    for n, url in enumerate(web.pages):
        for priority in strategy.see(web.seen(url, n=n)).values():
            assert type(priority) is float
            assert math.isfinite(priority)


@every_class
def test_every_page_is_found_in_the_end(kind: Kind) -> None:
    web = made_up_web(2)
    fetched = crawl(web, made(kind, web), START)
    assert len(fetched) == len(set(fetched))
    reachable = set(START)
    while more := {link for url in reachable for link in web.links(url)} - reachable:
        reachable |= more
    assert set(fetched) == reachable - set(START)


@every_class
def test_only_urls_that_were_shown_are_spoken_of(kind: Kind) -> None:
    web = made_up_web(4)
    strategy = made(kind, web)
    shown: set[str] = set()
    for url in list(web.pages)[:30]:
        page = web.seen(url)
        shown |= {url, *(link.url for link in page.links)}
        assert strategy.see(page).keys() <= shown


@every_class
def test_pages_without_links_words_or_terms_do_no_harm(kind: Kind) -> None:
    strategy = made(kind, made_up_web(1))
    for n in range(25):
        strategy.see(seen(f"http://a.test/{n}"))
    assert strategy.see(seen("http://a.test/", ["http://b.test/"])).keys() <= {"http://b.test/"} | {
        f"http://a.test/{n}" for n in ("", *range(25))
    }


class Secret:
    """A truth that nobody may ask for."""

    def relevant(self, url: str) -> bool:
        raise AssertionError(f"asked for the truth about {url}")

    def alive(self, url: str) -> bool:
        raise AssertionError(f"asked whether {url} is a page")

    def links(self, url: str) -> list[str]:
        raise AssertionError(f"asked for the links of {url}")


@pytest.mark.parametrize("kind", [kind for kind in classes() if not kind.knows_truth], ids=lambda kind: kind.name)
def test_the_truth_is_left_alone(kind: Kind) -> None:
    assert kind.make is not None
    strategy = kind.make(Briefing(seed=1, words=Vocabulary(), truth=Secret()), {})
    web = made_up_web(1)
    for url in web.pages:
        strategy.see(web.seen(url))


@pytest.mark.parametrize("kind", [kind for kind in classes() if not kind.wants_text], ids=lambda kind: kind.name)
def test_who_wants_no_text_reads_none(kind: Kind) -> None:
    class Closed(tuple[str, ...]):
        def __getitem__(self, place: object) -> str:  # type: ignore[override]
            raise AssertionError("read the text")

    def closed(page: Seen) -> Seen:
        return replace(page, reading=replace(page.reading, leaves=Closed()))

    web = made_up_web(1)
    strategy = made(kind, web)
    for url in web.pages:
        strategy.see(closed(web.seen(url)))


@pytest.mark.slow
def test_the_same_twice() -> None:
    assert crawls() == crawls()


@pytest.mark.slow
def test_the_same_whatever_the_hash_seed() -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "tests.lab.strategies.made_crawls"],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": "4711"},  # that of this process is drawn by chance
        capture_output=True,
        check=True,
        timeout=PATIENCE,
    )
    assert json.loads(ran.stdout) == crawls()


@pytest.mark.slow
def test_strategies_differ() -> None:
    orders = [tuple(fetched) for fetched in crawls().values()]
    assert len(set(orders)) == len(orders)
