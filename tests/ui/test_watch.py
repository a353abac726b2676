"""What the window's pages are given to show, without a browser."""

import asyncio
from pathlib import Path

import pytest

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.services.crawls.crawl_list import Crawls
from scenthound.services.status.apprentice_status import ApprenticeStatus
from scenthound.ui.watch import Watch
from scenthound.ui.window import Window
from tests.services.test_status_apprentice import SPOILT, crawl, told


def shown(directory: CrawlDirectory) -> ApprenticeStatus | None:
    """Return what Monitor is given of the apprentice."""
    watch = Watch(Window(crawls=Crawls.at(directory.path)), directory)
    return asyncio.run(watch.background()).apprentice


@pytest.mark.slow
def test_monitor_says_of_the_apprentice_what_status_says(tmp_path: Path) -> None:
    directory = crawl(tmp_path / "crawl", SPOILT)
    assert shown(directory) == told(directory)


def test_monitor_says_nothing_of_an_apprentice_that_has_had_no_lesson(tmp_path: Path) -> None:
    assert shown(crawl(tmp_path / "crawl", [])) is None
