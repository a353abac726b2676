"""From host names to addresses: the user's own table, and DNS with a cache.

Lookups run in parallel, each in a thread of a bounded pool, and simultaneous lookups of one name share one. We prefer
threads around the system's resolver to c-ares, because they follow nsswitch and /etc/hosts as every other program does,
and a crawl looks up each name once in five minutes.
"""

import asyncio
import socket
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from ipaddress import ip_address
from types import TracebackType
from typing import Self

from scenthound.clock import Clock
from scenthound.errors import SettingError
from scenthound.fetch.guard import patterns_of

# From a name to its addresses; raises OSError (socket.gaierror) if there are none.
Lookup = Callable[[str], Awaitable[tuple[str, ...]]]

# getaddrinfo does not return the time to live; five minutes is a common value.
_REMEMBER = 300.0
# Seconds before a failed name is tried again: long enough to spare the resolver, shorter than a crawl's retry.
_REMEMBER_FAILURE = 30.0
_REMEMBER_NAMES = 50_000
# Addresses to try of each family. A name with hundreds of addresses must not cause hundreds of connections.
_TRIED = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """The user's target for a name: an address, and a port if not the URL's own."""

    address: str
    port: int | None


class WrittenNames:
    """The `fetch.resolve` table: names with their addresses, used instead of DNS. Exact names win over wildcards.

    >>> names = WrittenNames({"*.demo.test": "127.0.0.1:8080", "v6.demo.test": "[::1]:81"})
    >>> names.find("shop.demo.test")
    Endpoint(address='127.0.0.1', port=8080)
    >>> names.find("v6.demo.test").port, names.find("demo.test")
    (81, None)
    """

    def __init__(self, table: Mapping[str, str]) -> None:
        self._table = {name.lower().rstrip("."): _endpoint(name, value) for name, value in table.items()}

    def find(self, host: str) -> Endpoint | None:
        """Return the most exact entry that covers a host name, or None."""
        if not self._table:
            return None
        name = host.lower().rstrip(".")
        return next((self._table[pattern] for pattern in patterns_of(name) if pattern in self._table), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Answer:
    expires: float
    addresses: tuple[str, ...] = ()
    errno: int = 0
    trouble: str = ""


class NameMemory:
    """Caches lookups, including failures; simultaneous lookups of a name share one."""

    def __init__(self, lookup: Lookup, clock: Clock) -> None:
        self._lookup = lookup
        self._clock = clock
        self._answers: dict[str, _Answer] = {}
        self._pending: dict[str, asyncio.Task[_Answer]] = {}

    async def addresses(self, name: str) -> tuple[str, ...]:
        """Return the addresses of a name, or raise `socket.gaierror`."""
        answer = self._answers.get(name)
        if answer is None or answer.expires <= self._clock.now():
            answer = await self._ask(name)
        if not answer.addresses:
            raise socket.gaierror(answer.errno, answer.trouble or "no address")
        return answer.addresses

    async def close(self) -> None:
        """Cancel the lookups under way."""
        pending = list(self._pending.values())
        for task in pending:
            task.cancel()
        await asyncio.gather(*pending, return_exceptions=True)

    async def _ask(self, name: str) -> _Answer:
        task = self._pending.get(name)
        if task is None:
            task = self._pending[name] = asyncio.create_task(self._look_up(name))
            task.add_done_callback(lambda _: self._pending.pop(name, None))
        # One impatient caller must not take the answer from the others.
        return await asyncio.shield(task)

    async def _look_up(self, name: str) -> _Answer:
        try:
            addresses = await self._lookup(name)
            answer = _Answer(expires=self._clock.now() + _REMEMBER, addresses=addresses)
        except (OSError, UnicodeError) as error:
            trouble = getattr(error, "strerror", None) or str(error)
            errno = getattr(error, "errno", None) or socket.EAI_NONAME
            answer = _Answer(expires=self._clock.now() + _REMEMBER_FAILURE, errno=errno, trouble=trouble)
        self._remember(name, answer)
        return answer

    def _remember(self, name: str, answer: _Answer) -> None:
        self._answers.pop(name, None)
        self._answers[name] = answer
        if len(self._answers) > _REMEMBER_NAMES:
            del self._answers[next(iter(self._answers))]


class SystemLookup:
    """The machine's own resolver, in a pool of threads. Use it in a `with`."""

    def __init__(self, threads: int) -> None:
        self._threads = threads
        self._pool: ThreadPoolExecutor | None = None

    def __enter__(self) -> Self:
        self._pool = ThreadPoolExecutor(self._threads, thread_name_prefix="dns")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._pool is not None:
            # A lookup cannot be interrupted; closing does not wait for a dead name server.
            self._pool.shutdown(wait=False, cancel_futures=True)

    async def __call__(self, name: str) -> tuple[str, ...]:
        return await asyncio.get_running_loop().run_in_executor(self._pool, _system_addresses, name)


def few_of_each(addresses: tuple[str, ...]) -> tuple[str, ...]:
    """Keep the first addresses of each family, in their order.

    >>> few_of_each(("192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.2.4", "2001:db8::1"))
    ('192.0.2.1', '192.0.2.2', '192.0.2.3', '2001:db8::1')
    """
    six = [address for address in addresses if ":" in address][:_TRIED]
    four = [address for address in addresses if ":" not in address][:_TRIED]
    kept = {*six, *four}
    return tuple(address for address in addresses if address in kept)


def _system_addresses(name: str) -> tuple[str, ...]:
    found = socket.getaddrinfo(name, None, type=socket.SOCK_STREAM, flags=socket.AI_ADDRCONFIG)
    return tuple(dict.fromkeys(str(address[0]) for *_, address in found))


def _endpoint(name: str, value: str) -> Endpoint:
    address, port = _split_port(value.strip())
    try:
        ip_address(address)
        number = int(port) if port else None
    except ValueError:
        number = -1
    if number is not None and not 0 < number < 65536:
        raise SettingError(
            f'fetch.resolve: "{name}" = "{value}" is not an address with or without a port; '
            'write it like "127.0.0.1:8080" or "[::1]:8080"'
        )
    return Endpoint(address=address, port=number)


def _split_port(value: str) -> tuple[str, str]:
    if value.startswith("["):
        address, _, port = value[1:].partition("]")
        return address, port.removeprefix(":")
    if value.count(":") > 1:
        return value, ""
    address, _, port = value.partition(":")
    return address, port
