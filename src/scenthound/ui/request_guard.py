"""The checks that every request must pass first.

In this order: the name that was asked for must be one of ours (DNS rebinding); a request that another site caused is
refused, unless it only opens a page (Origin, Sec-Fetch-Site: W3C Fetch Metadata); where a token is needed, there must
be a session or the token; the body must not be too large. Then headers are added to the answer.
"""

import html
import ipaddress
import json
from collections.abc import Awaitable, Callable, Collection, Mapping, MutableMapping
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie
from typing import Any, Final
from urllib.parse import parse_qsl, urlencode

from scenthound.services.news.feed_address import FEEDS
from scenthound.ui.headers import ALWAYS, NOTHING, with_nonce
from scenthound.ui.sessions import HOURS, Sessions, TooManyGuessesError

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

LARGEST: Final = 1_000_000  # bytes of a body
LARGEST_UPLOAD: Final = 20_000_000  # of one that may be a file of bookmarks
_UPLOADS: Final = "/_nicegui/client/"
_READING: Final = ("GET", "HEAD", "OPTIONS")
ENTRANCE: Final = "/enter"


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """Why a request is refused."""

    status: int
    text: str
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """The allowed host names, the port, and the sessions if a token is needed.

    `proxied` are those of its names that are a proxy's: to browsers the server is there by HTTPS, whatever the proxy
    speaks to us. With `addresses`, any address in numbers is one of its names: it listens on all of the machine's.
    """

    names: Collection[str]
    port: int
    proxied: Collection[str] = ()
    addresses: bool = False
    sessions: Sessions | None = None

    @property
    def cookie(self) -> str:
        """The name of the cookie. It has the port, because browsers share cookies between ports."""
        return f"scenthound_{self.port}"


class Guard:
    """An ASGI application around another one."""

    def __init__(self, app: App, rules: Rules) -> None:
        self.app = app
        self._rules = rules

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        request = Request(scope)
        refusal = refused(request, self._rules)
        if refusal is not None:
            await _refuse(scope, send, refusal)
        elif scope["type"] == "websocket":
            await self.app(scope, receive, send)
        else:
            await self._answer(scope, request, receive, send)

    async def _answer(self, scope: Scope, request: "Request", receive: Receive, send: Send) -> None:
        answer = _Answer(send)
        try:
            await self.app(scope, _measured(receive, request.largest), answer.send)
        except TooLargeError:
            if not answer.begun:
                await _refuse(scope, send, _too_large(request.largest))


class Request:
    """The parts of a request that the guard checks."""

    def __init__(self, scope: Scope) -> None:
        self.headers: dict[str, str] = {}
        for name, value in scope["headers"]:
            key = name.decode("latin-1").lower()
            self.headers[key] = (
                f"{self.headers[key]}, {value.decode('latin-1')}" if key in self.headers else value.decode("latin-1")
            )
        self.path: str = scope["path"]
        self.query: bytes = scope.get("query_string", b"")
        self.websocket: bool = scope["type"] == "websocket"
        self.method: str = scope.get("method", "GET")
        scheme = str(scope.get("scheme", "http"))
        self.scheme = {"ws": "http", "wss": "https"}.get(scheme, scheme)

    @property
    def largest(self) -> int:
        uploads = self.path == "/api/crawls" or self.path.startswith(_UPLOADS)
        return LARGEST_UPLOAD if self.method == "POST" and uploads else LARGEST

    @property
    def host(self) -> str:
        return self.headers.get("host", "")

    def cookie(self, name: str) -> str:
        try:
            morsel = SimpleCookie(self.headers.get("cookie", "")).get(name)
        except CookieError:
            return ""
        return morsel.value if morsel is not None else ""

    @property
    def bearer(self) -> str:
        kind, _, token = self.headers.get("authorization", "").partition(" ")
        return token.strip() if kind.lower() == "bearer" else ""


