"""HTTP/1.1 (RFC 9112) for an answering function: keep-alive, pipelining, HEAD, conditional GET, proxying.

This is a separate asyncio protocol, because in benchmarks it shares the machine with the crawler: it measured 20,000
answers of 500 bytes for each second of one core, 42,000 with ten requests sent ahead (Python 3.11, uvloop). It logs
every request with its times, so that a test can prove how polite a crawl was.
"""

import asyncio
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import cast

from scenthound.demo.served_answer import Answer, AnsweringFunction, Behaviour

_MAX_HEAD = 65_536
_PHRASES = {status.value: status.phrase for status in HTTPStatus}


@dataclass(frozen=True, slots=True, kw_only=True)
class LogEntry:
    """One request as the server saw it; a status of 0 means no answer."""

    started: float
    finished: float
    host: str
    path: str
    status: int
    client_port: int
    user_agent: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Request:
    method: str
    host: str
    path: str
    headers: dict[bytes, bytes]
    keep_alive: bool
    started: float

    @property
    def size(self) -> bytes:
        return self.headers.get(b"content-length", b"0")

    def header(self, name: bytes) -> str:
        return self.headers.get(name, b"").decode("latin-1")


@dataclass(slots=True, kw_only=True)
class Site:
    """The state that all connections of one server share. `latency` is in seconds by host; "*" means all others."""

    answer: AnsweringFunction
    latency: Mapping[str, float]
    log: list[LogEntry] = field(default_factory=list)
    connected: set[asyncio.Transport] = field(default_factory=set)

    def delay(self, host: str, answer: Answer) -> float:
        return answer.delay + self.latency.get(host, self.latency.get("*", 0.0))


class Connection(asyncio.Protocol):
    """One client; it gets answers in the order of its requests, one after the other."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._received = bytearray()
        self._waiting: tuple[_Request, asyncio.TimerHandle | None] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)  # uvloop's transport is one in all but name
        self._port = int(transport.get_extra_info("peername")[1])
        self._site.connected.add(self._transport)

    def data_received(self, data: bytes) -> None:
        self._received += data
        if self._waiting is None:
            self._serve()

    def connection_lost(self, exc: Exception | None) -> None:
        self._site.connected.discard(self._transport)
        if self._waiting:
            request, timer = self._waiting
            if timer:
                timer.cancel()
            self._remember(request, 0)

    def _serve(self) -> None:
        """Answer the requests that have arrived, until one has to wait or is incomplete."""
        while self._waiting is None and not self._transport.is_closing():
            end = self._received.find(b"\r\n\r\n")
            if end < 0:
                if len(self._received) > _MAX_HEAD:
                    self._refuse(431)
                break
            request = _parse(bytes(self._received[:end]))
            if request is None or not request.size.isdigit():
                self._refuse(400)
                break
            whole = end + 4 + int(request.size)
            if len(self._received) < whole:
                break
            del self._received[:whole]
            self._begin(request)

    def _begin(self, request: _Request) -> None:
        if request.method not in ("GET", "HEAD"):
            answer = Answer(status=405, headers=(("Allow", "GET, HEAD"),))
        else:
            answer = self._site.answer(request.host, request.path)
        delay = self._site.delay(request.host, answer)
        if answer.behaviour is Behaviour.SILENT:
            self._waiting = (request, None)
        elif delay > 0:
            timer = asyncio.get_running_loop().call_later(delay, self._after_delay, request, answer)
            self._waiting = (request, timer)
        else:
            self._send(request, answer)

    def _after_delay(self, request: _Request, answer: Answer) -> None:
        self._waiting = None
        self._send(request, answer)
        self._serve()

    def _send(self, request: _Request, answer: Answer) -> None:
        if answer.behaviour is Behaviour.RESET:
            self._remember(request, 0)
            self._transport.abort()
            return
        if _is_fresh(request, answer):
            answer = Answer(status=304, headers=tuple(h for h in answer.headers if h[0] != "Content-Type"))
        self._remember(request, answer.status)  # before the client can have read it and asks for the log
        self._transport.write(_wire(request, answer))
        if not request.keep_alive or answer.behaviour is Behaviour.CUT:
            self._transport.close()

    def _refuse(self, status: int) -> None:
        self._transport.write(b"HTTP/1.1 %d %s\r\nConnection: close\r\n\r\n" % (status, _PHRASES[status].encode()))
        self._transport.close()

    def _remember(self, request: _Request, status: int) -> None:
        self._site.log.append(
            LogEntry(
                started=request.started,
                finished=time.time(),
                host=request.host,
                path=request.path,
                status=status,
                client_port=self._port,
                user_agent=request.header(b"user-agent"),
            )
        )


def _parse(head: bytes) -> _Request | None:
    """Parse a request head; None if it is invalid."""
    first, *lines = head.split(b"\r\n")
    try:
        method, target, version = first.decode("latin-1").split(" ")
    except ValueError:
        return None
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(b":") for line in lines)}
    host = headers.get(b"host", b"").decode("latin-1")
    if not target.startswith("/"):  # as a proxy gets it
        scheme, _, rest = target.partition("://")
        if not rest or scheme.lower() != "http":
            return None
        host, slash, path = rest.partition("/")
        target = slash + path or "/"
    connection = headers.get(b"connection", b"").lower()
    keep_alive = b"close" not in connection if version == "HTTP/1.1" else b"keep-alive" in connection
    host = host.lower().removesuffix(":80")
    return _Request(method=method, host=host, path=target, headers=headers, keep_alive=keep_alive, started=time.time())


def _is_fresh(request: _Request, answer: Answer) -> bool:
    """Tell whether the client already has this version (RFC 9110 §13.2.2: an entity tag decides before a date)."""
    if answer.status != 200:
        return False
    known = dict(answer.headers)
    if tags := request.header(b"if-none-match"):
        return "ETag" in known and (tags == "*" or known["ETag"] in [tag.strip() for tag in tags.split(",")])
    since = request.header(b"if-modified-since")
    return bool(since) and since == known.get("Last-Modified")


def _wire(request: _Request, answer: Answer) -> bytes:
    """Return the bytes of a response."""
    lines = [f"HTTP/1.1 {answer.status} {_PHRASES.get(answer.status, 'Unknown')}"]
    lines += [f"{name}: {value}" for name, value in answer.headers]
    if not request.keep_alive:
        lines.append("Connection: close")
    body = answer.body
    if answer.behaviour is Behaviour.CHUNKED:
        lines.append("Transfer-Encoding: chunked")
        body = _chunked(body)
    elif answer.status not in (204, 304):
        lines.append(f"Content-Length: {len(body)}")
    if answer.behaviour is Behaviour.CUT:
        body = body[: len(body) // 2]
    head = ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")
    return head if request.method == "HEAD" or answer.status in (204, 304) else head + body


def _chunked(body: bytes, size: int = 4096) -> bytes:
    parts = [body[at : at + size] for at in range(0, len(body), size)]
    return b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in parts) + b"0\r\n\r\n"
