"""What a page costs on a PostgreSQL server on the same machine, beside SQLite, and how long a move takes.

Stores with many waiting URLs are made in SQLite and moved to a server, there and back. Both then do the same work in
turns: claim twenty pages, record them with forty links each. Times are those of processors: of this process, and of the
server's process for our connection. The server syncs nothing (fsync off), so the disk is left out on both sides.
"""

import os
import random
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from bench.figures import Figure, Report, at_least, at_most
from bench.frontier_scale import BATCH, LINKS, Rival, build
from scenthound.settings.server_url import ServerUrl
from scenthound.store.postgres.connection import PostgresConnection
from scenthound.store.postgres.store import PostgresStore
from scenthound.store.sqlite.store import SqliteStore, SqlStore
from scenthound.store.store_place import reader_at
from scenthound.store.transfer.copy_store import Step, copy_store
from tests.store.postgres_server import MISSING, Server, programs, running_server

SIZES, QUICK_SIZES = (100_000, 1_000_000), (20_000,)
BATCHES, QUICK_BATCHES = 60, 10
_TICK = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """Milliseconds a page: of our process, and of the server's; and messages to the server."""

    own: float
    server: float = 0.0
    messages: float = 0.0


def run(*, quick: bool = False) -> Report:
    """Measure stores of each size."""
    if programs() is None:
        return Report(skipped=MISSING)
    figures: list[Figure] = []
    with running_server() as server, tempfile.TemporaryDirectory() as folder:
        for waiting in QUICK_SIZES if quick else SIZES:
            batches = QUICK_BATCHES if quick else BATCHES
            figures += _measure(server, Path(folder) / f"{waiting}.db", waiting, batches)
    return Report(figures=tuple(figures))


def _measure(server: Server, path: Path, waiting: int, batches: int) -> list[Figure]:
    build(path, waiting)
    url = ServerUrl.read(server.new_url())
    there, rows = _moved(path, url)
    back, _ = _moved(url, path.with_suffix(".back"))
    with SqliteStore(path) as file, PostgresStore(url) as store:
        here, remote = (Rival(store=one, waiting=waiting, now=1.0, chance=random.Random(1)) for one in (file, store))
        backend = _backend(store)
        costs = _in_turns(here, remote, backend, batches)
    size = f"{waiting:,} URLs"
    return [
        Figure(name=f"{size}: move of {rows:,} rows to the server, compared, our time", value=there, unit="s"),
        Figure(name=f"{size}: move back, our time", value=back, unit="s"),
        Figure(
            name=f"{size}: server's time a page of {LINKS} links", value=costs[1].server, unit="ms", goal=at_most(1)
        ),
        Figure(name=f"{size}: messages a page", value=costs[1].messages),
        Figure(name=f"{size}: our time a page", value=costs[1].own, unit="ms"),
        Figure(name=f"{size}: our time a page with SQLite", value=costs[0].own, unit="ms"),
        Figure(
            name=f"{size}: pages for the same time of our process, of those with SQLite",
            value=costs[0].own / costs[1].own,
            goal=at_least(0.6),
        ),
        *_bytes(url, size),
    ]


def _moved(source: Path | ServerUrl, target: Path | ServerUrl) -> tuple[float, int]:
    began = time.process_time()
    copied = copy_store(source, target, say=_silent)
    return time.process_time() - began, copied.rows


def _silent(_: Step) -> None:
    pass


def _in_turns(here: Rival, remote: Rival, backend: int, batches: int) -> tuple[Cost, Cost]:
    con, messages = _connection(remote.store), 0
    spent = {"here": 0.0, "remote": 0.0, "server": 0.0}
    for rival in (here, remote):  # statements are prepared once
        rival.work()
    for _ in range(batches):
        with _counted(spent, "here"):
            here.work()
        before, sent = _processor_time(backend), con.messages
        with _counted(spent, "remote"):
            remote.work()
        spent["server"] += _processor_time(backend) - before
        messages += con.messages - sent
    each = {name: 1000 * seconds / (batches * BATCH) for name, seconds in spent.items()}
    return Cost(own=each["here"]), Cost(
        own=each["remote"], server=each["server"], messages=messages / (batches * BATCH)
    )


@contextmanager
def _counted(spent: dict[str, float], name: str) -> Iterator[None]:
    began = time.process_time()
    yield
    spent[name] += time.process_time() - began


def _connection(store: SqlStore) -> PostgresConnection:
    con: object = store.session.con
    assert isinstance(con, PostgresConnection)
    return con


def _backend(store: SqlStore) -> int:
    with store.session.snapshot() as con:
        return int(con.execute("SELECT pg_backend_pid()").fetchone()[0])


def _processor_time(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICK


def _bytes(url: ServerUrl, size: str) -> Iterator[Figure]:
    with closing(reader_at(url)) as con:
        for what, tables, rows in (("URL", ("finds", "standings"), "finds"), ("link", ("links",), "links")):
            held = sum(con.execute(f"SELECT pg_total_relation_size('{table}')").fetchone()[0] for table in tables)
            [number] = con.execute(f"SELECT count(*) FROM {rows}").fetchone()
            yield Figure(name=f"{size}: bytes a {what}, indexes included", value=held / max(1, number))
