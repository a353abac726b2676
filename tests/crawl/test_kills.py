"""A crawl ended with SIGKILL at seeded random moments, and resumed: complete, nothing twice, whole after every kill.

The web is a tree of pages over a few hosts. What each kill leaves is looked at in a copy, by SQLite's own check, zlib
and warcio; what the crawl asked for is counted by the server.
"""

import random
import signal
import threading
import time
from collections import Counter
from pathlib import Path

import pytest

from bench.wreckage import count_archive, look_at
from scenthound.demo.served_answer import Answer
from scenthound.demo.server import ServedWeb
from scenthound.events import StopCause
from tests.crawl.scene import BRISK, new, resume, wait_until
from tests.nursery import started
from tests.patience import PATIENCE

PAGES = 900
HOSTS = 12
KILLS = 5
AT_ONCE = 16


class Tree:
    """Pages 0 to 899, each with links to three others; it tells when it has answered so many times."""

    def __init__(self) -> None:
        self._left = 0
        self.tripped = threading.Event()

    def arm(self, requests: int) -> None:
        self.tripped.clear()
        self._left = requests

    def answer(self, host: str, path: str) -> Answer:
        self._left -= 1
        if self._left == 0:
            self.tripped.set()
        if path == "/robots.txt":
            return Answer(status=404)
        number = int(path.strip("/"))
        children = [child for child in range(3 * number + 1, 3 * number + 4) if child < PAGES]
        links = " ".join(f'<a href="{url(child)}">{child}</a>' for child in children)
        dice = random.Random(number)
        words = " ".join(str(dice.random()) for _ in range(40))
        body = f"<title>{number}</title><p>{words}</p>{links}"
        return Answer(headers=(("Content-Type", "text/html"),), body=body.encode())


def url(number: int) -> str:
    return f"http://h{number % HOSTS}.tree.test/{number}"


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_a_crawl_that_is_killed_again_and_again_ends_as_if_nothing_had_been(tmp_path: Path, seed: int) -> None:
    draw, tree, in_flight = random.Random(seed), Tree(), 0
    directory = new(tmp_path / "crawl", [url(0)])
    with ServedWeb(tree.answer) as served:
        settings = settings_for(served.port)
        for _ in range(KILLS):
            tree.arm(draw.randint(1, PAGES // KILLS))
            start_and_kill(directory.path, settings, tree, pause=draw.uniform(0, 0.05))
            wreck = look_at(directory.path)
            assert wreck.trouble == ()
            assert wreck.in_flight <= AT_ONCE
            in_flight += wreck.in_flight
        crawled = resume(directory, settings)
        asked = Counter(f"http://{entry.host}{entry.path}" for entry in served.log() if entry.path != "/robots.txt")
    expected = {url(number) for number in range(PAGES)}
    assert crawled.summary.cause is StopCause.DRY
    assert sorted(row.url for row in crawled.pages()) == sorted(expected)
    assert set(asked) == expected
    assert asked.total() - len(asked) <= in_flight
    archive = count_archive(directory.archive)
    assert (archive.twice, archive.bad_digests) == (0, 0)
    assert {captured for captured in archive.captures if not captured.endswith("/robots.txt")} == expected
    assert crawled.trouble() == []


def settings_for(port: int) -> list[str]:
    return [
        *BRISK,
        f'fetch.resolve={{"*.test" = "127.0.0.1:{port}"}}',
        "fetch.per_host=4",
        f"fetch.concurrency={AT_ONCE}",
    ]


def start_and_kill(path: Path, settings: list[str], tree: Tree, *, pause: float) -> None:
    """Start a crawl by the command line, kill it a moment after the tree has tripped, and see its readers follow it."""
    chosen = [word for setting in settings for word in ("--set", setting)]
    with started("crawl", str(path), "--quiet", *chosen) as process:
        assert tree.tripped.wait(timeout=PATIENCE)
        time.sleep(pause)
        readers = children_of(process.pid)
        process.kill()
        assert process.wait() == -signal.SIGKILL
    wait_until(lambda: not any(is_alive(reader) for reader in readers))


def children_of(process: int) -> list[int]:
    tasks = Path(f"/proc/{process}/task")
    return [int(word) for task in tasks.glob("*/children") for word in task.read_text().split()]


def is_alive(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
