"""What tests of the window share: a browser for each worker, one window on a folder of crawls, and one visitor there.

Browsers and windows are slow to start, and so are pages whose scripts are not in the cache. A test makes its crawl in
the folder of the common window, under a name that no other test takes. A test of the start, of the token or of an empty
folder has a `window` of its own.
"""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext

from tests.ui.in_browser import CommonWindow, headless, window


@dataclass(frozen=True, slots=True, kw_only=True)
class _Worker:
    """The browser of a worker, and the visitor whose cache all tests share."""

    browser: Browser
    visitor: BrowserContext


@pytest.fixture(scope="session")
def _worker() -> Iterator[_Worker]:
    with headless() as browser:
        worker = _Worker(browser=browser, visitor=browser.new_context())
        asyncio._set_running_loop(None)
        yield worker
        _use(browser)


@pytest.fixture
def browser(_worker: _Worker) -> Iterator[Browser]:
    """Lend the browser to a test, and close what the test has opened: a page goes on asking its server."""
    _use(_worker.browser)
    yield _worker.browser
    for context in _worker.browser.contexts:
        if context is not _worker.visitor:
            context.close()
    for page in _worker.visitor.pages:
        page.close()
    # The loop of playwright counts as running until its end. Other tests of this worker want to run their own.
    asyncio._set_running_loop(None)


def _use(browser: Browser) -> None:
    asyncio._set_running_loop(browser._loop)


@pytest.fixture
def visitor(browser: Browser, _worker: _Worker) -> BrowserContext:
    """Somebody who has been here before: cookies, storage and cache of earlier tests are there."""
    return _worker.visitor


@pytest.fixture(scope="session")
def _common_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, str]]:
    folder = tmp_path_factory.mktemp("common")
    with window(folder) as home:
        yield folder, home


@pytest.fixture
def common(visitor: BrowserContext, _common_home: tuple[Path, str]) -> CommonWindow:
    folder, home = _common_home
    return CommonWindow(folder=folder, home=home, visitor=visitor)
