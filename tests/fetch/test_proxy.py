"""Fetching through an HTTP proxy: names go to it unresolved, CONNECT for https, and its troubles are called its own."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field

import pytest

from scenthound.clock import SystemClock
from scenthound.fetch.fetcher import Request
from scenthound.fetch.http import HttpFetcher
from scenthound.types import Fetch, Reason
from tests.badweb import BadWeb

Answer = Callable[["Proxy", list[str], asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@dataclass(slots=True, kw_only=True)
class Proxy:
    """A proxy that notes what it is asked for."""

    web: BadWeb
    answer: Answer
    asked: list[str] = field(default_factory=list)
    heads: list[str] = field(default_factory=list)

    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            with contextlib.suppress(OSError, asyncio.IncompleteReadError):
                head = (await reader.readuntil(b"\r\n\r\n")).decode()
                self.heads.append(head)
                self.asked.append(" ".join(head.split(" ")[:2]))
                await self.answer(self, head.split(" "), reader, writer)
        finally:
            writer.close()
            with contextlib.suppress(OSError):
                await writer.wait_closed()


async def forward(proxy: Proxy, request: list[str], reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answer for plain http, and make a tunnel for https."""
    if request[0] != "CONNECT":
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 10\r\n\r\nby a proxy")
        return
    host, _, port = proxy.web.resolve[request[1].rpartition(":")[0]].rpartition(":")
    there, back = await asyncio.open_connection(host, int(port))
    writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
    try:
        await asyncio.gather(pump(reader, back), pump(there, writer))
    finally:
        back.close()
        await back.wait_closed()


async def pump(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
    while data := await source.read(65536):
        sink.write(data)
    sink.write_eof()


def saying(line: str) -> Answer:
    async def say(
        _proxy: Proxy, _request: list[str], _reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        writer.write(f"HTTP/1.1 {line}\r\nContent-Length: 0\r\n\r\n".encode())

    return say


@contextlib.asynccontextmanager
async def a_proxy(web: BadWeb, answer: Answer) -> AsyncIterator[tuple[Proxy, str]]:
    proxy = Proxy(web=web, answer=answer)
    talks: set[asyncio.Task[None]] = set()
    server = await asyncio.start_server(
        lambda reader, writer: talks.add(asyncio.ensure_future(proxy.talk(reader, writer))), "127.0.0.1", 0
    )
    try:
        yield proxy, f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
    finally:
        server.close()
        for talk in talks:
            talk.cancel()
        await asyncio.gather(*talks, return_exceptions=True)


def fetched(url: str, answer: Answer = forward, *, login: str = "", **changes: object) -> tuple[Fetch, Proxy]:
    async def run() -> tuple[Fetch, Proxy]:
        async with BadWeb() as web, a_proxy(web, answer) as (proxy, address):
            settings = web.settings(proxy=f"http://{login}{address}", **changes)
            async with HttpFetcher(settings, SystemClock(), lookup=web.lookup) as fetcher:
                return await fetcher.fetch(Request(url=url)), proxy

    return asyncio.run(run())


def test_a_name_goes_to_the_proxy_unresolved() -> None:
    fetch, proxy = fetched("http://unknown.example/a?b=c")
    assert (fetch.body, fetch.ip) == (b"by a proxy", "")
    assert proxy.asked == ["GET http://unknown.example/a?b=c"]
    assert fetch.request_head.startswith(b"GET http://unknown.example/a?b=c HTTP/1.1\r\nHost: unknown.example\r\n")


def test_https_goes_through_a_tunnel() -> None:
    fetch, proxy = fetched("https://self-signed.bad.test/", verify_tls=False)
    assert (fetch.status, fetch.reason, fetch.ip) == (200, None, "")
    assert proxy.asked == ["CONNECT self-signed.bad.test:443"]
    assert fetch.request_head.startswith(b"GET / HTTP/1.1\r\n")


def test_a_certificate_is_looked_at_through_the_tunnel() -> None:
    fetch, _ = fetched("https://self-signed.bad.test/")
    assert fetch.reason is Reason.TLS


def test_credentials_go_to_the_proxy() -> None:
    _, proxy = fetched("http://unknown.example/", login="me:secret@")
    assert "Proxy-Authorization: Basic bWU6c2VjcmV0" in proxy.heads[0]


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "2130706433", "0x7f.1", "[::1]", "[::ffff:10.0.0.1]", "localhost", "a.localhost"]
)
def test_a_private_address_is_not_asked_for_through_a_proxy_either(host: str) -> None:
    fetch, proxy = fetched(f"http://{host}/")
    assert fetch.reason is Reason.PRIVATE_ADDRESS
    assert proxy.asked == []


def test_a_private_address_that_is_allowed_is_asked_for() -> None:
    fetch, proxy = fetched("http://10.1.2.3/", allow_private=["10.0.0.0/8"])
    assert (fetch.status, proxy.asked) == (200, ["GET http://10.1.2.3/"])


@pytest.mark.parametrize(
    ("url", "answer", "reason"),
    [
        ("http://a.example/", saying("407 Proxy Authentication Required"), Reason.PROXY),
        ("https://a.example/", saying("407 Proxy Authentication Required"), Reason.PROXY),
        ("https://a.example/", saying("502 Bad Gateway"), Reason.TUNNEL),
    ],
)
def test_a_proxy_that_refuses_says_whether_it_is_about_us_or_the_host(url: str, answer: Answer, reason: Reason) -> None:
    fetch, _ = fetched(url, answer)
    assert fetch.reason is reason


@pytest.mark.parametrize("proxy", ["refused.bad.test", "no-such-proxy.invalid"])
def test_a_proxy_that_cannot_be_reached_is_proxy_trouble(proxy: str) -> None:
    async def run() -> Fetch:
        async with BadWeb() as web:
            settings = web.settings(proxy=f"http://{proxy}:8080")
            async with HttpFetcher(settings, SystemClock(), lookup=web.lookup) as fetcher:
                return await fetcher.fetch(Request(url="http://a.example/"))

    assert asyncio.run(run()).reason is Reason.PROXY
