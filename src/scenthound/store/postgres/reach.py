"""Reaches the server of a crawl, or the one of several that is good for it: a standby takes no writes.

The driver can try several servers too, but a machine that is off answers nothing, and waiting for it would use up the
time that is there for all. And what it takes for a server that takes no writes may be a session of a reader of ours.
"""

import os
from collections.abc import Iterator
from decimal import Decimal
from typing import Final
from urllib.parse import parse_qs, urlsplit

import asyncpg

from scenthound.settings.server_url import ServerUrl

CONNECT: Final = 10.0  # seconds that all servers together may take to answer
LOST: Final = (
    OSError,
    asyncpg.InterfaceError,
    asyncpg.PostgresConnectionError,
    asyncpg.OperatorInterventionError,
    asyncpg.TooManyConnectionsError,
    asyncpg.IdleInTransactionSessionTimeoutError,  # the process was stopped in the middle of a transaction
    asyncpg.TargetServerAttributeNotMatched,  # a standby, which may soon be told to take writes
)
_SETTINGS: Final = {
    "jit": "off",  # compiling a statement takes longer than any of ours
    "application_name": "scenthound",
    "standard_conforming_strings": "on",
    # A machine that vanished is noticed within a minute, and its locks end then.
    "tcp_keepalives_idle": "20",
    "tcp_keepalives_interval": "10",
    "tcp_keepalives_count": "3",
}


class Reach:
    """The way to a server. It remembers which one was good, and tries that one first the next time."""

    def __init__(self, url: ServerUrl, *, read_only: bool) -> None:
        self._settings = _SETTINGS | {"search_path": f'"{url.schema}"'}
        if read_only:
            self._settings["default_transaction_read_only"] = "on"
        self._servers = url.servers
        self._kinds = _kinds(url, read_only=read_only)

    async def connect(self, *, timeout: float | None) -> "asyncpg.Connection[asyncpg.Record]":
        """Return a connection whose statements may take so long."""
        lost: dict[str, str] = {}
        for kind, server in self._tries():
            try:
                con = await self._connected(server, kind, timeout)
            except LOST as error:
                lost[server.shown] = _said(error, kind)
                continue
            self._servers.remove(server)
            self._servers.insert(0, server)
            return con
        told = lost.values() if len(lost) == 1 else [f"{_host(name)}: {said}" for name, said in lost.items()]
        raise ConnectionError("; ".join(told))

    def _tries(self) -> Iterator[tuple[str, ServerUrl]]:
        for kind in self._kinds:
            for server in tuple(self._servers):
                yield kind, server

    async def _connected(
        self, server: ServerUrl, kind: str, timeout: float | None
    ) -> "asyncpg.Connection[asyncpg.Record]":
        con: asyncpg.Connection[asyncpg.Record] = await asyncpg.connect(
            server.dsn,
            server_settings=self._settings,
            timeout=CONNECT / len(self._servers),
            command_timeout=timeout,
            statement_cache_size=0,
            target_session_attrs=kind,
        )
        # Sums of large numbers come as numeric, which would be Decimal here.
        await con.set_type_codec("numeric", schema="pg_catalog", encoder=str, decoder=_number, format="text")
        return con


def _kinds(url: ServerUrl, *, read_only: bool) -> tuple[str, ...]:
    """Return which kinds of server are good, the better ones first.

    Who writes needs one that takes writes, whatever the address says. A session that only reads is never read-write
    to the driver: it is the server that must be.
    """
    if not read_only:
        return ("read-write",)
    asked = parse_qs(urlsplit(url.dsn).query).get("target_session_attrs", [os.environ.get("PGTARGETSESSIONATTRS", "")])
    match asked[0]:
        case "read-write" | "primary":
            return ("primary",)
        case "standby" | "read-only":
            return ("standby",)
        case "prefer-standby":
            return ("standby", "any")
        case _:
            return ("any",)


def _host(shown: str) -> str:
    parts = urlsplit(shown)
    return parts.netloc.rpartition("@")[2] or parse_qs(parts.query).get("host", [""])[0]


def _said(error: Exception, kind: str) -> str:
    if isinstance(error, asyncpg.TargetServerAttributeNotMatched):
        return {"read-write": "it takes no writes", "primary": "it is a standby"}.get(kind, "it is no standby")
    return " ".join(str(error).split()) or "no answer"


def _number(text: str) -> float | int:
    value = Decimal(text)
    return int(value) if value == value.to_integral_value() else float(value)
