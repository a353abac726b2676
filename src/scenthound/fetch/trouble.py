"""From aiohttp's exceptions to a `Reason` with a detail for people."""

import os
import ssl
from typing import NamedTuple

from aiohttp import (
    ClientConnectionResetError,
    ClientConnectorDNSError,
    ClientConnectorError,
    ClientError,
    ClientHttpProxyError,
    ClientOSError,
    ClientPayloadError,
    ClientProxyConnectionError,
    ClientResponseError,
    ClientSSLError,
    ConnectionTimeoutError,
    InvalidURL,
    ServerDisconnectedError,
    SocketTimeoutError,
)
from aiohttp.http_exceptions import ContentLengthError, TransferEncodingError

from scenthound.fetch.connect import Journey
from scenthound.types import Reason

# Everything that an exchange may raise because of the web; anything else is our own fault and must be seen.
TROUBLES = (ClientError, OSError, TimeoutError, ValueError)

_LONGEST_DETAIL = 200


class Trouble(NamedTuple):
    """A reason and its detail."""

    reason: Reason
    detail: str


def trouble_of(error: BaseException, journey: Journey, *, proxied: bool) -> Trouble:
    """Explain a missing answer: `error` ended an exchange before its headers were complete."""
    if journey.refused:
        who = journey.host if journey.host == journey.refused else f"{journey.host} is {journey.refused}, which"
        return Trouble(Reason.PRIVATE_ADDRESS, f"{who} is not a public address")
    if isinstance(error, TimeoutError):
        return _timeout(error, journey, proxied=proxied)
    if isinstance(error, ClientConnectorError):
        return _no_connection(error, proxied=proxied)
    if isinstance(error, ClientHttpProxyError):
        reason = Reason.PROXY if error.status == 407 else Reason.TUNNEL
        return Trouble(reason, words(f"the proxy answered {error.status} {error.message}"))
    if isinstance(error, ClientResponseError):
        return Trouble(Reason.PROTOCOL, words(error.message))
    if not journey.fresh and isinstance(error, ServerDisconnectedError | ClientOSError):
        return Trouble(Reason.STALE, "the connection kept from the last request was closed")
    return _broken_line(error)


def body_trouble(error: BaseException) -> Trouble:
    """Explain an incomplete body: `error` ended an exchange after its headers."""
    if isinstance(error, TimeoutError):
        return Trouble(Reason.TOTAL_TIMEOUT, "the body took too long")
    if isinstance(error, ClientPayloadError) and "ConnectionResetError" not in str(error):
        if isinstance(error.__cause__, ContentLengthError | TransferEncodingError):
            return Trouble(Reason.CUT_SHORT, words(error.__cause__.message))
        return Trouble(Reason.PROTOCOL, words(str(error)))
    return Trouble(Reason.RESET, "connection reset in the middle of the body")


def words(text: str) -> str:
    """Reduce any text to one short line for every terminal and database.

    >>> words("Bad status line:\\n  b'\\udcff'")
    "Bad status line: b'\\\\udcff'"
    """
    line = " ".join(text.split()).encode("utf-8", "backslashreplace").decode()
    return line if len(line) <= _LONGEST_DETAIL else f"{line[:_LONGEST_DETAIL]}…"


def _timeout(error: TimeoutError, journey: Journey, *, proxied: bool) -> Trouble:
    if isinstance(error, ConnectionTimeoutError) and proxied:
        return Trouble(Reason.PROXY, "no connection through the proxy in time")
    if isinstance(error, ConnectionTimeoutError):
        stage = "no connection in time" if journey.fresh else "no address for the name in time"
        return Trouble(Reason.CONNECT_TIMEOUT, stage)
    if isinstance(error, SocketTimeoutError):
        return Trouble(Reason.FIRST_BYTE_TIMEOUT, "connected, but no answer in time")
    return Trouble(Reason.TOTAL_TIMEOUT, "the headers took too long")


def _no_connection(error: ClientConnectorError, *, proxied: bool) -> Trouble:
    detail = _said(error.os_error)
    if isinstance(error, ClientProxyConnectionError) or (proxied and isinstance(error, ClientConnectorDNSError)):
        return Trouble(Reason.PROXY, f"the proxy cannot be reached: {detail}")
    if isinstance(error, ClientConnectorDNSError):
        return Trouble(Reason.DNS, detail)
    if isinstance(error, ClientSSLError):
        return Trouble(Reason.TLS, words(str(error.os_error)))
    if isinstance(error.os_error, ConnectionResetError):
        return Trouble(Reason.RESET, f"while connecting: {detail}")
    return Trouble(Reason.CONNECT, detail)


def _broken_line(error: BaseException) -> Trouble:
    if isinstance(error, ServerDisconnectedError) and isinstance(error.message, str):
        return Trouble(Reason.RESET, "connection closed without an answer")
    if isinstance(error, ServerDisconnectedError):
        return Trouble(Reason.CUT_SHORT, "connection closed in the middle of the headers")
    if isinstance(error, ssl.SSLError):
        return Trouble(Reason.TLS, words(str(error)))
    if isinstance(error, ClientOSError | ClientConnectionResetError):
        return Trouble(Reason.RESET, _said(error))
    if isinstance(error, InvalidURL):
        return Trouble(Reason.BAD_URL, words(str(error)))
    return Trouble(Reason.PROTOCOL, words(f"{type(error).__name__}: {error}"))


def _said(error: OSError) -> str:
    # asyncio writes "Connect call failed (address)" where the system says why; errors of a name have negative numbers.
    if error.errno and error.errno > 0:
        return os.strerror(error.errno)
    return words(error.strerror or str(error) or "no connection")
