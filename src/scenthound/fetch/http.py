"""Fetching over HTTP/1.1 (RFC 9110, RFC 9112) with aiohttp: one exchange per call, bounded in time and bytes.

It does not follow redirects or decode content codings: a redirect is a separate claim in the crawl, and the archive
needs the raw bytes. Whatever a server does, the result is a `Fetch`.
"""

from collections.abc import Sequence
from contextlib import AsyncExitStack
from importlib.metadata import version
from ipaddress import ip_address
from types import TracebackType
from typing import Self

import ada_url
from aiohttp import (
    ClientConnectorError,
    ClientHandlerType,
    ClientOSError,
    ClientRequest,
    ClientResponse,
    ClientSession,
    ClientTimeout,
    DummyCookieJar,
    ServerDisconnectedError,
    TCPConnector,
)
from aiohttp.connector import Connection
from yarl import URL

from scenthound.clock import Clock
from scenthound.errors import OpenFilesError
from scenthound.fetch.answer import (
    charset_of,
    clean,
    is_wanted,
    joined,
    length_of,
    limit_of,
    mime_of,
    retry_after,
    status_reason,
    validator,
)
from scenthound.fetch.connect import JOURNEY, Doorkeeper, Journey
from scenthound.fetch.fetcher import NotSentError, Request
from scenthound.fetch.guard import Guard
from scenthound.fetch.names import Lookup, NameMemory, SystemLookup, WrittenNames
from scenthound.fetch.response import Response, received_head, sent_head
from scenthound.fetch.trouble import TROUBLES, Trouble, body_trouble, trouble_of, words
from scenthound.parse.ports import BLOCKED
from scenthound.parse.urls import is_plain
from scenthound.settings.schema import PROJECT_URL, FetchSettings
from scenthound.types import Fetch, Reason

# Bytes kept of the body of an error or a redirect, for the archive; a longer body is no failure.
_ASIDE = 256 * 1024
# Connections beyond the crawl's own bound, so that one being closed never makes a claim wait.
_SPARE_CONNECTIONS = 8
# A kept connection is reused within the host's delay or hardly ever. aiohttp's limit does not count idle ones: at 100
# hosts a second, 15 s (its default) would hold 1,500 sockets, beyond the usual 1,024 open files.
_KEEP_ALIVE = 6.0
_DNS_THREADS = 64
# How often to send a request if the server had closed the kept connection (RFC 9112 §9.3.1). With a delay, once: a
# server that cuts connections on purpose would get two requests without a pause, so the crawl asks again later.
_STALE_TRIES = 3
# Some sites send a Link or policy header of 20 KB and more; aiohttp's 8,190 bytes would lose them.
_LONGEST_HEADER = 65_536


def user_agent_of(settings: FetchSettings) -> str:
    """Return the User-Agent header: product and version, the project's address, the contact.

    >>> user_agent_of(FetchSettings(contact="me@example.org"))  # doctest: +ELLIPSIS
    'scenthound/... (+https://...; me@example.org)'
    """
    about = f"+{PROJECT_URL}; {settings.contact}" if settings.contact else f"+{PROJECT_URL}"
    product = settings.user_agent if "/" in settings.user_agent else f"{settings.user_agent}/{version('scenthound')}"
    return f"{product} ({about})"


