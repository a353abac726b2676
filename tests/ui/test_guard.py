"""Who gets past the guard: names, origins, tokens, sizes; every refusal before anything else is asked."""

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

from scenthound.ui.request_guard import LARGEST, Guard, Message, Receive, Request, Rules, Scope, Send, refused
from scenthound.ui.sessions import GUESSES, Sessions, TooManyGuessesError

OURS = "127.0.0.1:8765"
LOCAL = Rules(names={"localhost", "127.0.0.1", "::1"}, port=8765)


def request(path: str = "/", *, method: str = "GET", query: str = "", kind: str = "http", **headers: str) -> Request:
    given = {"host": OURS} | {name.replace("_", "-"): value for name, value in headers.items()}
    return Request(_scope(path, method, query, kind, given))


def _scope(path: str, method: str, query: str, kind: str, headers: Mapping[str, str]) -> dict[str, Any]:
    pairs = [(name.encode(), value.encode()) for name, value in headers.items()]
    scheme = "ws" if kind == "websocket" else "http"
    return {
        "type": kind,
        "path": path,
        "method": method,
        "query_string": query.encode(),
        "headers": pairs,
        "scheme": scheme,
    }


def status(asked: Request, rules: Rules = LOCAL) -> int | None:
    refusal = refused(asked, rules)
    return None if refusal is None else refusal.status


@pytest.mark.parametrize("host", [OURS, "localhost:8765", "[::1]:8765", "LOCALHOST:8765"])
def test_our_names_are_let_through(host: str) -> None:
    assert status(request(host=host)) is None


@pytest.mark.parametrize(
    "host", ["evil.test", "evil.test:8765", "127.0.0.1.evil.test:8765", "", "10.0.0.1:8765", "evil@127.0.0.1"]
)
def test_other_names_are_not(host: str) -> None:
    assert status(request(host=host)) == 421


def test_where_it_listens_on_all_addresses_any_address_is_a_name_of_ours() -> None:
    rules = Rules(names={"box"}, port=8765, addresses=True)
    assert [status(request(host=host), rules) for host in ("10.0.0.1:8765", "box:8765", "evil.test:8765")] == [
        None,
        None,
        421,
    ]


@pytest.mark.parametrize("method", ["POST", "PATCH", "PUT", "DELETE"])
@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.test"},
        {"origin": "null"},
        {"origin": "https://127.0.0.1:8765"},
        {"origin": "http://127.0.0.1:9000"},
        {"sec_fetch_site": "cross-site"},
        {"sec_fetch_site": "same-site"},
    ],
)
def test_no_other_site_can_change_anything(method: str, headers: dict[str, str]) -> None:
    assert status(request("/api/crawls/x/stop", method=method, **headers)) == 403


def test_our_own_pages_and_programs_can() -> None:
    assert status(request("/api/x", method="POST", origin=f"http://{OURS}", sec_fetch_site="same-origin")) is None
    assert status(request("/api/x", method="POST")) is None


def test_other_sites_open_no_websocket_and_load_nothing() -> None:
    assert status(request("/_nicegui_ws/socket.io/", kind="websocket", origin="http://evil.test")) == 403
    assert status(request("/_nicegui_ws/socket.io/", kind="websocket", origin=f"http://{OURS}")) is None
    embedded = {"sec_fetch_site": "cross-site", "sec_fetch_mode": "no-cors", "sec_fetch_dest": "image"}
    assert status(request("/archived/x/1", **embedded)) == 403


def test_a_link_from_elsewhere_opens_a_page_but_not_the_api_nor_a_frame() -> None:
    followed = {"sec_fetch_site": "cross-site", "sec_fetch_mode": "navigate", "sec_fetch_dest": "document"}
    assert status(request("/crawl/x", **followed)) is None
    assert status(request("/api/crawls", **followed)) == 403
    assert status(request("/crawl/x", **followed | {"sec_fetch_dest": "iframe"})) == 403


