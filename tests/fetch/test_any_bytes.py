"""Whatever bytes a server sends, a fetch is a value in bounded time, and its text can be stored."""

import asyncio

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from scenthound.clock import SystemClock
from scenthound.fetch.fetcher import Request
from scenthound.fetch.http import HttpFetcher
from scenthound.types import Fetch
from tests.badweb import BadWeb, Conversation
from tests.often import often

_NAMES = [b"Content-Type", b"Content-Length", b"Transfer-Encoding", b"Location", b"Retry-After", b"ETag", b"Date"]
_VALUES = [
    b"text/html",
    b"5",
    b"-1",
    b"chunked",
    b"gzip, chunked",
    b"/x",
    b"\xff\xfe",
    b"http://[",
    b"Thu, 99 Foo",
    b"",
]
_STATUS = st.sampled_from(
    [b"HTTP/1.1 200 OK", b"HTTP/1.0 302 \xff", b"HTTP/1.1 404", b"HTTP/9.9 200 OK", b"HTTP/1.1 099 x"]
)
_HEADER = st.tuples(st.sampled_from(_NAMES), st.one_of(st.sampled_from(_VALUES), st.binary(max_size=20)))


@st.composite
def answers(draw: st.DrawFn) -> bytes:
    """Bytes that look enough like HTTP to get beyond the first line."""
    headers = b"".join(name + b": " + value + b"\r\n" for name, value in draw(st.lists(_HEADER, max_size=6)))
    return draw(_STATUS) + b"\r\n" + headers + b"\r\n" + draw(st.binary(max_size=60))


@pytest.mark.slow
@often(150, suppress_health_check=[HealthCheck.too_slow])
@given(st.one_of(st.binary(max_size=200), answers()))
def test_any_bytes_make_a_fetch(answer: bytes) -> None:
    fetch = asyncio.run(_fetch_from_one_who_says(answer))
    assert fetch.seconds < 30
    for text in (
        fetch.detail,
        fetch.mime,
        fetch.charset,
        fetch.coding,
        fetch.location,
        fetch.etag,
        fetch.last_modified,
    ):
        (text or "").encode()
    assert fetch.reason is not None or 200 <= fetch.status < 400


async def _fetch_from_one_who_says(answer: bytes) -> Fetch:
    async def say(it: Conversation) -> None:
        await it.send(answer)
        it.close()

    async with BadWeb() as web, HttpFetcher(web.settings(timeout=4.0), SystemClock(), lookup=web.lookup) as fetcher:
        web.sites["said"] = say
        return await fetcher.fetch(Request(url=web.url("said")))