class HttpFetcher:
    """Fetches from real servers. Use it in an `async with`; many fetches can be under way at once.

    `lookup` replaces the machine's resolver.
    """

    def __init__(self, settings: FetchSettings, clock: Clock, *, lookup: Lookup | None = None) -> None:
        self._settings = settings
        self._clock = clock
        self._lookup = lookup
        self._types = frozenset(settings.types)
        self._guard = Guard(settings.allow_private)
        self._written = WrittenNames(settings.resolve)
        self._proxied = bool(settings.proxy)
        self._stale_tries = 1 if settings.delay else _STALE_TRIES
        self._stack = AsyncExitStack()
        self._session: ClientSession | None = None

    async def __aenter__(self) -> Self:
        lookup = self._lookup or self._stack.enter_context(SystemLookup(min(self._settings.concurrency, _DNS_THREADS)))
        doorkeeper = Doorkeeper(
            # With a proxy, the only connection is to the proxy, which the user chose.
            guard=Guard(["0.0.0.0/0", "::/0"]) if self._proxied else self._guard,
            written=self._written,
            memory=NameMemory(lookup, self._clock),
        )
        self._stack.push_async_callback(doorkeeper.close)
        self._session = await self._stack.enter_async_context(_session(self._settings, doorkeeper))
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._session = None
        await self._stack.aclose()

    async def fetch(self, request: Request) -> Fetch:
        """Do one HTTP exchange and return its result."""
        started = self._clock.now()
        target = _target(request.url)
        if target is None:
            return self._failed(request, started, Trouble(Reason.BAD_URL, "not an http or https URL"))
        if target.port in BLOCKED:  # for example a redirect of robots.txt; links are refused when they are found
            return self._failed(request, started, Trouble(Reason.BLOCKED_PORT, f"port {target.port}"))
        journey = Journey(host=target.raw_host or "", may_send=request.may_send)
        if self._proxied and self._is_private_literal(journey):
            return self._failed(request, started, trouble_of(OSError(), journey, proxied=True))
        token = JOURNEY.set(journey)
        try:
            response = await self._ask(request, target, journey)
            try:
                return await self._read(request, started, target, response)
            finally:
                response.release()  # an unread rest of the body costs the connection
        except TROUBLES as error:
            if OpenFilesError.explains(error):
                raise OpenFilesError from error  # no host is to blame
            return self._failed(request, started, trouble_of(error, journey, proxied=self._proxied))
        finally:
            JOURNEY.reset(token)

    async def _ask(self, request: Request, target: URL, journey: Journey) -> Response:
        if self._session is None:
            raise RuntimeError("an HttpFetcher is used in `async with`")
        headers = _extra_headers(request)
        for tries_left in reversed(range(self._stale_tries)):
            journey.fresh = False
            try:
                response = await self._session.get(target, headers=headers, allow_redirects=False)
                assert isinstance(response, Response)  # the session makes this class
                return response
            except _BrokenLineError as broken:
                if journey.fresh or not tries_left:
                    raise broken.error from broken
        raise AssertionError("the last try returns or raises")

    async def _read(self, request: Request, started: float, target: URL, response: Response) -> Fetch:
        first_byte = self._clock.now() - started
        headers = response.headers
        content_type = headers.get("Content-Type", "")
        mime = mime_of(content_type)
        location = _location(response, target)
        data, trouble = await self._payload(request, response, mime, location)
        finished = self._clock.now()
        wait = headers.get("Retry-After")
        return Fetch(
            url=request.url,
            started=started,
            finished=finished,
            reason=trouble.reason if trouble else None,
            detail=trouble.detail if trouble else "",
            status=response.status,
            head=received_head(response),
            request_head=sent_head(response.request_info, to_proxy=self._proxied),
            body=data,
            mime=mime,
            charset=charset_of(content_type) if ";" in content_type else "",
            coding=clean(headers.get("Content-Encoding", "").strip().lower()),
            location=location or "",
            etag=validator(headers.get("ETag")),
            last_modified=validator(headers.get("Last-Modified")),
            retry_after=retry_after(wait, headers.get("Date"), finished) if wait else None,
            ip="" if self._proxied else response.peer,
            first_byte=first_byte,
        )

    async def _payload(
        self, request: Request, response: Response, mime: str, location: str | None
    ) -> tuple[bytes, Trouble | None]:
        limit = limit_of(self._settings.max_body, mime) if request.max_body is None else request.max_body
        if not 200 <= response.status < 300:
            aside = await response.body(min(limit, _ASIDE))
            return aside.data, self._status_trouble(response, location)
        refusal = self._refusal(request, response, mime, limit)
        if refusal is not None:
            return b"", refusal
        body = await response.body(limit)
        if body.error is not None:
            return body.data, body_trouble(body.error)
        if body.over and not request.cut_at_limit:
            return b"", Trouble(Reason.TOO_LARGE, f"more than {limit:,} bytes")
        return body.data, None

    def _refusal(self, request: Request, response: Response, mime: str, limit: int) -> Trouble | None:
        if not request.any_type and not is_wanted(self._types, mime):
            return Trouble(Reason.UNSUPPORTED_TYPE, words(mime))
        length = length_of(response.headers.get("Content-Length"))
        if length is not None and length > limit and not request.cut_at_limit:
            return Trouble(Reason.TOO_LARGE, f"{length:,} bytes announced, {limit:,} allowed")
        return None

    def _status_trouble(self, response: Response, location: str | None) -> Trouble | None:
        status = response.status
        if status == 407 and self._proxied:
            return Trouble(Reason.PROXY, "the proxy asks for credentials; write them into fetch.proxy")
        if 300 <= status < 400 and status != 304 and not location:
            where = "no Location" if location is None else "a Location that is no URL"
            return Trouble(Reason.BAD_REDIRECT, f"{status} with {where}")
        reason = status_reason(status)
        return Trouble(reason, words(f"{status} {response.reason or ''}")) if reason else None

    def _is_private_literal(self, journey: Journey) -> bool:
        """Tell whether a URL for the proxy names a private address literally; only the proxy knows other names."""
        host = journey.host
        if host == "localhost" or host.endswith(".localhost"):
            host = "127.0.0.1"
        elif not _is_address(host):
            return False
        journey.refused = "" if self._guard.permits(host, journey.host) else host
        return bool(journey.refused)

    def _failed(self, request: Request, started: float, trouble: Trouble) -> Fetch:
        return Fetch(
            url=request.url,
            started=started,
            finished=self._clock.now(),
            reason=trouble.reason,
            detail=trouble.detail,
        )


