"""What a proper exchange gives: heads as sent and received, a body untouched, and what the headers mean."""

import asyncio
import gzip
import http.server
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import uvloop

from scenthound.clock import SystemClock
from scenthound.fetch.fetcher import NotSentError, Request
from scenthound.fetch.http import HttpFetcher, user_agent_of
from scenthound.settings.schema import FetchSettings
from scenthound.types import Fetch, Reason
from tests.badweb import BadWeb, Conversation
from tests.fetch.scene import Scene, play


def answered(answer: bytes, **changes: object) -> Fetch:
    """Fetch a page from a server that says exactly this."""

    async def say(it: Conversation) -> None:
        await it.send(answer)
        it.close()

    async def run() -> Fetch:
        async with BadWeb() as web:
            web.sites["said"] = say
            async with HttpFetcher(web.settings(**changes), SystemClock(), lookup=web.lookup) as fetcher:
                return await fetcher.fetch(Request(url=web.url("said", "/dir/page?q=1")))

    return asyncio.run(run())


def test_heads_are_kept_as_they_went_over_the_line() -> None:
    head = b"HTTP/1.1 200 Fine\r\nContent-TYPE: text/html; charset=KOI8-R\r\nX-Odd:  two spaces\r\nContent-Length: 2\r\n\r\n"
    fetch = answered(head + b"ok")
    assert fetch.head.startswith(b"HTTP/1.1 200 Fine\r\nContent-TYPE: text/html; charset=KOI8-R\r\n")
    assert fetch.head.endswith(b"\r\n\r\n")
    assert (fetch.body, fetch.mime, fetch.charset, fetch.ip) == (b"ok", "text/html", "KOI8-R", "127.0.0.1")
    request, *headers = fetch.request_head.decode().split("\r\n")
    assert request == "GET /dir/page?q=1 HTTP/1.1"
    assert "Host: said.bad.test" in headers
    assert "Accept-Encoding: gzip, deflate, br, zstd" in headers


