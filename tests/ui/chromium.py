"""Finds a Chromium for the tests of the window, or gets one: `python -m tests.ui.chromium` is run by `make test`."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
PROXY = "crawls.example.org"  # the browser takes this machine for it
MISSING = "no Chromium was found: the tests of the window in a browser DO NOT RUN; install the package chromium"


def chromium() -> str | None:
    """Return the program: the one named in CHROMIUM, one on the path, or playwright's own."""
    named = os.environ.get("CHROMIUM")
    return named or next(filter(None, map(shutil.which, NAMES)), None) or _own()


def _own() -> str | None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as player:
        path = player.chromium.executable_path
    return path if Path(path).exists() else None


def get() -> str | None:
    """Get a Chromium from playwright, or where that cannot be reached and we may, from Debian."""
    commands = [[sys.executable, "-m", "playwright", "install", "chromium"]]
    if os.geteuid() == 0 and shutil.which("apt-get"):
        commands.append(["apt-get", "install", "--yes", "--no-install-recommends", "chromium"])
    for command in commands:
        try:
            done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=600)
        except (OSError, subprocess.TimeoutExpired):
            continue
        if done.returncode == 0 and (found := chromium()):
            return found
    return None


if __name__ == "__main__":
    if not (chromium() or get()):
        print(f"\n*** {MISSING} ***\n", file=sys.stderr)
