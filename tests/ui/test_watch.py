"""What the window's pages are given to show, without a browser."""

import asyncio
from pathlib import Path

from scenthound.crawl.directory import CrawlDirectory
from scenthound.desk.crawls import Crawls
from scenthound.desk.status_apprentice import ApprenticeStatus
from scenthound.ui.watch import Watch
from scenthound.ui.window import Window
from tests.desk.test_status_apprentice import SPOILT, crawl, told


def shown(directory: CrawlDirectory) -> ApprenticeStatus | None:
    """Return what Monitor is given of the apprentice."""
    watch = Watch(Window(crawls=Crawls.at(directory.path)), directory)
    return asyncio.run(watch.background()).apprentice


def test_monitor_says_of_the_apprentice_what_status_says(tmp_path: Path) -> None:
    directory = crawl(tmp_path / "crawl", SPOILT)
    assert shown(directory) == told(directory)


def test_monitor_says_nothing_of_an_apprentice_that_has_had_no_lesson(tmp_path: Path) -> None:
    assert shown(crawl(tmp_path / "crawl", [])) is None
