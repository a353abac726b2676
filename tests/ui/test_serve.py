"""`scenthound serve` with what cannot be served: one line that says what to do."""

import socket
from pathlib import Path

import pytest

from scenthound.cli.main import main


def test_a_port_in_use_is_told_of(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main(["serve", str(tmp_path), "--no-open", "--port", str(port)]) == 2
    told = capsys.readouterr().err.splitlines()[-1]
    assert told.endswith(
        f"127.0.0.1 port {port} cannot be listened on: Address already in use; --port 0 takes a free one"
    )


@pytest.mark.parametrize("host", ["256.1.1.1", "192.0.2.7"])  # no address, and none of this machine (RFC 5737)
def test_an_address_of_somebody_else_is_told_of(tmp_path: Path, capsys: pytest.CaptureFixture[str], host: str) -> None:
    assert main(["serve", str(tmp_path), "--no-open", "--host", host]) == 2
    told = capsys.readouterr().err.splitlines()[-1]
    assert told.startswith(f"scenthound: {host} port 8765 cannot be listened on: ")
    assert told.endswith("; --host takes an address of this machine")


def test_a_folder_that_is_not_there_is_told_of(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "my crawsl"
    assert main(["serve", str(folder), "--no-open"]) == 2
    told = capsys.readouterr().err
    assert told == f"scenthound: {folder} does not exist; to make crawls there in the window: mkdir -p '{folder}'\n"
    assert not folder.exists()
