"""What a page costs on a PostgreSQL server on the same machine, beside SQLite, and how long a move takes.

Stores with many waiting URLs are made in SQLite and moved to a server, there and back. Both then do the same work in
turns: claim twenty pages, record them with 25 links each, nine of them new; or with forty, fifteen of them new. Times are
those of processors: of this process, and of the server's process for our connection. The server syncs nothing (fsync
off), so the disk is left out on both sides. One size by hand: `python -m bench.server_store --urls 1000000`.
"""

import argparse
import random
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from bench.figures import Figure, Report, at_least, at_most
from bench.frontier_scale import BATCH, LINKS, NEW, Rival, build
from scenthound.settings.server_url import ServerUrl
from scenthound.store.postgres.connection import PostgresConnection
from scenthound.store.postgres.store import PostgresStore
from scenthound.store.sqlite.store import SqliteStore, SqlStore
from scenthound.store.store_place import reader_at
from scenthound.store.transfer.copy_store import Step, copy_store
from tests.store.postgres_server import MISSING, Server, programs, running_server

SIZES, QUICK_SIZES = (100_000, 1_000_000), (20_000,)
PAGES = ((25, 9), (LINKS, NEW))  # links of a page, and how many of them are new; the first are asked for
BATCHES, QUICK_BATCHES = 60, 10


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
    times = [figure.value for figure in figures if figure.name.endswith(f"{PAGES[0][0]} links: server's time a page")]
    if len(times) > 1:
        figures.append(
            Figure(
                name="server's time a page, largest size of smallest", value=times[-1] / times[0], goal=at_most(1.33)
            )
        )
    return Report(figures=tuple(figures))


def _measure(server: Server, path: Path, waiting: int, batches: int) -> list[Figure]:
    build(path, waiting)
    url = ServerUrl.read(server.new_url())
    there, rows = _moved(path, url)
    back, _ = _moved(url, path.with_suffix(".back"))
    with SqliteStore(path) as file, PostgresStore(url) as store:
        here, remote = (Rival(store=one, waiting=waiting, now=1.0, chance=random.Random(1)) for one in (file, store))
        kinds = []
        for here.links, here.new in PAGES:
            remote.links, remote.new = here.links, here.new
            kinds.append((here.links, *_in_turns(here, remote, backend_of(store), batches)))
    size = f"{waiting:,} URLs"
    return [
        Figure(name=f"{size}: move of {rows:,} rows to the server, compared, our time", value=there, unit="s"),
        Figure(name=f"{size}: move back, our time", value=back, unit="s"),
        *(figure for kind in kinds for figure in _costs(f"{size}, {kind[0]} links", *kind[1:], goals=kind is kinds[0])),
        *_bytes(url, size),
    ]


def _costs(what: str, here: Cost, remote: Cost, *, goals: bool) -> Iterator[Figure]:
    """Yield what a page costs; the goals are for pages of 25 links."""
    yield Figure(
        name=f"{what}: server's time a page", value=remote.server, unit="ms", goal=at_most(1) if goals else None
    )
    yield Figure(name=f"{what}: messages a page", value=remote.messages)
    yield Figure(name=f"{what}: our time a page", value=remote.own, unit="ms")
    yield Figure(name=f"{what}: our time a page with SQLite", value=here.own, unit="ms")
    yield Figure(
        name=f"{what}: pages for the same time of our process, of those with SQLite",
        value=here.own / remote.own,
        goal=at_least(0.6) if goals else None,
    )


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
        before, sent = processor_time(backend), con.messages
        with _counted(spent, "remote"):
            remote.work()
        spent["server"] += processor_time(backend) - before
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


def backend_of(store: SqlStore) -> int:
    """Return the process of the server for the connection of a store."""
    with store.session.snapshot() as con:
        return int(con.execute("SELECT pg_backend_pid()").fetchone()[0])


def processor_time(process: int) -> float:
    """Return the seconds of processor time that a process has taken, to the nanosecond."""
    return int(Path(f"/proc/{process}/schedstat").read_text().split()[0]) / 1e9


def _bytes(url: ServerUrl, size: str) -> Iterator[Figure]:
    with closing(reader_at(url)) as con:
        for what, tables, rows in (("URL", ("finds", "standings"), "finds"), ("link", ("links",), "links")):
            held = sum(con.execute(f"SELECT pg_total_relation_size('{table}')").fetchone()[0] for table in tables)
            [number] = con.execute(f"SELECT count(*) FROM {rows}").fetchone()
            yield Figure(name=f"{size}: bytes a {what}, indexes included", value=held / max(1, number))


def main() -> None:
    """Measure one size."""
    parser = argparse.ArgumentParser(prog="python -m bench.server_store", description=str(__doc__).splitlines()[0])
    parser.add_argument("--urls", type=int, default=QUICK_SIZES[0])
    parser.add_argument("--batches", type=int, default=BATCHES)
    asked = parser.parse_args()
    with running_server() as server, tempfile.TemporaryDirectory() as folder:
        for figure in _measure(server, Path(folder) / "store.db", asked.urls, asked.batches):
            print(f"{figure.name}: {figure.value:,.3g} {figure.unit} {figure.verdict}".rstrip(), flush=True)


if __name__ == "__main__":
    main()
