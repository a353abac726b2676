"""The guarded way to a server: every name and every address passes the guard before a packet leaves.

The last check is in the socket factory, on the very address of the connection. A name that changes its address between
check and use (DNS rebinding) finds no gap there. Literal addresses, for which aiohttp asks no resolver, pass the same
place.
"""

import errno
import socket
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from aiohttp.abc import AbstractResolver, ResolveResult

from scenthound.fetch.guard import Guard
from scenthound.fetch.names import NameMemory, WrittenNames, few_of_each


@dataclass(slots=True, kw_only=True)
class Journey:
    """Notes on the way of one request to its server."""

    host: str
    looked_up: bool = False
    fresh: bool = False  # it has a new connection; otherwise it used a kept one
    refused: str = ""  # an address that the guard refused
    may_send: Callable[[], bool] = lambda: True  # asked when there is a connection


class RefusedAddressError(OSError):
    """The guard's refusal, an OSError so that aiohttp tries the name's next address."""

    def __init__(self, address: str) -> None:
        super().__init__(errno.EACCES, f"{address} is not a public address")


# aiohttp gives a socket factory an address without the request; the journey of the current task fills the gap.
JOURNEY: ContextVar[Journey] = ContextVar("journey")


class Doorkeeper(AbstractResolver):
    """Resolves names to permitted addresses, and makes sockets for permitted addresses only."""

    def __init__(self, *, guard: Guard, written: WrittenNames, memory: NameMemory) -> None:
        self._guard = guard
        self._written = written
        self._memory = memory

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """Return the addresses to try for a name; part of aiohttp's resolver protocol."""
        endpoint = self._written.find(host)
        if endpoint is not None:
            return [_result(host, endpoint.address, endpoint.port or port)]
        addresses = await self._memory.addresses(host)
        JOURNEY.get().looked_up = True
        permitted = tuple(address for address in addresses if self.permits(address, host))
        if not permitted:
            raise self._refusal(addresses[0])
        return [_result(host, address, port) for address in few_of_each(permitted)]

    async def close(self) -> None:
        await self._memory.close()

    def socket(self, info: tuple[Any, ...]) -> socket.socket:
        """Make the socket for an address, or refuse."""
        family, kind, protocol, _, (address, *_) = info
        journey = JOURNEY.get()
        journey.fresh = True
        if not self.permits(address, journey.host):
            raise self._refusal(address)
        return socket.socket(family, kind, protocol)

    def permits(self, address: str, host: str) -> bool:
        """Tell whether an address is allowed for a host: by the user's table, or by the guard."""
        endpoint = self._written.find(host)
        return (endpoint is not None and endpoint.address == address) or self._guard.permits(address, host)

    def _refusal(self, address: str) -> RefusedAddressError:
        JOURNEY.get().refused = address
        return RefusedAddressError(address)


def _result(host: str, address: str, port: int) -> ResolveResult:
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    return ResolveResult(hostname=host, host=address, port=port, family=family, proto=0, flags=socket.AI_NUMERICHOST)
