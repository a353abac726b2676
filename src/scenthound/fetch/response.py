"""An aiohttp response that knows its peer, keeps the raw heads, and never waits for a dead connection.

It closes three gaps of aiohttp (seen in 3.14). After broken chunking, its reader waits until the total timeout. A reset
looks like the proper end of a body without an announced length. And unsolicited bytes count as the answer to the next
request on that connection.
"""

import asyncio
from typing import Self

from aiohttp import ClientOSError, ClientPayloadError, ClientResponse, RequestInfo, ServerDisconnectedError
from aiohttp.client_proto import ResponseHandler
from aiohttp.connector import Connection

from scenthound.fetch.answer import Body, read_body
from scenthound.fetch.connect import JOURNEY


class Response(ClientResponse):
    """One answer under way. `peer` is its sender's address."""

    peer: str = ""
    _line: ResponseHandler | None = None

    async def start(self, connection: Connection) -> Self:
        """Wait for the headers. A connection whose whole answer has arrived is already released after that."""
        if connection.transport is not None:
            self.peer = connection.transport.get_extra_info("peername", default=("",))[0]
        if connection.protocol is not None and connection.protocol.should_close and not JOURNEY.get().fresh:
            # Bytes on a kept connection before an answer is possible: not for us.
            raise ServerDisconnectedError("unasked bytes on a kept connection")
        await super().start(connection)
        if connection.protocol is not None:
            self._watch(connection.protocol)
        return self

    async def body(self, limit: int) -> Body:
        """Read the payload up to `limit` bytes; return errors instead of raising them."""
        if self._line is None and self.content.total_bytes <= limit:
            return Body(self.content.read_nowait())  # all of it came with the headers
        body = await read_body(self.content, limit)
        if self._line is None:
            return body
        closed = self._line.closed
        if closed is not None:
            closed.remove_done_callback(self._line_lost)
        if body.error is None and not body.over and self._ended_by_reset(self._line):
            return Body(body.data, error=self._line.exception())
        return body

    def _watch(self, line: ResponseHandler) -> None:
        self._line = line
        # The first byte is here: only the total timeout counts now, because a server may pause in mid-body.
        line.read_timeout = None
        line.start_timeout()
        if line.closed is not None:
            line.closed.remove_done_callback(_heard)  # all answers of a connection share one future
            line.closed.add_done_callback(_heard)
            line.closed.add_done_callback(self._line_lost)

    def _line_lost(self, _closed: asyncio.Future[None]) -> None:
        if not self.content.is_eof() and self.content.exception() is None:
            self.content.set_exception(ClientPayloadError("the body cannot be read as HTTP (broken chunks)"))

    def _ended_by_reset(self, line: ResponseHandler) -> bool:
        announced = "Content-Length" in self.headers or "Transfer-Encoding" in self.headers
        return not announced and isinstance(line.exception(), ClientOSError)


def received_head(response: ClientResponse) -> bytes:
    """Return the status line and headers as received."""
    version = response.version
    numbers = f"{version.major}.{version.minor}" if version else "1.1"
    status = f"HTTP/{numbers} {response.status:03d} {response.reason or ''}".encode("utf-8", "surrogateescape")
    return b"".join([status, b"\r\n", *(b"%b: %b\r\n" % pair for pair in response.raw_headers), b"\r\n"])


def sent_head(info: RequestInfo, *, to_proxy: bool) -> bytes:
    """Return the request line and headers as sent; a proxy gets the whole URL (RFC 9112 §3.2.2).

    The password for a proxy is left out: this goes into the archive.
    """
    target = str(info.url) if to_proxy and info.url.scheme == "http" else info.url.raw_path_qs
    headers = "".join([f"{name}: {value}\r\n" for name, value in info.headers.items() if name != "Proxy-Authorization"])
    return f"{info.method} {target} HTTP/1.1\r\n{headers}\r\n".encode()


def _heard(closed: asyncio.Future[None]) -> None:
    # asyncio logs an exception that nobody takes from a future as a fault of the program.
    if not closed.cancelled():
        closed.exception()
