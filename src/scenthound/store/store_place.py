"""The one way into a crawl's store, wherever it is: a file of SQLite, or a schema of a PostgreSQL server.

The driver of PostgreSQL is an extra and takes a tenth of a second to import, so that it is imported when it is needed.
"""

import sqlite3
from contextlib import closing
from pathlib import Path

from scenthound.errors import StoreError
from scenthound.settings.server_url import ServerUrl, is_server_url
from scenthound.store.sqlite.connection import open_reader
from scenthound.store.sqlite.store import SqliteStore, SqlStore

Place = Path | ServerUrl
_MISSING = (
    "a crawl on a PostgreSQL server needs the package asyncpg; install it with: pip install 'scenthound[postgres]'"
)


def place_of(text: str) -> Place:
    """Read where a store is, as `words_for` writes it."""
    return ServerUrl.read(text) if is_server_url(text) else Path(text)


def words_for(place: Place) -> str:
    """Write where a store is, for a process of our own: over a pipe, because the address may have a password."""
    return place.text if isinstance(place, ServerUrl) else str(place.absolute())


def shown_place(place: Place) -> str:
    """Write where a store is for people, without a password."""
    return place.shown if isinstance(place, ServerUrl) else str(place)


def is_there(place: Place) -> bool:
    """Tell whether there is a store."""
    if isinstance(place, Path):
        return place.exists()
    need_driver()
    from scenthound.store.postgres.connection import PostgresConnection
    from scenthound.store.postgres.session import exists

    con = PostgresConnection(place, read_only=True)
    con.open()
    with closing(con):
        return exists(con)


def store_at(
    place: Place, *, read_only: bool = False, bad_after: int = 3, engine: str = "", lease: float = 30.0
) -> SqlStore:
    """Return the store, to be used in a `with`; unless it is only read, it is made if it is not there.

    With `engine`, the name of this process, it shares a store on a server with other engines. They take over when it
    has given no sign of life for `lease` seconds.
    """
    if isinstance(place, Path):
        return SqliteStore(place, read_only=read_only, bad_after=bad_after)
    need_driver()
    from scenthound.store.postgres.store import PostgresStore

    return PostgresStore(place, read_only=read_only, bad_after=bad_after, engine=engine, lease=lease)


def reader_at(place: Place) -> sqlite3.Connection:
    """Open a connection for questions; it may write into tables of its own (TEMP), as the distiller does."""
    if isinstance(place, Path):
        return open_reader(place)
    need_driver()
    from scenthound.store.postgres.connection import PostgresConnection
    from scenthound.store.postgres.session import check_version

    con = PostgresConnection(place, read_only=False)
    con.open()
    try:
        check_version(con)
    except BaseException:
        con.close()
        raise
    return con.as_sqlite()


def is_on_server(con: object) -> bool:
    """Tell whether a connection for questions leads to a server."""
    return not isinstance(con, sqlite3.Connection)


def need_driver() -> None:
    """Say how to install the driver if it is missing."""
    try:
        import asyncpg  # noqa: F401
    except ModuleNotFoundError:
        raise StoreError(_MISSING) from None