class _BrokenLineError(Exception):
    """Carries an error past aiohttp's own retry, which would send twice even on a fresh connection."""

    def __init__(self, error: ClientOSError | ServerDisconnectedError) -> None:
        super().__init__(str(error))
        self.error = error


class _LastWord(ClientRequest):
    """Asks whether the request may be sent when it has a connection."""

    async def send(self, conn: Connection) -> ClientResponse:
        if not JOURNEY.get().may_send():
            raise NotSentError(f"{self.url}: not sent")
        return await super().send(conn)


async def _once(request: ClientRequest, send: ClientHandlerType) -> ClientResponse:
    try:
        return await send(request)
    except ClientConnectorError:
        raise
    except (ClientOSError, ServerDisconnectedError) as error:
        raise _BrokenLineError(error) from error


def _session(settings: FetchSettings, doorkeeper: Doorkeeper) -> ClientSession:
    connector = TCPConnector(
        limit=settings.concurrency + _SPARE_CONNECTIONS,
        resolver=doorkeeper,
        use_dns_cache=False,  # the doorkeeper has its own cache, with failures
        socket_factory=doorkeeper.socket,
        keepalive_timeout=_KEEP_ALIVE,
        ssl=settings.verify_tls,
    )
    return ClientSession(
        connector=connector,
        headers={
            "User-Agent": user_agent_of(settings),
            "Accept": _accept_header(settings.types),
            "Accept-Encoding": "gzip, deflate, br, zstd",
        },
        timeout=ClientTimeout(
            total=settings.timeout, connect=settings.connect_timeout, sock_read=settings.first_byte_timeout
        ),
        cookie_jar=DummyCookieJar(),
        request_class=_LastWord,
        response_class=Response,
        middlewares=(_once,),
        auto_decompress=False,
        max_line_size=_LONGEST_HEADER,
        max_field_size=_LONGEST_HEADER,
        proxy=settings.proxy or None,
    )


def _target(url: str) -> URL | None:
    """Return the URL to request: in WHATWG spelling, without credentials, or None if it is not for HTTP.

    >>> _target("http://me:secret@0x7f.1/a b"), _target("ftp://a.test/")
    (URL('http://127.0.0.1/a%20b'), None)
    """
    try:
        target = URL(url if is_plain(url) else ada_url.normalize_url(url), encoded=True)
    except ValueError:
        return None
    if target.scheme not in ("http", "https") or not target.raw_host:
        return None
    return target if target.raw_user is None and target.raw_password is None else target.with_user(None)


def _extra_headers(request: Request) -> dict[str, str] | None:
    headers = {}
    if request.any_type:
        headers["Accept"] = "*/*"
    if request.etag:
        headers["If-None-Match"] = request.etag
    if request.last_modified:
        headers["If-Modified-Since"] = request.last_modified
    return headers or None


def _location(response: Response, target: URL) -> str | None:
    """Return the target of a redirect: None without a Location, "" for an unreadable one."""
    if not 300 <= response.status < 400:
        return None
    raw = next((value for name, value in response.raw_headers if name.lower() == b"location"), None)
    return None if raw is None else joined(str(target), raw) or ""


def _is_address(host: str) -> bool:
    if not host[-1:].isdigit() and ":" not in host:
        return False  # the URL standard's form of addresses; an exception would take 10 µs
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def _accept_header(types: Sequence[str]) -> str:
    """Prefer pages: otherwise a server with a choice might send a feed or Markdown.

    >>> _accept_header(["text/html", "application/pdf"])
    'text/html,*/*;q=0.5'
    """
    return ",".join([*(mime for mime in types if "html" in mime), "*/*;q=0.5"])
