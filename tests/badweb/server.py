"""The bad web itself: listens, logs every visit, and hands each request to the site of its host."""

import asyncio
import contextlib
import socket
import ssl
from collections import Counter
from collections.abc import Callable
from types import TracebackType
from typing import Self

import msgspec

from scenthound.clock import Clock, SystemClock
from scenthound.settings.schema import FetchSettings
from tests.badweb.certificates import server_context
from tests.badweb.conversation import Conversation, Site, Visit, page
from tests.badweb.lines import LINES
from tests.badweb.manners import MANNERS, ROBOTS
from tests.badweb.pages import PAGES, make_large_pages

_Welcome = Callable[[asyncio.StreamReader, asyncio.StreamWriter], None]

SUFFIX = ".bad.test"
_TLS_SITES = ("self-signed", "expired")
# Asked for over TLS: one answers in plain text, the other, the ordinary port, waits for a request that it understands.
_NO_TLS_SITES = ("plain-on-tls", "mute-on-tls")
_ROBOTS_FOR_ALL = b"User-agent: *\nDisallow:\n"
# Short, so that a test of a timeout takes a second; long enough for a busy machine.
_PATIENCE = FetchSettings(
    contact="test@bad.test", delay=0.0, delay_factor=0.0, connect_timeout=2.0, first_byte_timeout=0.6, timeout=1.5
)


class BadWeb:
    """A web that misbehaves. Use it in an `async with`; see the package's docstring."""

    def __init__(self, *, clock: Clock | None = None) -> None:
        self._clock = clock or SystemClock()
        self._stack = contextlib.AsyncExitStack()
        self._talks: set[asyncio.Task[None]] = set()
        self._writers: set[asyncio.StreamWriter] = set()
        self._visited: Counter[tuple[str, str]] = Counter()
        self.sites: dict[str, Site] = {**LINES, **MANNERS, **PAGES, "index": self._index}
        self.log: list[Visit] = []
        self.resolve: dict[str, str] = {}
        self.connections = 0
        self.trapped: list[float] = []
        self.trap_port = 0

    async def __aenter__(self) -> Self:
        make_large_pages()
        self.resolve[f"*{SUFFIX}"] = await self._listen(self._accept)
        for name in _TLS_SITES:
            self.resolve[name + SUFFIX] = await self._listen(self._accept, server_context(expired=name == "expired"))
        self.resolve[f"plain-on-tls{SUFFIX}"] = await self._listen(self._complain_in_plain)
        self.resolve[f"refused{SUFFIX}"] = self._bound_but_deaf()
        self.trap_port = int((await self._listen(self._trap)).rpartition(":")[2])
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._stack.aclose()
        for talk in self._talks:
            talk.cancel()
        for writer in self._writers:
            writer.transport.abort()
        closing = [writer.wait_closed() for writer in self._writers]
        await asyncio.gather(*self._talks, *closing, return_exceptions=True)

    def url(self, name: str, path: str = "/") -> str:
        """Return the URL of a misbehaviour; a name that is not one is a KeyError, so that a test cannot miss."""
        if name == "no-such-name":
            return f"http://no-such-name.invalid{path}"
        if name in (*_TLS_SITES, *_NO_TLS_SITES):
            return f"https://{name}{SUFFIX}{path}"
        if name not in self.sites and name != "refused":
            raise KeyError(f"there is no {name} in the bad web")
        return f"http://{name}{SUFFIX}{path}"

    def settings(self, **changes: object) -> FetchSettings:
        """Return settings that find these hosts, with short timeouts, no delays, and the changes asked for."""
        return msgspec.structs.replace(_PATIENCE, **{"resolve": dict(self.resolve), **changes})

    def visits(self, name: str, path: str | None = None) -> list[Visit]:
        """Return the visits to one host, or to one path there."""
        return [visit for visit in self.log if visit.host == name + SUFFIX and path in (None, visit.path)]

    @staticmethod
    async def lookup(name: str) -> tuple[str, ...]:
        """Stand in for DNS: there is no such name."""
        raise socket.gaierror(socket.EAI_NONAME, f"{name}: no such name in the bad web")

    async def _listen(self, welcome: _Welcome, context: ssl.SSLContext | None = None) -> str:
        def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            self._writers.add(writer)
            welcome(reader, writer)

        # With the usual backlog of 100, of 200 connections made at once half would wait a second for a second SYN.
        server = await asyncio.start_server(accept, "127.0.0.1", 0, ssl=context, backlog=1024)
        self._stack.callback(server.close)
        return f"127.0.0.1:{server.sockets[0].getsockname()[1]}"

    def _bound_but_deaf(self) -> str:
        holder = self._stack.enter_context(socket.socket())
        holder.bind(("127.0.0.1", 0))
        return f"127.0.0.1:{holder.getsockname()[1]}"

    def _complain_in_plain(self, _reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        writer.write(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
        writer.close()

    def _trap(self, _reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.trapped.append(self._clock.now())
        writer.close()

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        talk = asyncio.get_running_loop().create_task(self._talk(reader, writer))
        self._talks.add(talk)
        talk.add_done_callback(self._talks.discard)

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            with contextlib.suppress(OSError, asyncio.IncompleteReadError):
                while await self._exchange(await reader.readuntil(b"\r\n\r\n"), writer):
                    pass
        finally:
            writer.close()

    async def _exchange(self, head: bytes, writer: asyncio.StreamWriter) -> bool:
        conversation = self._hear(head, writer)
        visit = Visit(
            time=self._clock.now(),
            host=conversation.host,
            path=conversation.path,
            user_agent=conversation.headers.get("user-agent", ""),
            headers=conversation.headers,
        )
        self.log.append(visit)
        try:
            await self._site(conversation)(conversation)
        finally:
            visit.finished = self._clock.now()
        return conversation.keep

    def _hear(self, head: bytes, writer: asyncio.StreamWriter) -> Conversation:
        request, *lines = head.decode("latin-1").rstrip().split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        host = headers.get("host", "").partition(":")[0]
        path = request.split(" ")[1]
        self._visited[host, path] += 1
        return Conversation(
            host=host,
            path=path,
            headers=headers,
            number=self._visited[host, path],
            writer=writer,
            trap_port=self.trap_port,
        )

    def _site(self, conversation: Conversation) -> Site:
        name = conversation.host.removesuffix(SUFFIX)
        if conversation.path == "/robots.txt":
            return ROBOTS.get(name, _open_to_all)
        return self.sites.get(name, _plain)

    async def _index(self, conversation: Conversation) -> None:
        """A page with a link to every host of the bad web."""
        tls = [self.url(name) for name in (*_TLS_SITES, "plain-on-tls", "refused", "no-such-name")]
        await conversation.answer(
            page("The bad web", *(self.url(name) for name in self.sites if name != "index"), *tls)
        )


async def _open_to_all(conversation: Conversation) -> None:
    await conversation.answer(_ROBOTS_FOR_ALL, content_type="text/plain")


async def _plain(conversation: Conversation) -> None:
    await conversation.answer(page("A proper page"))
