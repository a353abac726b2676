"""Finds nginx for the test of the window behind a proxy, or gets it: `python -m tests.ui.nginx` is run by `make test`.

It runs with the lines that docs/how-to/use-the-window.md gives to users, on ports of loopback.
"""

import os
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

from tests.badweb.certificates import pem
from tests.ui.chromium import PROXY

MISSING: Final = (
    "no nginx was found: the test of the window behind a proxy DOES NOT RUN; install the package nginx-light"
)
_DOCS: Final = Path(__file__).parents[2] / "docs" / "how-to" / "use-the-window.md"
_AROUND: Final = """\
daemon off;
pid nginx.pid;
error_log stderr;
worker_processes 1;
USER
events {}
http {
    access_log off;
    client_body_temp_path body;
    proxy_temp_path proxy;
    fastcgi_temp_path fastcgi;
    uwsgi_temp_path uwsgi;
    scgi_temp_path scgi;
SERVER
}
"""


def nginx() -> str | None:
    """Return the program; Debian puts it where not every user looks."""
    return shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin")


def get() -> str | None:
    """Get it from Debian, where we may."""
    if os.geteuid() == 0 and shutil.which("apt-get"):
        command = ["apt-get", "install", "--yes", "--no-install-recommends", "nginx-light"]
        quiet = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
        subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=600, env=quiet)
    return nginx()


@contextmanager
def proxy(folder: Path, port: int) -> Iterator[str]:
    """Run nginx before a server on a port, and return its address, under PROXY."""
    program = nginx()
    if program is None:
        pytest.skip(MISSING)
    with socket.create_server(("127.0.0.1", 0)) as free:
        own = free.getsockname()[1]
    (folder / "own.pem").write_bytes(pem(expired=False))
    (folder / "nginx.conf").write_text(_configuration(own, port, folder / "own.pem"))
    command = [program, "-p", str(folder), "-c", str(folder / "nginx.conf"), "-e", "stderr"]
    with subprocess.Popen(command) as process:
        try:
            _wait_for(own, process)
            yield f"https://{PROXY}:{own}"
        finally:
            process.terminate()


def _configuration(own: int, port: int, certificate: Path) -> str:
    [server] = re.findall(r"```nginx\n(.*?)```", _DOCS.read_text(encoding="utf-8"), re.DOTALL)
    for theirs, ours in (
        ("listen 443 ssl", f"listen 127.0.0.1:{own} ssl"),
        ("/etc/ssl/crawls.pem", str(certificate)),
        ("/etc/ssl/crawls.key", str(certificate)),
        ("http://127.0.0.1:8765", f"http://127.0.0.1:{port}"),
    ):
        assert theirs in server, theirs
        server = server.replace(theirs, ours)
    return _AROUND.replace("USER", "user root;" if os.geteuid() == 0 else "").replace("SERVER", server)


def _wait_for(port: int, process: "subprocess.Popen[bytes]") -> None:
    end = time.monotonic() + 60
    while time.monotonic() < end:
        assert process.poll() is None, "nginx did not start"
        with socket.socket() as trial:
            if trial.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise AssertionError("nginx does not listen")


if __name__ == "__main__" and not (nginx() or get()):
    print(f"\n*** {MISSING} ***\n", file=sys.stderr)