def test_a_token_opens_a_session_once_and_the_address_forgets_it() -> None:
    sessions = Sessions("right")
    rules = Rules(names={"127.0.0.1"}, port=8765, sessions=sessions)
    assert status(request("/crawl/x"), rules) == 303  # to the form
    assert status(request("/api/crawls"), rules) == 401
    assert status(request("/x", kind="websocket"), rules) == 401
    refusal = refused(request("//evil.test", query="token=right&a=b"), rules)
    assert refusal is not None
    assert refusal.headers["location"] == "/evil.test?a=b"
    cookie = refusal.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert status(request("/api/crawls", cookie=cookie.partition(";")[0]), rules) is None
    assert status(request("/api/crawls", cookie="scenthound_8765=guess"), rules) == 401
    assert status(request("/api/crawls", authorization="Bearer right"), rules) is None
    assert status(request("/api/crawls", authorization="Bearer wrong"), rules) == 401


def test_a_link_in_a_file_lets_in_too() -> None:
    """A browser does not show a strict cookie where another site leads on: a page of ours does that."""
    rules = Rules(names={"127.0.0.1"}, port=8765, sessions=Sessions("right"))
    followed = {"sec_fetch_site": "cross-site", "sec_fetch_mode": "navigate", "sec_fetch_dest": "document"}
    refusal = refused(request("/crawl/x", query='token=right&a="b', **followed), rules)
    assert refusal is not None
    assert (refusal.status, "location" in refusal.headers) == (200, False)
    assert 'content="0; url=/crawl/x?a=%22b"' in refusal.text
    assert "HttpOnly" in refusal.headers["set-cookie"]


@pytest.mark.parametrize(
    ("host", "origin", "let_through"),
    [
        ("crawls.example.org", "https://crawls.example.org", True),
        ("Crawls.example.org", "https://crawls.example.org", True),
        ("crawls.example.org:443", "https://crawls.example.org", True),
        ("crawls.example.org:8443", "https://crawls.example.org:8443", True),
        ("crawls.example.org", "http://crawls.example.org", True),  # a proxy without TLS
        ("crawls.example.org", "https://crawls.example.org:8443", False),
        ("crawls.example.org", "https://evil.example.org", False),
        ("crawls.example.org", "https://crawls.example.org.evil.test", False),
        ("crawls.example.org", "null", False),
        ("crawls.example.org", "https://", False),
        ("127.0.0.1:8765", "https://127.0.0.1:8765", False),  # no name of a proxy
    ],
)
def test_behind_a_proxy_browsers_come_by_https(host: str, origin: str, let_through: bool) -> None:
    rules = Rules(names={"127.0.0.1", "crawls.example.org"}, proxied={"crawls.example.org"}, port=8765)
    for kind, method in (("http", "POST"), ("websocket", "GET")):
        asked = request("/api/x", kind=kind, method=method, host=host, origin=origin)
        assert status(asked, rules) == (None if let_through else 403)


def test_guesses_are_counted_and_lock_nobody_out() -> None:
    now = [0.0]
    sessions = Sessions("right", clock=lambda: now[0])
    session = sessions.enter("right")
    assert session is not None
    assert [sessions.enter(f"wrong {n}") for n in range(GUESSES)] == [None] * GUESSES
    with pytest.raises(TooManyGuessesError):
        sessions.enter("wrong")
    assert sessions.holds(session)
    rules = Rules(names={"127.0.0.1"}, port=8765, sessions=sessions)
    assert status(request("/", query="token=wrong"), rules) == 429
    assert status(request("/", query="token=right"), rules) == 303
    assert status(request("/api/x", authorization="Bearer right"), rules) is None
    assert sessions.enter("right")
    now[0] = 61.0
    assert sessions.enter("wrong") is None
    now[0] = 1e9
    assert not sessions.holds(session)


def test_what_is_announced_too_large_is_refused_unread() -> None:
    assert status(request("/api/x", method="POST", content_length=str(LARGEST + 1))) == 413
    assert status(request("/api/crawls", method="POST", content_length=str(LARGEST + 1))) is None


def test_what_grows_too_large_is_cut_off() -> None:
    async def reader(_scope: Scope, receive: Receive, _send: Send) -> None:
        while (await receive())["more_body"]:
            pass

    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": b"x" * 100_000, "more_body": True}

    async def send(message: Message) -> None:
        sent.append(message)

    scope = _scope("/api/x", "POST", "", "http", {"host": OURS})
    asyncio.run(Guard(reader, LOCAL)(scope, receive, send))
    assert sent[0]["status"] == 413
