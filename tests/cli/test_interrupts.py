"""Signals to `scenthound crawl`, as a terminal and a system send them: once, twice, and a second crawl beside the
first.
"""

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from scenthound.demo.served_answer import Answer
from scenthound.demo.server import ServedWeb
from tests.cli.conftest import PAGES, scenthound, settings_for, small_web
from tests.crawl.scene import wait_until
from tests.patience import PATIENCE


def start(path: Path, *arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "scenthound", "crawl", str(path), *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def requests_for(served: ServedWeb, path: str) -> int:
    return sum(entry.path == path for entry in served.log())


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_crawl_saves_and_resumes(
    new_crawl: Callable[..., Path], served: ServedWeb, number: signal.Signals
) -> None:
    path = new_crawl("http://a.example/")
    homes = requests_for(served, "/")
    with start(path, *settings_for(served.port, **{"fetch.delay": "0.5"})) as crawl:
        wait_until(lambda: requests_for(served, "/") > homes)
        os.kill(crawl.pid, number)
        out, err = crawl.communicate(timeout=PATIENCE)
    assert crawl.returncode == 130
    assert "finishing requests in flight; press again to stop at once" in err
    assert out.startswith("Stopped: interrupted")
    pages = json.loads(scenthound("status", path, "--json").out)["census"]["pages"]
    assert 1 <= pages < PAGES
    resumed = scenthound("crawl", path, *settings_for(served.port))
    assert resumed.code == 0
    assert json.loads(scenthound("status", path, "--json").out)["census"]["pages"] == PAGES + 2


@contextmanager
def crawl_of_a_silent_server(path: Path) -> "Iterator[subprocess.Popen[str]]":
    """Start a crawl of a page that is never answered, and wait until the page is asked for."""
    asked = threading.Event()

    def silent(host: str, path: str) -> Answer:
        if path == "/silent":
            asked.set()
        return small_web(host, path)

    patient = {"fetch.first_byte_timeout": "600", "fetch.timeout": "600"}
    with ServedWeb(silent) as web, start(path, *settings_for(web.port, **patient)) as crawl:
        assert asked.wait(PATIENCE)
        yield crawl


def stop_at_once(crawl: "subprocess.Popen[str]") -> None:
    """Interrupt a crawl twice: the second time when it has said that it heard the first."""
    os.kill(crawl.pid, signal.SIGINT)
    assert crawl.stderr is not None
    assert any("again to stop at once" in line for line in crawl.stderr)
    os.kill(crawl.pid, signal.SIGINT)
    crawl.communicate(timeout=PATIENCE)
    assert crawl.returncode == 130


@pytest.mark.slow
def test_a_second_interrupt_does_not_wait_for_a_silent_server(new_crawl: Callable[..., Path]) -> None:
    with crawl_of_a_silent_server(new_crawl("http://a.example/silent")) as crawl:
        stop_at_once(crawl)  # the first byte would have been waited for longer than anybody has patience


@pytest.mark.slow
def test_a_second_crawl_of_one_directory_is_refused_and_status_sees_the_first(new_crawl: Callable[..., Path]) -> None:
    path = new_crawl("http://a.example/silent")
    with crawl_of_a_silent_server(path) as crawl:
        second = scenthound("crawl", path)
        assert second.code == 2
        assert f"is already being crawled by process {crawl.pid}" in second.err
        assert scenthound("status", path).out.startswith("running\n")
        stop_at_once(crawl)
