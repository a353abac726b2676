"""`scenthound crawl --serve`: the crawl runs here, and a window beside it in a process of its own."""

import signal
import subprocess
import sys
from contextlib import suppress

from scenthound.cli.crawl import Run, crawl_directory


def beside_window(run: Run) -> int:
    """Crawl with a window open; when the crawl has ended, the window stays until Ctrl-C."""
    window = subprocess.Popen([sys.executable, "-m", "scenthound", "serve", str(run.path)], start_new_session=True)
    try:
        code = crawl_directory(run)
        if window.poll() is None:
            print("The window stays open; Ctrl-C closes it.", flush=True)
            with suppress(KeyboardInterrupt):
                window.wait()
        return code
    finally:
        window.send_signal(signal.SIGINT)
        window.wait()
