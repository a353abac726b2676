"""A PostgreSQL server with a standby that follows it, both on loopback: the first can die, the second take its place."""

import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.patience import PATIENCE
from tests.store.postgres_server import Server, as_somebody, own_folder, running_server

_ACCESS: Final = """\
host all all 127.0.0.1/32 trust
host replication all 127.0.0.1/32 trust
"""


@dataclass(frozen=True, slots=True)
class StandbyPair:
    """Use `fail_over` once: then the standby is the only server."""

    primary: Server
    standby: Server

    def url(self, crawl: str, *, more: str = "&target_session_attrs=read-write") -> str:
        hosts = ",".join(f"127.0.0.1:{server.port}" for server in (self.primary, self.standby))
        return f"postgresql://scent@{hosts}/postgres?crawl={crawl}{more}"

    def wait_for_copy(self) -> None:
        """Let each commit of the first server wait until the second one has it on disk."""
        self.primary.psql("ALTER SYSTEM SET synchronous_standby_names = '*'")
        self.primary.psql("SELECT pg_reload_conf()")
        end = time.monotonic() + PATIENCE
        while self.primary.psql("SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'") != "1":
            assert time.monotonic() < end, "the standby does not follow"
            time.sleep(0.1)

    def kill_primary(self) -> None:
        """End all processes of the first server at once, as when its machine loses power."""
        process = self.primary.process
        assert process is not None
        process.send_signal(signal.SIGSTOP)  # it would start others anew
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        for child in map(int, children):
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
        process.kill()
        process.wait()
        self.primary.process = None

    def promote(self) -> None:
        """Let the second server take writes."""
        assert self.standby.psql("SELECT pg_promote()") == "t"


@contextmanager
def standby_pair() -> Iterator[StandbyPair]:
    """Run both servers, or skip the test."""
    settings = ("listen_addresses=127.0.0.1", "wal_level=replica")
    with running_server(*settings, port=free_port(), access=_ACCESS) as primary, own_folder() as folder:
        standby = Server(folder=folder, programs=primary.programs, more=settings, port=free_port())
        command = [str(primary.programs / "pg_basebackup"), "-h", "127.0.0.1", "-p", str(primary.port), "-U", "scent"]
        command += ["-D", str(folder / "data"), "--write-recovery-conf", "--checkpoint=fast", "--no-sync"]
        subprocess.run(command, check=True, cwd="/", capture_output=True, **as_somebody())
        (folder / "data").chmod(0o700)
        try:
            standby.start()
            yield StandbyPair(primary, standby)
        finally:
            standby.stop(kill=True)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as one:
        return int(one.getsockname()[1])
