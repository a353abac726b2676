"""`scenthound cluster`: engines on a real Ray cluster of this machine, one of which is killed and comes back."""

import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import pytest

from scenthound.demo.server import ServedWeb
from scenthound.settings.server_url import ServerUrl
from tests.cli.conftest import one_line, scenthound, settings_for
from tests.often import THOROUGH
from tests.patience import PATIENCE
from tests.store.postgres_server import shared_server

# Not imported here: that takes every worker a second.
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(find_spec("ray") is None, reason="Ray is not installed: `scenthound cluster` IS NOT TESTED"),
]
ENGINES = 3 if THOROUGH else 2  # each has a process of Ray's
QUIET = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_DISABLE_IMPORT_WARNING": "1", "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0"}


@pytest.fixture
def url() -> Iterator[str]:
    server = shared_server()
    url = server.new_url()
    yield url
    server.psql(f'DROP SCHEMA IF EXISTS "{ServerUrl.read(url).schema}" CASCADE')


@contextmanager
def ray_head() -> Iterator[str]:
    """Start a cluster of one machine on loopback, and end it."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory(prefix="ray", dir="/tmp", ignore_cleanup_errors=True) as folder:
        options = [
            "--node-ip-address=127.0.0.1",
            f"--port={port}",
            f"--num-cpus={ENGINES}",
            "--include-dashboard=false",
        ]
        limits = ["--object-store-memory=80000000", f"--temp-dir={folder}", "--disable-usage-stats", "--block"]
        program = Path(sys.executable).with_name("ray")
        command = [str(program), "start", "--head", *options, *limits]
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=os.environ | QUIET
        ) as head:
            assert head.stdout is not None
            said: list[str] = []
            for line in head.stdout:
                said.append(line)
                if "--block" in line or "Ray runtime started" in line:
                    break
            assert head.poll() is None, "".join(said)
            try:
                yield f"127.0.0.1:{port}"
            finally:
                head.terminate()
                head.wait(PATIENCE)


def begun_crawl(path: Path, url: str, port: int) -> None:
    assert scenthound("new", path, "http://a.example/", "--set", f"store.url={url}").code == 0
    assert scenthound("crawl", path, "--quiet", "--pages", "1", *settings_for(port)).code == 0


def test_an_engine_that_dies_comes_back_and_all_are_drained(served: ServedWeb, url: str, tmp_path: Path) -> None:
    begun_crawl(tmp_path / "first", url, served.port)
    slow = ["--set", "fetch.delay=20", "--set", "crawl.pages=0"]
    with ray_head() as address:
        asked = ["cluster", url, "--engines", str(ENGINES), "--ray", address, "--dir", str(tmp_path / "engines")]
        command = [sys.executable, "-m", "scenthound", *asked, *settings_for(served.port), *slow]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as cluster:
            places: dict[str, int] = {}
            assert cluster.stderr is not None
            while len(places) < ENGINES:
                if found := re.match(r"engine (\d) has begun: .*, process (\d+)", line := next(cluster.stderr)):
                    places[found[1]] = int(found[2])
                assert "has ended" not in line, line
            os.kill(places["2"], signal.SIGKILL)
            while "engine 2 was lost and is back" not in next(cluster.stderr):
                pass
            cluster.send_signal(signal.SIGINT)
            out, err = cluster.communicate(timeout=PATIENCE)
    assert cluster.returncode == 130, err
    assert f"{ENGINES} of {ENGINES} engines ended well" in out
    folders = sorted(folder.name for folder in (tmp_path / "engines").iterdir())
    assert folders == [f"engine-{number}" for number in range(1, ENGINES + 1)]
    rows = scenthound("export", tmp_path / "first", "--format", "urls").out.splitlines()
    assert rows
    assert len(rows) == len(set(rows))


def test_what_is_wrong_is_said_in_one_line(served: ServedWeb, url: str, tmp_path: Path) -> None:
    for address, words in (("crawl.db", "write postgresql://"), (url, "no such crawl on the server")):
        ran = scenthound("cluster", address, "--dir", tmp_path / "engines")
        assert ran.code in (1, 2)
        assert words in one_line(ran.err)
    begun_crawl(tmp_path / "first", url, served.port)
    with socket.socket() as nobody:  # bound, and listened at by nobody
        nobody.bind(("127.0.0.1", 0))
        there = f"127.0.0.1:{nobody.getsockname()[1]}"
        ran = scenthound("cluster", url, "--ray", there, "--dir", tmp_path / "engines")
    assert ran.code == 2
    assert "no Ray cluster answers" in one_line(ran.err)
