"""A portal made in a process of its own, for the window: a large one takes minutes, and the window stays quick.

    python -m scenthound.services.portal.portal_process DIR

It writes a line of JSON for each step, and a last one for what was made or what was wrong. It ends when its standard
input closes, so that it does not outlive the window. The site is the folder `portal` of the crawl directory: the window
names no other, as it names no files.
"""

import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Final

import msgspec

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.errors import DirectoryError, ScenthoundError
from scenthound.own_code import python
from scenthound.services.portal.page_groups import MARK, PageGroups
from scenthound.services.portal.portal_types import PortalWish
from scenthound.services.portal.publication import Published, publish
from scenthound.services.portal.site_folder import MANIFEST

FOLDER: Final = "portal"


class _Line(msgspec.Struct, kw_only=True, omit_defaults=True):
    step: str = ""
    done: int = 0
    pages: int = 0
    made: Published | None = None
    error: str = ""


Heard = Callable[[str, int, int], object]


def site_of(directory: CrawlDirectory) -> Path:
    """Return the folder of a crawl's portal."""
    return directory.path / FOLDER


def is_published(directory: CrawlDirectory) -> bool:
    """Tell whether the crawl has a portal."""
    return (site_of(directory) / MANIFEST).is_file() and (site_of(directory) / "index.html").is_file()


def publish_apart(directory: CrawlDirectory, heard: Heard) -> Published:
    """Make the portal of a crawl, or make it again; `heard` gets the step, the pages done, and all of them."""
    last = _Line(error="the process that makes the portal ended too early; see logs/portal.log, and try again")
    directory.logs.mkdir(exist_ok=True)
    with (
        (directory.logs / "portal.log").open("ab") as log,
        subprocess.Popen(
            python("scenthound.services.portal.portal_process", str(directory.path)),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            start_new_session=True,
        ) as process,
    ):
        assert process.stdout is not None
        for text in process.stdout:
            line = msgspec.json.decode(text, type=_Line)
            if line.step:
                heard(line.step, line.done, line.pages)
            else:
                last = line
    if last.made is None:
        raise DirectoryError(last.error)
    return last.made


def main(path: Path) -> None:
    """Make a portal and write what comes of it to the standard output."""
    threading.Thread(target=_end_with_input, daemon=True).start()
    try:
        directory = CrawlDirectory.open(path)
        groups = PageGroups(directory)
        wish = PortalWish(out=site_of(directory), heard=_Meter(), groups=groups, groups_mark=MARK)
        _write(_Line(made=publish(directory, wish)))
    except ScenthoundError as error:
        _write(_Line(error=str(error)))


class _Meter:
    """Writes a line for each new step, and for each percent of it."""

    def __init__(self) -> None:
        self._last = ("", -1)

    def __call__(self, step: str, done: int, pages: int) -> None:
        at = (step, 100 * done // max(1, pages))
        if at != self._last:
            self._last = at
            _write(_Line(step=step, done=done, pages=pages))


def _write(line: _Line) -> None:
    sys.stdout.buffer.write(msgspec.json.encode(line) + b"\n")
    sys.stdout.buffer.flush()


def _end_with_input() -> None:
    while os.read(0, 1):
        pass
    os._exit(0)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
