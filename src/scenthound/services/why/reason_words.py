"""Words for what the crawl keeps as codes: every reason for which a URL has no page, every way a link was found.

A test holds that no code is without its words; the reference of errors in the docs is made from them.
"""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from scenthound.events import Finding
from scenthound.types import LinkKind, Reason

REASONS: dict[Reason, str] = {
    Reason.BAD_URL: "the address cannot be read as one",
    Reason.URL_TOO_LONG: "the address is longer than fetch.max_url, or its host than fetch.max_host",
    Reason.BLOCKED_PORT: "its port is one that belongs to another service than the web, and that browsers refuse too",
    Reason.OUTSIDE: "it lies outside of what fetch.only names",
    Reason.LOCKED: "the settings lock it: a pattern in fetch.locked fits",
    Reason.NOFOLLOW: "every page that links to it marks the link nofollow (crawl.nofollow)",
    Reason.TRAP: "its form is that of a trap: URLs that never end and bring nothing new (crawl.traps)",
    Reason.CROWDED_DOMAIN: "its domain has more hosts than its pages speak for, as one that makes up names; "
    "such links are not stored (crawl.traps)",
    Reason.TOO_DEEP: "it is more steps from the seeds than crawl.depth allows",
    Reason.OFF_TOPIC: "no page leads to it that the critic finds on topic, or near enough (crawl.focus, crawl.tunnel)",
    Reason.ROBOTS: "the site's robots.txt does not allow it",
    Reason.ROBOTS_UNREACHABLE: "the site's robots.txt could not be fetched, so nothing there may be (RFC 9309)",
    Reason.PRIVATE_ADDRESS: "its host has a private address, which fetch.allow_private does not list",
    Reason.DNS: "the name of its host has no address",
    Reason.CONNECT: "the server did not take the connection",
    Reason.CONNECT_TIMEOUT: "the server could not be reached within fetch.connect_timeout",
    Reason.TLS: "no secure connection could be made: the certificate or the handshake failed",
    Reason.TUNNEL: "the proxy would not make a connection to the host",
    Reason.PROXY: "the proxy (fetch.proxy) did not take the request",
    Reason.FIRST_BYTE_TIMEOUT: "no answer began within fetch.first_byte_timeout",
    Reason.TOTAL_TIMEOUT: "the answer was not complete within fetch.timeout",
    Reason.RESET: "the server closed the connection in the middle",
    Reason.STALE: "the connection kept from the last request was closed; it is asked again after the host's delay",
    Reason.PROTOCOL: "what came back is not HTTP as the standard has it",
    Reason.HTTP_ERROR: "the server answered that there is no such page, or not for us (a 4xx status)",
    Reason.OVERLOADED: "the server asked us to come back later (429 or 503)",
    Reason.SERVER_ERROR: "the server failed (a 5xx status)",
    Reason.REDIRECT_LOOP: "it redirects in a circle",
    Reason.TOO_MANY_REDIRECTS: "it redirects more often than fetch.max_redirects allows",
    Reason.BAD_REDIRECT: "it redirects to something that is not a web address",
    Reason.CUT_SHORT: "the answer ended before the length that it announced",
    Reason.TOO_LARGE: "the body is larger than fetch.max_body allows",
    Reason.UNSUPPORTED_TYPE: "it is not of a type listed in fetch.types",
    Reason.BAD_CODING: "its compression is damaged or unknown",
    Reason.BOMB: "it unpacks to more than fetch.max_unpacked, or is built to make its reader do endless work",
    Reason.DAMAGED: "it is broken or cut off inside, so that it cannot be read as what it is",
    Reason.PROTECTED: "it is locked with a password",
    Reason.READ_TIMEOUT: "reading it took longer than read.timeout",
    Reason.READ_MEMORY: "reading it took more memory than read.memory",
    Reason.READER_DIED: "the worker process that read it died",
}

KINDS: dict[LinkKind, str] = {
    LinkKind.SEED: "a seed",
    LinkKind.ANCHOR: "a link",
    LinkKind.AREA: "an area of an image map",
    LinkKind.FRAME: "a frame",
    LinkKind.REFRESH: "a meta refresh",
    LinkKind.CANONICAL: "a canonical address",
    LinkKind.HREFLANG: "a version in another language",
    LinkKind.REDIRECT: "a redirect",
    LinkKind.TRUNCATION: "the address of a relevant page, cut shorter",
    LinkKind.BACKWARD: "a page that cites a good one",
}


def reason_words(reason: str) -> str:
    """Return the words for a code as the census and the hosts keep it, or the code itself if it is none of ours.

    >>> reason_words("dns")
    'the name of its host has no address'
    """
    return {str(known): words for known, words in REASONS.items()}.get(reason, reason)


def moment(at: float) -> str:
    """Write a moment for people.

    >>> moment(0.0)
    '1970-01-01 00:00:00 UTC'
    """
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


def iso(at: float) -> str:
    """Write a moment for programs, in ISO 8601.

    >>> iso(1.5)
    '1970-01-01T00:00:01.500Z'
    """
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def finding_lines(findings: Sequence[Finding]) -> Iterator[str]:
    """Say what a crawl has noticed about itself and what may help."""
    for one in findings:
        yield from one.text.splitlines()
