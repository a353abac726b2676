"""`scenthound crawl --serve`: the crawl runs here, and a window beside it in a process of its own (`python -m` this
module).

The window holds a pipe from the crawl as its standard input and closes when that ends, so that none is left behind
however the crawl's process dies. It is in a session of its own: Ctrl-C is for the crawl, which then closes it.
"""

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from scenthound.cli.work.crawl_run import Run, crawl_directory
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.crawl.directory.trust_check import require_trust
from scenthound.errors import ScenthoundError
from scenthound.own_code import python
from scenthound.terminal import say

_CLOSING: Final = 10.0  # seconds for browsers to be told before the window is ended hard


def beside_window(run: Run) -> int:
    """Crawl with a window open. Ctrl-C ends both; when the crawl ends otherwise, the window stays until Ctrl-C."""
    directory = CrawlDirectory.open(run.path)
    given = [one.partition("=")[0].strip() for one in run.overrides]
    require_trust(directory, directory.settings(run.overrides), given=given)
    if directory.is_running():
        return crawl_directory(run)  # it says who crawls here, and no window opens for nothing
    heard: list[int] = []
    with _window(directory.path) as window:
        code = crawl_directory(run, heard=heard.append)
        if signal.SIGINT not in heard and window.poll() is None:
            say("The window stays open. Ctrl-C closes it.", flush=True)
            with suppress(KeyboardInterrupt):
                window.wait()
        return code


@contextmanager
def _window(path: Path) -> Iterator[subprocess.Popen[str]]:
    """Open a window and say where, before a view of the crawl takes the screen; a crawl goes on without one."""
    command = python(__name__, str(path))
    say("Opening the window …", file=sys.stderr, flush=True)
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, start_new_session=True) as window:
        assert window.stdin is not None
        assert window.stdout is not None
        try:
            say(
                window.stdout.readline().strip() or "The window could not be opened; the crawl runs without it.",
                flush=True,
            )
            yield window
        finally:
            window.stdin.close()
            try:
                window.wait(_CLOSING)
            except subprocess.TimeoutExpired:
                window.kill()


def open_window(path: Path) -> int:
    """Serve a crawl until the standard input ends."""
    from scenthound.ui.server import Serving, serve

    try:
        return serve(Serving(path=path, attached=True))
    except ScenthoundError as error:
        say(f"scenthound: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(open_window(Path(sys.argv[1])))