def refused(request: Request, rules: Rules) -> Refusal | None:
    """Return why a request is refused; None if it is allowed."""
    if not _is_our_name(request.host, rules):
        return Refusal(status=421, text="This server is not asked for under that name; --name adds one.")
    if _is_cross_site(request, rules):
        return Refusal(status=403, text="Another site caused this request; it is refused.")
    if (
        request.headers.get("content-length", "0").isdigit()
        and int(request.headers.get("content-length", "0")) > request.largest
    ):
        return _too_large(request.largest)
    if rules.sessions is None or request.path == ENTRANCE or _asks_for_feed(request):
        return None
    return _unknown(request, rules, rules.sessions)


def _asks_for_feed(request: Request) -> bool:
    """Tell whether a feed reader sent this request. It has no session; the route checks the secret in the address."""
    return request.path.startswith(FEEDS) and request.method in ("GET", "HEAD") and not request.websocket


def _is_our_name(host: str, rules: Rules) -> bool:
    name, port = _name_and_port(host)
    if port and port != str(rules.port) and name not in rules.names:
        return False
    return name in rules.names or (rules.addresses and _is_address(name))


def _name_and_port(host: str) -> tuple[str, str]:
    """Split a Host header.

    >>> _name_and_port("[::1]:8765"), _name_and_port("Box.example")
    (('::1', '8765'), ('box.example', ''))
    """
    name, _, port = host.rpartition(":") if ":" in host and not host.endswith("]") else (host, "", "")
    return (name or host).strip("[]").lower(), port


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _is_cross_site(request: Request, rules: Rules) -> bool:
    """Return whether another site caused the request. Programs other than browsers send neither header.

    To open one of our pages from elsewhere changes nothing and is allowed; to load data, or to send anything, is not.
    """
    origin, site = request.headers.get("origin"), request.headers.get("sec-fetch-site")
    if origin is not None and not _is_own_origin(origin, request, rules):
        return True
    if site in (None, "same-origin", "none"):
        return False
    opened = request.headers.get("sec-fetch-mode") == "navigate" and request.headers.get("sec-fetch-dest") == "document"
    return request.websocket or request.method not in _READING or not opened or request.path.startswith("/api/")


def _is_own_origin(origin: str, request: Request, rules: Rules) -> bool:
    """Return whether an origin is our own: the same name and port, and a scheme that we serve."""
    scheme, _, place = origin.lower().partition("://")
    if scheme not in _schemes(request, rules):
        return False
    usual = {"http": ":80", "https": ":443"}[scheme]
    return place.removesuffix(usual) == request.host.lower().removesuffix(usual)


def _schemes(request: Request, rules: Rules) -> Collection[str]:
    """Return the schemes that the browser may have used. A proxy may name it."""
    if _name_and_port(request.host)[0] not in rules.proxied:
        return (request.scheme,)
    said = request.headers.get("x-forwarded-proto", "").lower()
    return (said,) if said in ("http", "https") else ("http", "https")


def _unknown(request: Request, rules: Rules, sessions: Sessions) -> Refusal | None:
    if sessions.holds(request.cookie(rules.cookie)):
        return None
    given = dict(parse_qsl(request.query.decode("latin-1"))).get("token", "")
    try:
        if request.bearer and sessions.is_token(request.bearer):
            return None
        session = sessions.enter(given) if given and request.method == "GET" and not request.websocket else None
    except TooManyGuessesError:
        return Refusal(status=429, text="Too many wrong tokens; wait a minute.", headers={"retry-after": "60"})
    if session is not None:
        return _let_in(request, session_cookie(rules, session, request.headers))
    if request.method == "GET" and not request.websocket and not request.path.startswith("/api/") and not given:
        return Refusal(status=303, text="", headers={"location": ENTRANCE})
    return Refusal(
        status=401,
        text="The token that was printed at the start is needed here.",
        headers={"www-authenticate": "Bearer"},
    )


