"""A window in a process of its own, as a user starts it, and a page of a real headless Chromium that looks at it."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Dialog, Page, Request, expect, sync_playwright

from tests.patience import PATIENCE
from tests.ui.chromium import MISSING, PROXY, chromium

MILLISECONDS = 1000 * PATIENCE
expect.set_options(timeout=MILLISECONDS)  # playwright gives up after five seconds, which a busy machine may need


@contextmanager
def window(path: Path, *options: str, program: tuple[str, str] = ("-m", "scenthound")) -> Iterator[str]:
    """Serve a folder, and return the address that is printed; it asks for no token unless `options` say so."""
    command = [sys.executable, *program, "serve", str(path), "--port", "0", "--no-open", "--no-token", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield process.stdout.readline().rpartition(" ")[2].strip()
        finally:
            process.terminate()


@contextmanager
def headless() -> Iterator[Browser]:
    program = chromium()
    if program is None:
        pytest.skip(MISSING)
    with sync_playwright() as player:
        # The window then shows no motion (window.css), and no click waits until one has ended.
        arguments = ["--no-sandbox", "--force-prefers-reduced-motion", f"--host-resolver-rules=MAP {PROXY} 127.0.0.1"]
        browser = player.chromium.launch(executable_path=program, args=arguments)
        try:
            yield browser
        finally:
            browser.close()


class Watched:
    """A page, with everything that must not happen in it: requests elsewhere, errors, scripts of crawled pages."""

    def __init__(self, page: Page, home: str) -> None:
        self.page = page
        self.elsewhere: list[str] = []
        self.errors: list[str] = []
        self._home = home.partition("?")[0]
        page.set_default_timeout(MILLISECONDS)
        page.on("request", self._asked)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", self._heard)
        page.on("dialog", self._spoken_to)

    def _asked(self, request: Request) -> None:
        if not request.url.startswith((self._home, "data:", "blob:")):
            self.elsewhere.append(request.url)

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type == "error":  # such as what the policy of the page forbids
            self.errors.append(message.text)

    def _spoken_to(self, dialog: Dialog) -> None:
        self.errors.append(f"dialog {dialog.message}")
        dialog.dismiss()

    def go(self, path: str) -> Page:
        self.page.goto(self._home.rstrip("/") + path)
        self.page.wait_for_selector("main")
        return self.page


@dataclass(frozen=True, slots=True, kw_only=True)
class CommonWindow:
    """A window on a folder, to which tests add their crawls (`conftest.py`)."""

    folder: Path
    home: str
    visitor: BrowserContext

    def open(self) -> Watched:
        return Watched(self.visitor.new_page(), self.home)
