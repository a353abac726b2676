"""Why a URL has no page.

A thing that went wrong on the web is one of these, not an exception.
"""

from enum import StrEnum


class Reason(StrEnum):
    """Why a URL has no page, in one word that stays the same in code, database and docs."""

    # decided before anything is sent
    BAD_URL = "bad-url"
    URL_TOO_LONG = "url-too-long"
    BLOCKED_PORT = "blocked-port"
    LOCKED = "locked"
    OUTSIDE = "outside"
    NOFOLLOW = "nofollow"
    TRAP = "trap"
    CROWDED_DOMAIN = "crowded-domain"
    TOO_DEEP = "too-deep"
    OFF_TOPIC = "off-topic"
    ROBOTS = "robots"
    ROBOTS_UNREACHABLE = "robots-unreachable"
    # the way to the server
    PRIVATE_ADDRESS = "private-address"
    DNS = "dns"
    CONNECT = "connect"
    CONNECT_TIMEOUT = "connect-timeout"
    TLS = "tls"
    PROXY = "proxy"
    TUNNEL = "tunnel"
    FIRST_BYTE_TIMEOUT = "first-byte-timeout"
    TOTAL_TIMEOUT = "total-timeout"
    RESET = "reset"
    STALE = "stale-connection"
    PROTOCOL = "protocol"
    # what the server said
    HTTP_ERROR = "http-error"
    OVERLOADED = "overloaded"
    SERVER_ERROR = "server-error"
    REDIRECT_LOOP = "redirect-loop"
    TOO_MANY_REDIRECTS = "too-many-redirects"
    BAD_REDIRECT = "bad-redirect"
    CUT_SHORT = "cut-short"
    TOO_LARGE = "too-large"
    UNSUPPORTED_TYPE = "unsupported-type"
    # reading it
    BAD_CODING = "bad-coding"
    BOMB = "bomb"
    DAMAGED = "damaged"
    PROTECTED = "protected"
    READ_TIMEOUT = "read-timeout"
    READ_MEMORY = "read-memory"
    READER_DIED = "reader-died"

    @property
    def blames_host(self) -> bool:
        """Whether it counts towards the three tries after which a host is bad (BINGO §4.2)."""
        return self in _HOST_TROUBLE

    @property
    def is_an_answer(self) -> bool:
        """Whether the server answered and would answer the same again: this address has nothing to give."""
        return self in ANSWERS

    @property
    def may_pass(self) -> bool:
        """Whether the same request may succeed later, so that the URL is tried again."""
        return self in _HOST_TROUBLE or self in _PASSING


_HOST_TROUBLE = frozenset(
    {
        Reason.DNS,
        Reason.CONNECT,
        Reason.CONNECT_TIMEOUT,
        Reason.TLS,
        Reason.TUNNEL,
        Reason.FIRST_BYTE_TIMEOUT,
        Reason.TOTAL_TIMEOUT,
        Reason.RESET,
        Reason.ROBOTS_UNREACHABLE,
    }
)
ANSWERS = frozenset(
    {
        Reason.HTTP_ERROR,
        Reason.REDIRECT_LOOP,
        Reason.TOO_MANY_REDIRECTS,
        Reason.BAD_REDIRECT,
        Reason.TOO_LARGE,
        Reason.UNSUPPORTED_TYPE,
        Reason.BAD_CODING,
        Reason.BOMB,
        Reason.DAMAGED,
        Reason.PROTECTED,
    }
)
_PASSING = frozenset({Reason.STALE, Reason.OVERLOADED, Reason.SERVER_ERROR, Reason.CUT_SHORT, Reason.PROXY})
