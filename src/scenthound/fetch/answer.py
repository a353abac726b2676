"""Reads an answer as RFC 9110 defines it: headers, and a body that may be too long, cut, or endless."""

import re
from collections.abc import Mapping
from datetime import UTC
from email.utils import parsedate_to_datetime
from typing import NamedTuple
from urllib.parse import quote_from_bytes

import ada_url
from aiohttp import StreamReader

from scenthound.fetch.trouble import TROUBLES
from scenthound.types import Reason

# Announced types that say nothing; the first bytes of such a body decide (WHATWG MIME Sniffing §7).
_SAYS_NOTHING = frozenset({"", "application/octet-stream", "application/unknown", "unknown/unknown", "*/*"})
# If a table of limits has no matching entry, not even "*".
_LIMIT_WITHOUT_ENTRY = 10_000_000
_LONGEST_WAIT = 365 * 86_400.0
_CHARSET = re.compile(r""";\s*charset\s*=\s*["']?([^\s"';]+)""", re.IGNORECASE)
_ASCII = bytes(range(0x80))


class Body(NamedTuple):
    """The received bytes, whether there were more than the limit, and the error that ended them early."""

    data: bytes
    over: bool = False
    error: BaseException | None = None


async def read_body(stream: StreamReader, limit: int) -> Body:
    """Read up to `limit` bytes of a payload, whatever its announced length; return errors instead of raising them."""
    parts: list[bytes] = []
    size = 0
    try:
        while chunk := await stream.readany():
            parts.append(chunk)
            size += len(chunk)
            if size > limit:
                return Body(b"".join(parts)[:limit], over=True)
            if stream.at_eof():
                break
    except TROUBLES as error:
        return Body(b"".join(parts), error=error)
    return Body(parts[0] if len(parts) == 1 else b"".join(parts))


def mime_of(content_type: str) -> str:
    """Return the type without its parameters.

    >>> mime_of("Text/HTML; charset=utf-8")
    'text/html'
    """
    return clean(content_type.partition(";")[0].strip().lower())


def charset_of(content_type: str) -> str:
    """Return the charset parameter of a Content-Type, or nothing.

    >>> charset_of('text/html; Charset="ISO-8859-1"')
    'ISO-8859-1'
    """
    found = _CHARSET.search(content_type)
    return clean(found[1]) if found else ""


def limit_of(limits: int | Mapping[str, int], mime: str) -> int:
    """Return the largest body for a type: its own entry, else that of its family, else "*".

    >>> limit_of({"text/*": 5, "text/css": 1, "*": 9}, "text/html"), limit_of({"*": 9}, "")
    (5, 9)
    """
    if isinstance(limits, int):
        return limits
    for key in (mime, f"{mime.partition('/')[0]}/*", "*"):
        if key in limits:
            return limits[key]
    return _LIMIT_WITHOUT_ENTRY


def is_wanted(types: frozenset[str], mime: str) -> bool:
    """Tell whether a body of this announced type is worth reading: wanted, or unknown until its first bytes.

    >>> is_wanted(frozenset({"text/html"}), "image/png"), is_wanted(frozenset({"text/html"}), "")
    (False, True)
    """
    if mime in types or mime in _SAYS_NOTHING or "/" not in mime:
        return True
    return f"{mime.partition('/')[0]}/*" in types or "*/*" in types or "*" in types


def length_of(content_length: str | None) -> int | None:
    """Return an announced length, or None without a sensible one."""
    if content_length is None or not content_length.isdecimal() or len(content_length) > 18:
        return None
    return int(content_length)


def status_reason(status: int) -> Reason | None:
    """Return why a status has no page to read; None for a page, a redirect, or "not modified".

    >>> status_reason(200), status_reason(404).value, status_reason(503).value, status_reason(500).value
    (None, 'http-error', 'overloaded', 'server-error')
    """
    if 200 <= status < 400:
        return None
    if status in (429, 503):
        return Reason.OVERLOADED
    if 500 <= status < 600:
        return Reason.SERVER_ERROR
    return Reason.HTTP_ERROR if status >= 400 else Reason.PROTOCOL


def retry_after(value: str, date: str | None, now: float) -> float | None:
    """Return the seconds for which a server asks for rest (RFC 9110 §10.2.3).

    A date counts from the server's own clock, because many clocks are wrong and both times come from the same one.

    >>> retry_after("120", None, 0.0)
    120.0
    >>> retry_after("Wed, 21 Oct 2015 07:28:30 GMT", "Wed, 21 Oct 2015 07:28:00 GMT", 0.0)
    30.0
    """
    value = value.strip()
    if value.isascii() and value.isdigit():
        return min(float(value), _LONGEST_WAIT)
    until = _moment(value)
    if until is None:
        return None
    since = _moment(date) if date else None
    return min(max(0.0, until - (now if since is None else since)), _LONGEST_WAIT)


def joined(base: str, location: bytes) -> str | None:
    """Return the target of a Location, or None. Bytes beyond ASCII are sent on unchanged.

    >>> joined("http://a.test/x/y", b"../z"), joined("http://a.test/", "/caf\\u00e9".encode("latin-1"))
    ('http://a.test/z', 'http://a.test/caf%E9')
    """
    text = quote_from_bytes(location, safe=_ASCII)
    try:
        return ada_url.join_url(base, text)
    except ValueError:
        return None


def validator(value: str | None) -> str | None:
    """Return an ETag or Last-Modified that can be sent back to the server unchanged."""
    return value if value and value.isascii() and value.isprintable() else None


def clean(text: str) -> str:
    """Return header text without the lone surrogates of undecodable bytes."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


def _moment(value: str) -> float | None:
    try:
        moment = parsedate_to_datetime(value)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return None
