"""Tables whose rows change all the time stay of a bounded size on a server, by vacuum and room on their pages."""

from collections.abc import Iterator
from contextlib import closing

import pytest

from scenthound.settings.server_url import ServerUrl
from scenthound.store.postgres.connection import PostgresConnection
from scenthound.store.postgres.store import PostgresStore
from tests.patience import until
from tests.store.postgres_server import Server, running_server
from tests.store.small_world import found

pytestmark = pytest.mark.slow
HOSTS = 1_000
HOT = ("hosts", "standings", "claims", "counters")
LARGE = ("hosts", "standings", "claims")
FEW = 10  # rounds between two looks at the vacuum
# What claims and records change of every row, without the messages in between: as an engine that asks all hosts at once.
_ROUND = """
UPDATE hosts SET due = due + 1, busy = 1 - busy, waiting = waiting + 1, pages = pages + 1,
    state = CASE state WHEN 'ready' THEN 'resting' ELSE 'ready' END, best_priority = best_priority + 0.001;
UPDATE standings SET state = 1 - state, priority = priority + 0.001;
INSERT INTO claims (url_id, host_id, key, owner, until, paced, errand)
    SELECT id, host_id, key, 'one', 1.0, 1.0, 'page' FROM standings;
DELETE FROM claims;
UPDATE counters SET value = value + 1"""


@pytest.fixture
def server() -> Iterator[Server]:
    """A server that looks every second whether a table wants vacuum, and not once a minute."""
    with running_server("autovacuum_naptime=1s", "autovacuum_vacuum_cost_delay=0") as server:
        yield server


def sizes(server: Server, schema: str) -> dict[str, int]:
    """Return the bytes of each hot table, indexes included."""
    tables = ",".join(f"('{table}')" for table in HOT)
    asked = f"SELECT t, pg_total_relation_size('{schema}.' || t) FROM (VALUES {tables}) v (t)"
    rows = (line.split("|") for line in server.psql(asked).splitlines())
    return {name: int(size) for name, size in rows}


def vacuums(server: Server, schema: str) -> dict[str, int]:
    """Return how often each large table was vacuumed."""
    where = f"WHERE schemaname = '{schema}'"
    asked = f"SELECT relname, autovacuum_count FROM pg_sleep(0.2), pg_stat_user_tables {where}"
    rows = (line.split("|") for line in server.psql(asked).splitlines())
    return {name: int(times) for name, times in rows if name in LARGE}


def work(server: Server, url: ServerUrl, rounds: int) -> None:
    """Change all rows in each round. Every few rounds vacuum has been there: on a busy machine that takes its time."""
    for _ in range(rounds // FEW):
        before = vacuums(server, url.schema)

        def has_been_there(before: dict[str, int] = before) -> bool:
            after = vacuums(server, url.schema)
            return all(after[name] > before[name] for name in LARGE)

        con = PostgresConnection(url, read_only=False)
        con.open()
        with closing(con):  # the server hears of dead rows at the end
            for _ in range(FEW):
                con.executescript(_ROUND)
        assert until(has_been_there)


def test_tables_stay_of_a_bounded_size_under_many_updates(server: Server) -> None:
    url = ServerUrl.read(server.new_url())
    with PostgresStore(url) as store:
        store.add([found(f"http://h{number}.test/") for number in range(HOSTS)], now=0.0)
    work(server, url, 40)
    before = sizes(server, url.schema)
    work(server, url, 120)
    after = sizes(server, url.schema)
    # 120 rounds write 120,000 versions of rows of each large table, of 100 bytes and more, and of their indexes: three
    # times what the first 40 left, were it not for vacuum.
    for table, size in after.items():
        assert size <= 1.5 * before[table] + 500_000, (table, before, after)
