"""Hosts that misbehave on the line: slow, silent, cut, endless, or not speaking HTTP (RFC 9112) at all."""

import asyncio
from collections.abc import Mapping

from tests.badweb.conversation import Conversation, Site, page

_HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"


async def slow_loris(it: Conversation) -> None:
    """Headers that drip in, byte by byte, without end."""
    await it.drip(_HEAD)
    while True:
        await it.drip(b"X-Patience: a virtue\r\n")


async def slow_body(it: Conversation) -> None:
    """A body that drips in."""
    await it.send(_HEAD + b"Content-Length: 100000\r\n\r\n")
    await it.drip(b"<p>wait</p>" * 9000)


async def paused_body(it: Conversation) -> None:
    """A proper page with a pause in its middle that is longer than a first byte may take."""
    await it.send(_HEAD + b"Content-Length: 20\r\n\r\n<p>first ")
    await asyncio.sleep(0.8)
    await it.send(b"second</p>\n")


async def silent(it: Conversation) -> None:
    """Takes the request and says nothing."""
    await it.hang()


async def cut_body(it: Conversation) -> None:
    """Announces more than it sends and closes."""
    await it.send(_HEAD + b"Content-Length: 5000\r\n\r\n<p>The best is yet to")
    it.close()


async def cut_headers(it: Conversation) -> None:
    """Closes in the middle of the headers."""
    await it.send(_HEAD + b"Content-Le")
    it.close()


async def long_length(it: Conversation) -> None:
    """Announces more than it sends and keeps the line open."""
    await it.send(_HEAD + b"Content-Length: 5000\r\n\r\n<p>Short.")
    await it.hang()


async def short_length(it: Conversation) -> None:
    """Announces less than it sends, the rest in the same breath."""
    await it.send(_HEAD + b"Content-Length: 10\r\n\r\n<p>Short.</p>and more than that")


async def late_surplus(it: Conversation) -> None:
    """Announces less than it sends, the rest a moment later, dressed up as an answer to the next request."""
    await it.send(_HEAD + b"Content-Length: 10\r\n\r\n<p>Short.<")
    await asyncio.sleep(0.05)
    await it.send(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 8\r\n\r\nsmuggled")


async def huge_length(it: Conversation) -> None:
    """Announces a terabyte."""
    await it.send(_HEAD + b"Content-Length: 1000000000000\r\n\r\n<p>It begins")
    await it.hang()


async def endless(it: Conversation) -> None:
    """A body without announced length and without end."""
    await it.send(_HEAD + b"\r\n")
    while True:
        await it.send(b"<p>and on</p>\n" * 5000)


async def endless_chunks(it: Conversation) -> None:
    """A chunked body without end."""
    await it.send(_HEAD + b"Transfer-Encoding: chunked\r\n\r\n")
    chunk = b"<p>and on</p>\n" * 5000
    while True:
        await it.send(b"%x\r\n%b\r\n" % (len(chunk), chunk))


async def endless_error(it: Conversation) -> None:
    """A 404 whose body has no end."""
    await it.send(b"HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\n\r\n")
    while True:
        await it.send(b"<p>not here</p>\n" * 5000)


async def header_flood(it: Conversation) -> None:
    """A hundred thousand headers."""
    await it.send(_HEAD)
    for start in range(0, 100_000, 1000):
        await it.send(b"".join(b"X-Flood-%d: water\r\n" % number for number in range(start, start + 1000)))
    await it.send(b"Content-Length: 0\r\n\r\n")


async def huge_header(it: Conversation) -> None:
    """One header of a megabyte."""
    await it.send(_HEAD + b"X-Huge: " + b"a" * 1_000_000 + b"\r\nContent-Length: 0\r\n\r\n")


async def broken_chunks(it: Conversation) -> None:
    """A chunk whose size is no number, after one that is proper."""
    await it.send(_HEAD + b"Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n")
    await asyncio.sleep(0.05)
    await it.send(b"zz\r\nworld\r\n0\r\n\r\n")
    await it.hang()


async def cut_chunks(it: Conversation) -> None:
    """A chunked body that lacks its last chunk."""
    await it.send(_HEAD + b"Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n")
    it.close()


async def http_09(it: Conversation) -> None:
    """A page with neither status line nor headers."""
    await it.send(page("Anno 1991"))
    it.close()


async def bad_status(it: Conversation) -> None:
    """A status line with words for a number."""
    await it.send(b"HTTP/1.1 two-hundred fine\r\nContent-Length: 0\r\n\r\n")
    it.close()


async def switching(it: Conversation) -> None:
    """Changes to another protocol unasked."""
    await it.send(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: gopher\r\nConnection: upgrade\r\n\r\niHello\t\t\t\r\n")
    it.close()


async def reset_early(it: Conversation) -> None:
    """A reset instead of an answer."""
    it.reset()


async def reset_late(it: Conversation) -> None:
    """A reset in the middle of a body with announced length."""
    await it.send(_HEAD + b"Content-Length: 5000\r\n\r\n<p>The best is yet to")
    await asyncio.sleep(0.05)
    it.reset()


async def reset_unannounced(it: Conversation) -> None:
    """A reset in the middle of a body that only its end would have ended."""
    await it.send(_HEAD + b"\r\n<p>The best is yet to")
    await asyncio.sleep(0.05)
    it.reset()


async def closes_early(it: Conversation) -> None:
    """Closes the line without an answer."""
    it.close()


async def forgetful(it: Conversation) -> None:
    """Answers properly, says nothing about closing, and closes."""
    await it.answer(page("A proper page"))
    it.close()


LINES: Mapping[str, Site] = {
    "slow-loris": slow_loris,
    "slow-body": slow_body,
    "paused-body": paused_body,
    "silent": silent,
    "cut-body": cut_body,
    "cut-headers": cut_headers,
    "long-length": long_length,
    "short-length": short_length,
    "late-surplus": late_surplus,
    "huge-length": huge_length,
    "endless": endless,
    "endless-chunks": endless_chunks,
    "endless-error": endless_error,
    "header-flood": header_flood,
    "huge-header": huge_header,
    "broken-chunks": broken_chunks,
    "cut-chunks": cut_chunks,
    "http-09": http_09,
    "bad-status": bad_status,
    "switching": switching,
    "reset-early": reset_early,
    "reset-late": reset_late,
    "reset-unannounced": reset_unannounced,
    "closes-early": closes_early,
    "forgetful": forgetful,
}