def _let_in(request: Request, cookie: str) -> Refusal:
    """Redirect to the same URL without the token.

    A browser that came by a link elsewhere, be it in a file, would not show a strict cookie to the address that it is
    led to: to it the other site has still a hand in it. A page of ours that leads on ends that.
    """
    place = _without_token(request)
    if request.headers.get("sec-fetch-site") in (None, "none", "same-origin"):
        return Refusal(status=303, text="", headers={"location": place, "set-cookie": cookie})
    page = f'<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0; url={html.escape(place)}">'
    return Refusal(status=200, text=page, headers={"content-type": "text/html; charset=utf-8", "set-cookie": cookie})


def session_cookie(rules: Rules, session: str, headers: Mapping[str, str]) -> str:
    """Return the cookie. It is only for HTTPS if a proxy says that the browser uses HTTPS."""
    secure = "; Secure" if headers.get("x-forwarded-proto", "").lower() == "https" else ""
    return f"{rules.cookie}={session}; Path=/; HttpOnly; SameSite=Strict; Max-Age={3600 * HOURS}{secure}"


def _without_token(request: Request) -> str:
    rest = [(name, value) for name, value in parse_qsl(request.query.decode("latin-1")) if name != "token"]
    path = "/" + request.path.lstrip("/\\")  # "//elsewhere" would lead elsewhere
    return f"{path}?{urlencode(rest)}" if rest else path


class TooLargeError(Exception):
    """The body is larger than allowed."""


def _too_large(largest: int) -> Refusal:
    return Refusal(
        status=413, text=f"More than {largest // 1_000_000} MB are not taken here.", headers={"connection": "close"}
    )


def _measured(receive: Receive, largest: int) -> Receive:
    taken = 0

    async def measured() -> Message:
        nonlocal taken
        message = await receive()
        taken += len(message.get("body", b""))
        if taken > largest:
            raise TooLargeError
        return message

    return measured


class _Answer:
    """Sends a response with our headers. A page is held back until it is complete, because its scripts need nonces."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._start: Message | None = None
        self._page = b""
        self.begun = False

    async def send(self, message: Message) -> None:
        self.begun = True
        if message["type"] == "http.response.start":
            headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in message["headers"]}
            if headers.get("content-type", "").startswith("text/html") and "content-security-policy" not in headers:
                self._start = message
                return
            await self._send(
                {**message, "headers": _with(message["headers"], {"content-security-policy": NOTHING} | dict(ALWAYS))}
            )
        elif self._start is None:
            await self._send(message)
        else:
            await self._hold(message)

    async def _hold(self, message: Message) -> None:
        assert self._start is not None
        self._page += message.get("body", b"")
        if message.get("more_body", False):
            return
        page, policy = with_nonce(self._page)
        kept = [pair for pair in self._start["headers"] if pair[0].lower() not in (b"content-length", b"cache-control")]
        more = {"content-security-policy": policy, "content-length": str(len(page)), "cache-control": "no-store"}
        await self._send({**self._start, "headers": _with(kept, more | dict(ALWAYS))})
        await self._send({"type": "http.response.body", "body": page})


def _with(headers: Collection[tuple[bytes, bytes]], more: Mapping[str, str]) -> list[tuple[bytes, bytes]]:
    """Add headers that are not there yet."""
    there = {name.lower() for name, _ in headers}
    return [*headers, *((name.encode(), value.encode()) for name, value in more.items() if name.encode() not in there)]


async def _refuse(scope: Scope, send: Send, refusal: Refusal) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008, "reason": refusal.text})
        return
    api = scope["path"].startswith("/api/")  # whose errors have one form
    body = json.dumps({"error": refusal.text}, ensure_ascii=False).encode() if api else refusal.text.encode()
    headers = {
        "content-type": "application/json" if api else "text/plain; charset=utf-8",
        "content-length": str(len(body)),
        "cache-control": "no-store",
    }
    headers |= {"content-security-policy": NOTHING, **ALWAYS, **refusal.headers}
    pairs = [(name.encode(), value.encode("latin-1", "replace")) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": refusal.status, "headers": pairs})
    await send({"type": "http.response.body", "body": body})
