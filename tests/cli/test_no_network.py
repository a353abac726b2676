"""A crawl that reaches no server says so and fails, and its next start tries everything again."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from scenthound.cli.main import main
from tests.crawl.topical_web import new, topical_web, topics
from tests.often import slowly


@contextmanager
def closed_port() -> Iterator[int]:
    """Keep a port that nobody listens on."""
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        yield holder.getsockname()[1]


def crawl(path: Path, port: int, *more: str) -> int:
    settings = (
        "fetch.delay=0",
        "fetch.max_delay=0.05",
        "read.workers=1",
        f'fetch.resolve={{"*.test" = "127.0.0.1:{port}"}}',
    )
    return main(
        ["crawl", str(path), "--quiet", *(word for setting in (*settings, *more) for word in ("--set", setting))]
    )


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["none", *slowly("bayes")])
def test_it_says_so_and_fails_and_the_next_start_tries_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], kind: str
) -> None:
    new(tmp_path / "birds", topics())
    with closed_port() as port:
        assert crawl(tmp_path / "birds", port, f"critic.kind={kind}") == 1
    first, *_ = capsys.readouterr().out.splitlines()
    assert first.startswith("Stopped: no server can be reached from here (all requests failed: ")
    assert "connect; see whether the network is up" in first
    with topical_web() as served:
        assert crawl(tmp_path / "birds", served.web.port, f"critic.kind={kind}", "crawl.pages=10") == 0
    assert "10 in all" in capsys.readouterr().out
