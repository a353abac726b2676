"""An address with several servers: writers go to the one that takes writes, readers to the kind that they ask for."""

import socket
from collections.abc import Iterator
from contextlib import closing

import pytest

from scenthound.errors import LostServerError
from scenthound.settings.server_url import ServerUrl
from scenthound.store.postgres.question import ask_server
from scenthound.store.postgres.store import PostgresStore
from tests.store.small_world import found
from tests.store.standby_pair import StandbyPair, standby_pair

pytestmark = pytest.mark.slow
READ_WRITE = "&target_session_attrs=read-write"
IS_STANDBY = "SELECT pg_is_in_recovery()"


@pytest.fixture(scope="module")
def pair() -> Iterator[StandbyPair]:
    with standby_pair() as servers:
        servers.wait_for_copy()
        with PostgresStore(ServerUrl.read(servers.url("birds"))) as store:
            store.add([found("http://a.test/")], now=0.0)
        yield servers


def turned(pair: StandbyPair, more: str) -> ServerUrl:
    """Return the address with the standby before the first server."""
    return ServerUrl.read(StandbyPair(pair.standby, pair.primary).url("birds", more=more))


@pytest.mark.parametrize("more", [READ_WRITE, "", "&target_session_attrs=any", "&target_session_attrs=standby"])
def test_who_writes_finds_the_server_that_takes_writes(pair: StandbyPair, more: str) -> None:
    with PostgresStore(turned(pair, more), engine="one") as store:
        store.note("written", more)
        assert store.note("written") == more
        assert store.session.con.execute(IS_STANDBY).fetchone() == (False,)


@pytest.mark.parametrize(
    ("more", "standby"),
    [
        (READ_WRITE, False),
        ("&target_session_attrs=primary", False),
        ("", True),  # the first of the address
        ("&target_session_attrs=standby", True),
        ("&target_session_attrs=prefer-standby", True),
    ],
)
def test_who_reads_finds_the_kind_of_server_that_the_address_names(pair: StandbyPair, more: str, standby: bool) -> None:
    with PostgresStore(turned(pair, more), read_only=True) as store:
        assert store.census(now=0.0).known == 1
        assert store.session.con.execute(IS_STANDBY).fetchone() == (standby,)
    assert list(ask_server(turned(pair, more), IS_STANDBY, seconds=5.0).rows) == [(standby,)]


def test_a_server_that_says_nothing_does_not_use_up_the_time_of_the_other(pair: StandbyPair) -> None:
    """A machine that is off refuses nothing: whoever asks it only waits."""
    with closing(socket.create_server(("127.0.0.1", 0))) as silent:
        first = f"127.0.0.1:{silent.getsockname()[1]},127.0.0.1:{pair.primary.port}"
        with PostgresStore(ServerUrl.read(f"postgresql://scent@{first}/postgres?crawl=birds")) as store:
            assert store.census(now=0.0).known == 1


def test_a_standby_alone_counts_as_a_server_that_is_away(pair: StandbyPair) -> None:
    alone = ServerUrl.read(f"postgresql://scent@127.0.0.1:{pair.standby.port}/postgres?crawl=birds")
    with pytest.raises(LostServerError, match="it takes no writes"), PostgresStore(alone, engine="one"):
        pass