def test_a_request_that_may_not_be_sent_any_more_leaves_no_byte() -> None:
    """The machine may have slept while the connection was made."""
    accepted, heard = asyncio.Event(), list[bytes]()

    async def listen(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        accepted.set()
        heard.append(await reader.read())
        writer.close()

    async def run() -> None:
        server = await asyncio.start_server(listen, "127.0.0.1", 0)
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
        settings = FetchSettings(allow_private=["127.0.0.1"])
        async with server, HttpFetcher(settings, SystemClock()) as fetcher:
            with pytest.raises(NotSentError):
                await fetcher.fetch(Request(url=url, may_send=lambda: False))
            await accepted.wait()
            while not heard:
                await asyncio.sleep(0)

    asyncio.run(run())
    assert heard == [b""]


def test_a_body_keeps_its_content_coding() -> None:
    packed = gzip.compress(b"<p>packed</p>")
    fetch = answered(
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: GZIP\r\nContent-Length: %d\r\n\r\n"
        % len(packed)
        + packed
    )
    assert (fetch.coding, fetch.body) == ("gzip", packed)


def test_a_chunked_body_comes_without_its_chunks() -> None:
    fetch = answered(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n")
    assert (fetch.reason, fetch.body, fetch.mime) == (None, b"abcde", "")


@pytest.mark.parametrize(
    ("mime", "limits", "reason"),
    [
        ("text/html", 100, None),
        ("text/html", 99, Reason.TOO_LARGE),
        ("text/html", {"text/html": 100, "text/*": 5, "*": 5}, None),
        ("text/html", {"text/*": 99, "*": 1000}, Reason.TOO_LARGE),
        ("application/xhtml+xml", {"text/*": 5, "*": 100}, None),
    ],
)
@pytest.mark.parametrize("announced", [True, False])
def test_a_body_may_be_as_long_as_its_type_allows(
    mime: str, limits: int | dict[str, int], reason: Reason | None, announced: bool
) -> None:
    length = "Content-Length: 100\r\n" if announced else ""
    head = f"HTTP/1.1 200 OK\r\nContent-Type: {mime}\r\n{length}\r\n".encode()
    fetch = answered(head + b"x" * 100, max_body=limits)
    assert fetch.reason is reason
    assert fetch.body == (b"" if reason else b"x" * 100)


@pytest.mark.parametrize(
    ("content_type", "reason"),
    [
        ("text/html", None),
        ("TEXT/HTML ; charset=x", None),
        ("", None),
        ("application/octet-stream", None),
        ("html", None),
        ("application/pdf", None),
        ("video/mp4", Reason.UNSUPPORTED_TYPE),
        ("text/css", Reason.UNSUPPORTED_TYPE),
    ],
)
def test_a_type_that_nobody_reads_is_refused_by_its_header(content_type: str, reason: Reason | None) -> None:
    fetch = answered(f"HTTP/1.1 200 OK\r\nContent-Type: {content_type}\r\nContent-Length: 2\r\n\r\nok".encode())
    assert fetch.reason is reason


@pytest.mark.parametrize(
    ("location", "joined"),
    [
        (b"/other", "http://said.bad.test/other"),
        (b"other", "http://said.bad.test/dir/other"),
        (b"//host.example/x", "http://host.example/x"),
        (b"?q=2", "http://said.bad.test/dir/page?q=2"),
        (b"HTTPS://Host.Example/a b", "https://host.example/a%20b"),
        ("/caf\u00e9".encode(), "http://said.bad.test/caf%C3%A9"),
        (b"/caf\xe9", "http://said.bad.test/caf%E9"),
        (b"http://0x7f.1/", "http://127.0.0.1/"),
    ],
)
def test_a_redirect_is_told_and_not_followed(location: bytes, joined: str) -> None:
    fetch = answered(b"HTTP/1.1 301 Moved\r\nLocation: " + location + b"\r\nContent-Length: 0\r\n\r\n")
    assert (fetch.status, fetch.reason, fetch.location) == (301, None, joined)


@pytest.mark.parametrize("status", [300, 302, 307])
def test_a_redirect_to_nowhere_is_a_bad_one(status: int) -> None:
    without = answered(b"HTTP/1.1 %d Where\r\nContent-Length: 0\r\n\r\n" % status)
    assert (without.reason, without.detail) == (Reason.BAD_REDIRECT, f"{status} with no Location")
    garbage = answered(b"HTTP/1.1 %d Where\r\nLocation: http://[x\r\nContent-Length: 0\r\n\r\n" % status)
    assert (garbage.reason, garbage.detail) == (Reason.BAD_REDIRECT, f"{status} with a Location that is no URL")


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("7", 7.0),
        ("0", 0.0),
        ("soon", None),
        ("-3", None),
        ("9" * 5000, 365 * 86400.0),
        ("Thu, 01 Jan 1970 00:00:00 GMT", 0.0),
    ],
)
def test_retry_after_in_any_form(value: str, seconds: float | None) -> None:
    fetch = answered(f"HTTP/1.1 503 Busy\r\nRetry-After: {value}\r\nContent-Length: 0\r\n\r\n".encode())
    assert (fetch.reason, fetch.retry_after) == (Reason.OVERLOADED, seconds)


def test_a_date_to_retry_after_is_read_by_the_servers_own_clock() -> None:
    async def scene(it: Scene) -> None:
        assert (await it.fetch("retry-seconds")).retry_after == 1.0
        assert (await it.fetch("retry-date")).retry_after == pytest.approx(2.0, abs=1.0)
        assert (await it.fetch("retry-date")).reason is None

    play(scene)


def test_a_page_that_did_not_change_is_not_sent_again() -> None:
    async def scene(it: Scene) -> None:
        first = await it.fetch("unchanged")
        assert (first.etag, first.last_modified) == ('"one"', "Wed, 21 Oct 2015 07:28:00 GMT")
        again = await it.fetcher.fetch(
            Request(url=it.web.url("unchanged"), etag=first.etag, last_modified=first.last_modified)
        )
        assert (again.status, again.reason, again.body) == (304, None, b"")
        assert b'If-None-Match: "one"\r\nIf-Modified-Since: Wed, 21 Oct 2015' in again.request_head

    play(scene)


