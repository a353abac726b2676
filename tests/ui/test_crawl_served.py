"""`scenthound crawl DIR --serve`, as a user starts and ends it: the window opens beside the crawl and goes with it."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from scenthound.cli.main import main
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.demo.server import ServedWeb
from scenthound.ui.server import PORT
from tests.patience import PATIENCE, until
from tests.ui.endless import endless, endless_crawl, pages


@pytest.fixture(scope="module")
def web() -> Iterator[ServedWeb]:
    with ServedWeb(endless) as served:
        yield served


@pytest.fixture
def directory(tmp_path: Path, web: ServedWeb) -> CrawlDirectory:
    return endless_crawl(tmp_path / "crawl", web.port)


def command(path: Path) -> list[str]:
    return [sys.executable, "-m", "scenthound", "crawl", str(path), "--quiet", "--serve"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside:
    """A crawl, and the window beside it."""

    process: subprocess.Popen[str]
    client: httpx.Client

    def state(self) -> Any:
        return self.client.get("/api/crawls/crawl/status").json()["engine"]

    def is_open(self) -> bool:
        try:
            return self.client.get("/api/crawls").status_code == 200
        except httpx.TransportError:
            return False


@contextmanager
def beside(directory: CrawlDirectory) -> Iterator[Beside]:
    environment = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    with subprocess.Popen(
        command(directory.path), stdout=subprocess.PIPE, text=True, env=environment, start_new_session=True
    ) as process:
        assert process.stdout is not None
        said, _, address = process.stdout.readline().strip().rpartition(" ")
        assert said == "The window is open at"
        home, _, token = address.partition("?token=")
        headers = {"authorization": f"Bearer {token}"}
        try:
            with httpx.Client(base_url=home, headers=headers, timeout=PATIENCE, trust_env=False) as client:
                found = Beside(process=process, client=client)
                assert until(lambda: pages(directory) > 5)
                yield found
                assert until(lambda: not found.is_open())  # whatever happened, no window is left behind
        finally:
            process.kill()


@pytest.mark.slow
def test_where_nothing_can_be_crawled_no_window_opens(
    tmp_path: Path, directory: CrawlDirectory, capfd: pytest.CaptureFixture[str]
) -> None:
    with directory.lock():
        for path in (tmp_path / "nothing", directory.path):
            assert main(command(path)[3:]) == 2
            out, err = capfd.readouterr()
            assert (out, err.count("\n")) == ("", 1)


@pytest.mark.slow
@pytest.mark.parametrize("times", [1, 2])
def test_ctrl_c_ends_both(directory: CrawlDirectory, times: int) -> None:
    with beside(directory) as found:
        assert (found.state()["doing"], found.state()["process"]) == ("crawling", found.process.pid)
        for _ in range(times):
            found.process.send_signal(signal.SIGINT)
        out, _ = found.process.communicate(timeout=PATIENCE)
        assert found.process.returncode == 130
        assert out.startswith("Stopped: interrupted")
        assert "stays open" not in out


@pytest.mark.slow
def test_a_crawl_stopped_in_the_window_leaves_it_open_to_start_another(directory: CrawlDirectory) -> None:
    with socket.socket() as taken:
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            taken.bind(("127.0.0.1", PORT))
            taken.listen()
        except OSError:
            pass  # then somebody else has it
        with beside(directory) as found:
            assert found.client.base_url.port != PORT
            assert found.client.post("/api/crawls/crawl/stop").status_code == 200
            assert until(lambda: found.state()["doing"] == "stopped")
            before = pages(directory)
            assert found.client.post("/api/crawls/crawl/start", json={"pages": before + 5}).status_code == 200
            assert until(lambda: pages(directory) == before + 5)
            assert until(lambda: found.state()["doing"] == "stopped")
            found.process.send_signal(signal.SIGINT)
            out, _ = found.process.communicate(timeout=PATIENCE)
            assert "The window stays open. Ctrl-C closes it." in out


@pytest.mark.slow
def test_no_window_outlives_a_crawl_that_was_killed(directory: CrawlDirectory) -> None:
    with beside(directory) as found:
        found.process.kill()
