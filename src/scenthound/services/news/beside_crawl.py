"""Questions while a crawl runs: every so often a process of its own asks them, and gives way to the crawl.

It holds no lock of the crawl, and what it sends, or waits for, holds the crawl up in nothing.
"""

import shutil
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.own_code import python
from scenthound.settings.question_book import FILE, load_questions
from scenthound.settings.time_span import seconds_of

_NICE: Final = "10"


def has_questions(directory: CrawlDirectory) -> bool:
    """Tell whether a crawl has a file of questions."""
    return (directory.path / FILE).exists()


@contextmanager
def asking_beside(directory: CrawlDirectory, *, every: float | None = None) -> Iterator[None]:
    """Run the questions every so often while the `with` lasts; `every` replaces the seconds of questions.toml.

    A run that is under way at the end is ended: what it has taken is safe, and the rest is asked again.
    """
    wanted = load_questions(directory.path).news.every
    seconds = every or (seconds_of(wanted, of="every") if wanted else None)
    if seconds is None:
        yield
        return
    over = threading.Event()
    thread = threading.Thread(target=_ask, args=(directory, seconds, over), daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _ask(directory: CrawlDirectory, seconds: float, over: threading.Event) -> None:
    nicely = ["nice", "-n", _NICE] if shutil.which("nice") else []
    while not over.wait(seconds):
        with (directory.logs / "questions.log").open("ab") as log:
            process = subprocess.Popen(
                [*nicely, *python("scenthound", "questions", str(directory.path), "run")],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                process_group=0,  # not a session of its own, in which its niceness would not count (sched(7))
            )
        while process.poll() is None and not over.wait(0.1):
            pass
        if process.poll() is None:
            process.kill()
        process.wait()