def test_cookies_are_not_kept_and_passwords_in_urls_not_sent() -> None:
    async def scene(it: Scene) -> None:
        await it.fetch("biscuits")
        assert b"no cookie" in (await it.fetch("biscuits")).body
        fetch = await it.get("http://me:secret@plain.bad.test/")
        assert fetch.status == 200
        assert b"authorization" not in fetch.request_head.lower()

    play(scene)


def test_the_user_agent_says_who_asks_and_whom_to_write_to() -> None:
    async def scene(it: Scene) -> None:
        await it.fetch("plain")
        (visit,) = it.web.visits("plain")
        assert visit.user_agent == user_agent_of(it.web.settings())
        assert visit.user_agent.startswith("scenthound/")
        assert "; test@bad.test)" in visit.user_agent
        assert visit.finished is not None
        assert visit.finished >= visit.time

    play(scene)


@pytest.mark.parametrize(
    "url", ["ftp://a.test/", "mailto:a@b.test", "http://", "http://a b/", "", "//a.test/", "http://a.test:99999/"]
)
def test_what_is_no_web_address_is_a_bad_url(url: str) -> None:
    async def scene(it: Scene) -> None:
        assert (await it.get(url)).reason is Reason.BAD_URL

    play(scene)


def test_one_connection_serves_many_requests_one_after_another() -> None:
    async def scene(it: Scene) -> None:
        for number in range(10):
            assert (await it.fetch("plain", f"/{number}")).status == 200
        assert it.web.connections == 1

    play(scene)


@pytest.mark.slow
def test_many_connections_to_one_host_at_once_under_uvloop() -> None:
    async def run() -> None:
        async with (
            BadWeb() as web,
            HttpFetcher(
                # Two hundred connections in one process take a busy machine a while; it is not speed that is tested
                # here.
                web.settings(concurrency=200, connect_timeout=30.0, first_byte_timeout=30.0, timeout=60.0),
                SystemClock(),
                lookup=web.lookup,
            ) as fetcher,
        ):
            fetches = await asyncio.gather(
                *(fetcher.fetch(Request(url=web.url("paused-body", f"/{number}"))) for number in range(200))
            )
            assert {fetch.reason for fetch in fetches} == {None}
            assert web.connections == 200

    uvloop.run(run())


def test_an_ipv6_server_is_asked_by_its_address() -> None:
    with _page_server("::1") as port:
        settings = FetchSettings(allow_private=["::1"])

        async def run() -> Fetch:
            async with HttpFetcher(settings, SystemClock()) as fetcher:
                return await fetcher.fetch(Request(url=f"http://[::1]:{port}/"))

        fetch = asyncio.run(run())
    assert (fetch.status, fetch.ip, fetch.body) == (200, "::1", b"six")


@contextmanager
def _page_server(address: str) -> Iterator[int]:
    class Page(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Length", "3")
            self.end_headers()
            self.wfile.write(b"six")

        def log_message(self, format: str, *args: object) -> None:
            pass

    class Server(http.server.HTTPServer):
        address_family = socket.AF_INET6

    with Server((address, 0), Page) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server.server_address[1]
        finally:
            server.shutdown()
            thread.join()


def test_a_kept_connection_that_is_cut_is_not_asked_again_at_once() -> None:
    """Only the crawl may ask again, after the host's delay: the server sees each request of ours once."""

    async def cut_second(it: Conversation) -> None:
        if it.path == "/first":
            await it.answer(b"<p>welcome</p>")
        else:
            it.close()

    async def run() -> tuple[Fetch, Fetch, int]:
        async with BadWeb() as web:
            web.sites["cutter"] = cut_second
            async with HttpFetcher(web.settings(delay=1.0), SystemClock(), lookup=web.lookup) as fetcher:
                first = await fetcher.fetch(Request(url=web.url("cutter", "/first")))
                second = await fetcher.fetch(Request(url=web.url("cutter", "/second")))
            return first, second, len(web.visits("cutter"))

    first, second, visits = asyncio.run(run())
    assert first.reason is None
    assert second.reason is Reason.STALE
    assert second.reason.may_pass
    assert not second.reason.blames_host
    assert visits == 2
