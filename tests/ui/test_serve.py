"""`scenthound serve`: who is let in, and what cannot be served, in one line that says what to do."""

import os
import signal
import socket
import stat
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, expect

from scenthound.cli.main import main
from tests.patience import PATIENCE, until
from tests.ui.in_browser import window


def test_a_port_in_use_is_told_of(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main(["serve", str(tmp_path), "--no-open", "--port", str(port)]) == 2
    told = capsys.readouterr().err.splitlines()[-1]
    assert told.endswith(f"127.0.0.1 port {port} is not available: Address already in use; --port 0 takes a free one")


@pytest.mark.slow
@pytest.mark.parametrize("host", ["256.1.1.1", "192.0.2.7"])  # no address, and none of this machine (RFC 5737)
def test_an_address_of_somebody_else_is_told_of(tmp_path: Path, capsys: pytest.CaptureFixture[str], host: str) -> None:
    assert main(["serve", str(tmp_path), "--no-open", "--host", host]) == 2
    told = capsys.readouterr().err.splitlines()[-1]
    assert told.startswith(f"scenthound: {host} port 8765 is not available: ")
    assert told.endswith("; --host takes an address of this machine")


def test_a_folder_that_is_not_there_is_told_of(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "my crawsl"
    assert main(["serve", str(folder), "--no-open"]) == 2
    told = capsys.readouterr().err
    assert told == f"scenthound: {folder} does not exist; to make crawls there in the window: mkdir -p '{folder}'\n"
    assert not folder.exists()


@pytest.mark.slow
def test_without_the_link_that_is_printed_nobody_of_this_machine_comes_in(tmp_path: Path) -> None:
    with window(tmp_path, "--token") as printed:
        home, _, token = printed.partition("?token=")
        assert len(token) >= 32
        with httpx.Client(base_url=home, trust_env=False, timeout=PATIENCE) as stranger:
            assert stranger.get("/api/crawls").status_code == 401
            assert stranger.get("/").headers["location"] == "/enter"
            assert stranger.patch("/api/crawls/x/settings", json={}).status_code == 401
        with httpx.Client(base_url=home, trust_env=False, timeout=PATIENCE, follow_redirects=True) as owner:
            entered = owner.get(f"/?token={token}")
            assert (entered.status_code, str(entered.url)) == (200, home)
            assert owner.get("/api/crawls").json() == []


@pytest.mark.slow
def test_the_browser_is_opened_logged_in_and_nobody_sees_the_token_among_the_processes(
    browser: Browser, tmp_path: Path
) -> None:
    shown = tmp_path / "shown"
    script = tmp_path / "browser"
    script.write_text(f'#!/bin/sh\necho "$@" > {shown}.part && mv {shown}.part {shown}\n')
    script.chmod(0o755)
    environment = os.environ | {"DISPLAY": ":0", "BROWSER": str(script), "XDG_STATE_HOME": str(tmp_path / "state")}
    (tmp_path / "crawls").mkdir()
    command = [sys.executable, "-m", "scenthound", "serve", str(tmp_path / "crawls"), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout is not None
        home, _, token = process.stdout.readline().strip().rpartition(" ")[2].partition("?token=")
        try:
            assert until(shown.exists)
            address = shown.read_text().strip()
            file = Path(address.removeprefix("file://"))
            assert (token in address, token in file.read_text()) == (False, True)
            assert stat.S_IMODE(file.stat().st_mode) == 0o600
            page = browser.new_context().new_page()
            page.goto(address)
            expect(page.get_by_text("No crawl yet")).to_be_visible()
            assert page.url == home
        finally:
            process.send_signal(signal.SIGINT)
    assert not file.exists()


def test_a_token_is_asked_for_unless_it_is_refused_and_then_never_beyond_this_machine(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["serve", str(tmp_path), "--no-open", "--no-token", "--host", "0.0.0.0"]) == 2
    told = capsys.readouterr().err.splitlines()[-1]
    assert told == "scenthound: --no-token works only on this machine; remove it or --host"
