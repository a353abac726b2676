"""Hosts that try a crawler's manners: redirects, overload and Retry-After, and robots.txt in all its states (RFC
9309).
"""

from collections.abc import Mapping
from email.utils import formatdate
from time import time

from tests.badweb.conversation import Conversation, Site, page


async def redirect_loop(it: Conversation) -> None:
    """Two pages that each point to the other."""
    await _redirect(it, "/b" if it.path == "/a" else "/a")


async def redirect_chain(it: Conversation) -> None:
    """/5 leads to a page in five steps; / does in twenty."""
    left = int(it.path.strip("/") or 20)
    if left:
        await _redirect(it, f"/{left - 1}")
    else:
        await it.answer(page("The end of the chain"))


async def redirect_private(it: Conversation) -> None:
    """Points to the trap, on a private address, in the spelling that the path names: /decimal, /octal, /hex, …"""
    spellings = {
        "/decimal": "2130706433",
        "/octal": "0177.0.0.1",
        "/hex": "0x7f.1",
        "/short": "127.1",
        "/mapped": "[::ffff:127.0.0.1]",
        "/name": "localhost",
    }
    await _redirect(it, f"http://{spellings.get(it.path, '127.0.0.1')}:{it.trap_port}/")


async def redirect_nowhere(it: Conversation) -> None:
    """A 302 without a Location; /garbage has one that is no URL."""
    if it.path == "/garbage":
        await it.answer(status="302 Found", location="http://[not-an-address/")
    else:
        await it.answer(status="302 Found")


async def redirect_latin(it: Conversation) -> None:
    """A Location with bytes that are no UTF-8."""
    await it.send(b"HTTP/1.1 301 Moved\r\nLocation: /caf\xe9\r\nContent-Length: 0\r\n\r\n")


async def missing(it: Conversation) -> None:
    """404 for everything."""
    await it.answer(page("Not found"), status="404 Not Found")


async def failing(it: Conversation) -> None:
    """500 for everything."""
    await it.answer(page("It broke"), status="500 Internal Server Error")


async def retry_seconds(it: Conversation) -> None:
    """429 with a Retry-After of one second at the first visit, then a page."""
    if it.number == 1:
        await it.answer(status="429 Too Many Requests", retry_after="1")
    else:
        await it.answer(page("Thank you for waiting"))


async def retry_date(it: Conversation) -> None:
    """503 with a Retry-After as a date two seconds ahead at the first visit, then a page. Its clock is an hour slow."""
    now = time() - 3600
    if it.number == 1:
        later, date = formatdate(now + 2, usegmt=True), formatdate(now, usegmt=True)
        await it.answer(status="503 Service Unavailable", retry_after=later, date=date)
    else:
        await it.answer(page("Thank you for waiting"))


async def overloaded(it: Conversation) -> None:
    """503 for ever."""
    await it.answer(status="503 Service Unavailable")


async def unchanged(it: Conversation) -> None:
    """A page with an ETag and a date, and 304 for whoever has it."""
    if '"one"' in it.headers.get("if-none-match", ""):
        await it.send(b'HTTP/1.1 304 Not Modified\r\nETag: "one"\r\n\r\n')
    else:
        await it.answer(page("Version one"), etag='"one"', last_modified="Wed, 21 Oct 2015 07:28:00 GMT")


async def biscuits(it: Conversation) -> None:
    """Sets a cookie, and says in its page whether one came back."""
    await it.answer(page(it.headers.get("cookie", "no cookie")), set_cookie="id=1; Path=/")


async def robots_hangs(it: Conversation) -> None:
    """A robots.txt that never comes."""
    await it.hang()


async def robots_huge(it: Conversation) -> None:
    """Ten megabytes of robots.txt: /private/ is forbidden at its beginning, everything at its end."""
    filler = b"# a line of no consequence\n" * 380_000
    await it.answer(b"User-agent: *\nDisallow: /private/\n" + filler + b"Disallow: /\n", content_type="text/plain")


async def robots_missing(it: Conversation) -> None:
    """404: no rules."""
    await it.answer(status="404 Not Found")


async def robots_forbidden(it: Conversation) -> None:
    """403: no rules, says RFC 9309 §2.3.1.3."""
    await it.answer(status="403 Forbidden")


async def robots_failing(it: Conversation) -> None:
    """500: nothing may be fetched, says RFC 9309 §2.3.1.4."""
    await it.answer(status="500 Internal Server Error")


async def robots_chain(it: Conversation) -> None:
    """Four redirects to the rules, one less than a crawler must follow (RFC 9309 §2.3.1.2)."""
    await _redirect(it, "http://robots-steps.bad.test/3")


async def robots_steps(it: Conversation) -> None:
    """The steps of `robots-chain`, and at /0 its rules: /private/ is forbidden."""
    left = int(it.path.strip("/") or 0)
    if left:
        await _redirect(it, f"/{left - 1}")
    else:
        await _rules(it)


async def robots_loop(it: Conversation) -> None:
    """A robots.txt that points to itself."""
    await _redirect(it, "/robots.txt")


async def robots_elsewhere(it: Conversation) -> None:
    """A robots.txt that lies on another host; /private/ is forbidden there."""
    await _redirect(it, "http://robots-steps.bad.test/0")


async def robots_private(it: Conversation) -> None:
    """A robots.txt that is said to lie on this machine."""
    await _redirect(it, f"http://127.0.0.1:{it.trap_port}/robots.txt")


async def robots_busy(it: Conversation) -> None:
    """429 with a Retry-After of one second at the first visit; then the rules: /private/ is forbidden."""
    if it.number == 1:
        await it.answer(status="429 Too Many Requests", retry_after="1")
    else:
        await _rules(it)


async def robots_strict(it: Conversation) -> None:
    """Forbids /private/."""
    await _rules(it)


async def crawl_delay(it: Conversation) -> None:
    """Asks for two seconds between requests."""
    await it.answer(b"User-agent: *\nCrawl-delay: 2\n", content_type="text/plain")


async def public_and_private(it: Conversation) -> None:
    """A page with one link that robots.txt allows and one that it forbids; every path is such a page."""
    await it.answer(page(f"Page {it.path}", "/public/page", "/private/page"))


async def _redirect(it: Conversation, where: str) -> None:
    await it.answer(page("Elsewhere", where), status="302 Found", location=where)


async def _rules(it: Conversation) -> None:
    await it.answer(b"User-agent: *\nDisallow: /private/\n", content_type="text/plain")


# Hosts whose robots.txt is the point; their pages are proper.
ROBOTS: Mapping[str, Site] = {
    "robots-hangs": robots_hangs,
    "robots-huge": robots_huge,
    "robots-missing": robots_missing,
    "robots-forbidden": robots_forbidden,
    "robots-failing": robots_failing,
    "robots-chain": robots_chain,
    "robots-loop": robots_loop,
    "robots-elsewhere": robots_elsewhere,
    "robots-private": robots_private,
    "robots-busy": robots_busy,
    "robots-strict": robots_strict,
    "crawl-delay": crawl_delay,
}
MANNERS: Mapping[str, Site] = {
    "redirect-loop": redirect_loop,
    "redirect-chain": redirect_chain,
    "redirect-private": redirect_private,
    "redirect-nowhere": redirect_nowhere,
    "redirect-latin": redirect_latin,
    "missing": missing,
    "failing": failing,
    "retry-seconds": retry_seconds,
    "retry-date": retry_date,
    "overloaded": overloaded,
    "unchanged": unchanged,
    "biscuits": biscuits,
    "robots-steps": robots_steps,
    **dict.fromkeys(ROBOTS, public_and_private),
}
