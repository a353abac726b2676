"""The library as a notebook uses it: a path as text, nothing to pass in, and an event loop that is already running."""

import asyncio
import signal
import threading
from pathlib import Path

import pytest

from scenthound import CrawlDirectory, Settings, StopCause, Summary, run_crawl, topics_of_urls
from scenthound.errors import ScenthoundError
from tests.badweb import BadWeb
from tests.crawl.scene import bad_web, on, wait_until
from tests.ui.endless import pages


def maze(path: Path, web: BadWeb) -> CrawlDirectory:
    made = CrawlDirectory.create(str(path), topics=topics_of_urls([web.url("maze")]))
    return CrawlDirectory.open(str(made.path))


def in_a_cell(directory: CrawlDirectory | str, settings: Settings) -> Summary:
    """Run a crawl as a cell does: in a thread whose event loop runs, and where Ctrl-C is a KeyboardInterrupt."""

    async def cell() -> Summary:
        return run_crawl(directory, settings)

    loop = asyncio.new_event_loop()  # not asyncio.run, which takes Ctrl-C for itself
    try:
        return loop.run_until_complete(cell())
    finally:
        loop.close()


@pytest.mark.slow
def test_a_crawl_runs_where_an_event_loop_runs_already(tmp_path: Path) -> None:
    with bad_web() as web:
        directory = maze(tmp_path / "crawl", web)
        summary = in_a_cell(str(directory.path), directory.settings(on(web, "crawl.pages=5")))
    assert (summary.cause, summary.pages_this_run) == (StopCause.PAGES, 5)


def test_what_goes_wrong_in_it_comes_out(tmp_path: Path) -> None:
    directory = CrawlDirectory.create(tmp_path / "crawl", topics=topics_of_urls(["http://127.0.0.1:9/"]))
    with pytest.raises(ScenthoundError, match="nosuch"):
        in_a_cell(directory, directory.settings(["critic.kind=nosuch:judge"]))


@pytest.mark.slow
def test_an_interrupted_cell_stops_the_crawl_in_good_order(tmp_path: Path) -> None:
    cell = threading.get_ident()

    def interrupt() -> None:
        wait_until(lambda: pages(directory) > 3)
        signal.pthread_kill(cell, signal.SIGINT)

    with bad_web() as web:
        directory = maze(tmp_path / "crawl", web)
        beside = threading.Thread(target=interrupt)
        beside.start()
        try:
            summary = in_a_cell(directory, directory.settings(on(web, "crawl.minutes=10")))
        except KeyboardInterrupt:
            pytest.fail("the crawl was left to itself")
        beside.join()
    assert summary.cause is StopCause.INTERRUPTED
    assert not directory.is_running()
