"""Finds PostgreSQL for the tests of the store on a server, or gets it: `python -m tests.store.postgres_server` is run
by `make test`.

A server of its own runs in a temporary folder, on a socket there and on no port, and does not wait for the disk.
"""

import os
import pwd
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any, Final

import pytest

from scenthound.settings.server_url import ServerUrl
from scenthound.store.postgres.store import PostgresStore
from tests.patience import PATIENCE

MISSING: Final = (
    "no PostgreSQL was found: the tests of the store on a server DO NOT RUN; install the package postgresql"
)
_NAMES: Final = count(1)
# Users of these names have no password here, and one has.
_ACCESS: Final = """\
local all careful scram-sha-256
local all all trust
"""


def programs() -> Path | None:
    """Return the folder with the server's programs; Debian puts them where nobody looks."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    on_path = shutil.which("initdb")
    return found[-1].parent if found else Path(on_path).parent if on_path else None


def get() -> Path | None:
    """Get it from Debian, where we may."""
    if os.geteuid() == 0 and shutil.which("apt-get"):
        command = ["apt-get", "install", "--yes", "--no-install-recommends", "postgresql"]
        quiet = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
        subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=600, env=quiet)
    return programs()


@dataclass(slots=True, kw_only=True)
class Server:
    """A server for tests: where its socket is, and the way to stop it and start it again."""

    folder: Path
    programs: Path
    more: tuple[str, ...] = ()  # settings of the server
    port: int = 5432  # names the socket; without listen_addresses nothing listens on it
    process: "subprocess.Popen[bytes] | None" = None

    def url(self, crawl: str, *, user: str = "scent", more: str = "") -> str:
        return f"postgresql://{user}@/postgres?host={self.folder}&crawl={crawl}{more}"

    def new_url(self) -> str:
        """Return the address of a crawl that is not there yet."""
        return self.url(f"crawl_{os.getpid()}_{next(_NAMES)}")

    def start(self) -> None:
        options = [
            "listen_addresses=",
            f"port={self.port}",
            f"unix_socket_directories={self.folder}",
            "fsync=off",
            "full_page_writes=off",
        ]
        command = [str(self.programs / "postgres"), "-D", str(self.folder / "data")]
        log = (self.folder / "log").open("ab")
        with log:
            more = [part for option in (*options, *self.more) for part in ("-c", option)]
            self.process = subprocess.Popen([*command, *more], stdout=log, stderr=log, cwd="/", **as_somebody())
        self._wait()

    def stop(self, *, kill: bool = False) -> None:
        """End the server as for a restart, or as when its machine dies."""
        if self.process is not None:
            self.process.send_signal(3 if kill else 2)  # immediately, or without waiting for clients
            self.process.wait()
            self.process = None

    def psql(self, text: str) -> str:
        command = [
            str(self.programs / "psql"), "-h", str(self.folder), "-p", str(self.port), "-U", "scent", "-X", "-A", "-t", "-v",
            "ON_ERROR_STOP=1", "-c", text,
        ]  # fmt: skip
        return subprocess.run([*command, "postgres"], check=True, capture_output=True, text=True).stdout.strip()

    def _wait(self) -> None:
        end = time.monotonic() + PATIENCE
        command = [str(self.programs / "pg_isready"), "-q", "-h", str(self.folder), "-p", str(self.port)]
        while subprocess.run(command).returncode:
            assert self.process is not None
            assert self.process.poll() is None, (self.folder / "log").read_text()
            assert time.monotonic() < end, "PostgreSQL does not answer"
            time.sleep(0.05)


_SHARED: Final[ExitStack] = ExitStack()
_SERVERS: Final[list[Server]] = []
_STORES: Final[dict[str, PostgresStore]] = {}


def shared_server() -> Server:
    """Return the server that all tests of this process share, started by the first."""
    if not _SERVERS:
        _SERVERS.append(_SHARED.enter_context(running_server()))
    return _SERVERS[0]


def close() -> None:
    """End the server that tests share."""
    _SERVERS.clear()
    _STORES.clear()
    _SHARED.close()


@contextmanager
def emptied_store(crawl: str = "emptied", *, bad_after: int = 3) -> Iterator[PostgresStore]:
    """Return a store with nothing in it, open and with prepared statements: both take longer than most tests."""
    if crawl not in _STORES:
        url = ServerUrl.read(shared_server().url(crawl))
        _STORES[crawl] = _SHARED.enter_context(PostgresStore(url, bad_after=bad_after))
    _STORES[crawl].empty()
    yield _STORES[crawl]


@contextmanager
def running_server(*more: str, port: int = 5432, access: str = "") -> Iterator[Server]:
    """Run a server, or skip the test. `more` are settings, `access` lines of pg_hba.conf."""
    where = programs()
    if where is None:
        pytest.skip(MISSING)
    with own_folder() as folder:
        server = Server(folder=folder, programs=where, more=more, port=port)
        try:
            _make(server)
            with (server.folder / "data" / "pg_hba.conf").open("a") as rules:
                rules.write(access)
            server.start()
            yield server
        finally:
            server.stop(kill=True)


@contextmanager
def own_folder() -> Iterator[Path]:
    """Make a folder for a server. Not under pytest's: that belongs to us alone, and the server refuses to run as root."""
    folder = Path(tempfile.mkdtemp(prefix="scenthound-pg-"))
    if os.geteuid() == 0:
        os.chown(folder, _somebody().pw_uid, _somebody().pw_gid)
    folder.chmod(0o755)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _make(server: Server) -> None:
    command = [str(server.programs / "initdb"), "-D", str(server.folder / "data"), "-U", "scent", "-E", "UTF8"]
    command += ["--locale=C", "-A", "trust", "--no-sync"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd="/", **as_somebody())
    (server.folder / "data" / "pg_hba.conf").write_text(_ACCESS)


def as_somebody() -> dict[str, Any]:
    """Return how to start a program as a user that is not root."""
    if os.geteuid() != 0:
        return {}
    return {"user": _somebody().pw_uid, "group": _somebody().pw_gid, "extra_groups": []}


def _somebody() -> pwd.struct_passwd:
    """Return a user that is not root."""
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    raise AssertionError("no user but root")


if __name__ == "__main__" and not (programs() or get()):
    print(f"\n*** {MISSING} ***\n", file=sys.stderr)
