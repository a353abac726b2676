"""The demo server on a real socket: what it says, what it keeps silent about, what it remembers."""

import http.client
import socket
import subprocess
import sys
from collections.abc import Iterator

import pytest

from scenthound.demo.served_answer import Answer, Behaviour
from scenthound.demo.server import ServedApart, ServedWeb
from tests.patience import PATIENCE

HTML = ("Content-Type", "text/html")


def two_hosts(host: str, path: str) -> Answer:
    """A web small enough to see through."""
    odd = {
        "/chunked": Answer(headers=(HTML,), body=b"c" * 10_000, behaviour=Behaviour.CHUNKED),
        "/cut": Answer(headers=(HTML,), body=b"c" * 1000, behaviour=Behaviour.CUT),
        "/reset": Answer(behaviour=Behaviour.RESET),
        "/silent": Answer(behaviour=Behaviour.SILENT),
        "/thoughtful": Answer(body=b"thoughtful", delay=0.05),
        "/gone": Answer(status=410),
        "/etag": Answer(
            headers=(HTML, ("ETag", '"v1"'), ("Last-Modified", "Mon, 01 Jan 2024 00:00:00 GMT")), body=b"e"
        ),
    }
    return odd.get(path) or Answer(headers=(HTML,), body=f"{host} {path}".encode())


@pytest.fixture
def served() -> Iterator[ServedWeb]:
    with ServedWeb(two_hosts) as served:
        yield served


def talk(served: ServedWeb | ServedApart, request: bytes, *, hang_up: bool = False) -> bytes:
    """Send bytes and return all that comes back until the server closes; `hang_up` says goodbye at once."""
    with socket.create_connection(("127.0.0.1", served.port), timeout=PATIENCE) as client:
        client.sendall(request)
        if hang_up:
            client.shutdown(socket.SHUT_WR)
        return b"".join(iter(lambda: client.recv(65536), b""))


def get(served: ServedWeb, path: str, host: str = "one.test", **headers: str) -> tuple[int, bytes]:
    client = http.client.HTTPConnection("127.0.0.1", served.port, timeout=PATIENCE)
    try:
        client.request("GET", path, headers={"Host": host, **{k.replace("_", "-"): v for k, v in headers.items()}})
        response = client.getresponse()
        return response.status, response.read()
    finally:
        client.close()


def test_hosts_share_a_port_and_are_told_apart_by_name(served: ServedWeb) -> None:
    assert get(served, "/a", host="one.test") == (200, b"one.test /a")
    assert get(served, "/a?b=c", host="TWO.test:80") == (200, b"two.test /a?b=c")


def test_it_answers_as_a_proxy(served: ServedWeb) -> None:
    assert served.proxy_url == f"http://127.0.0.1:{served.port}"
    assert get(served, "http://two.test/x", host="ignored.test") == (200, b"two.test /x")
    assert get(served, "http://two.test") == (200, b"two.test /")


def test_a_connection_is_kept_and_requests_may_be_sent_ahead(served: ServedWeb) -> None:
    one = b"GET /thoughtful HTTP/1.1\r\nHost: a.test\r\n\r\n"
    two = b"GET /two HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n"
    said = talk(served, one + two)
    assert said.index(b"thoughtful") < said.index(b"a.test /two")
    assert len({entry.client_port for entry in served.log()}) == 1


def test_head_has_the_length_and_no_body(served: ServedWeb) -> None:
    said = talk(served, b"HEAD /a HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n")
    assert b"Content-Length: 9\r\n" in said
    assert said.endswith(b"\r\n\r\n")


def test_http_1_0_closes_unless_asked(served: ServedWeb) -> None:
    assert talk(served, b"GET /a HTTP/1.0\r\nHost: a.test\r\n\r\n").endswith(b"a.test /a")


@pytest.mark.parametrize(
    ("header", "value", "status"),
    [
        ("If_None_Match", '"v1"', 304),
        ("If_None_Match", '"v0", "v1"', 304),
        ("If_None_Match", '"v0"', 200),
        ("If_Modified_Since", "Mon, 01 Jan 2024 00:00:00 GMT", 304),
        ("If_Modified_Since", "Sun, 31 Dec 2023 00:00:00 GMT", 200),
    ],
)
def test_a_conditional_request(served: ServedWeb, header: str, value: str, status: int) -> None:
    assert get(served, "/etag", **{header: value}) == (status, b"e" if status == 200 else b"")


def test_a_chunked_body_arrives_whole(served: ServedWeb) -> None:
    assert get(served, "/chunked") == (200, b"c" * 10_000)


def test_a_cut_body_ends_too_soon(served: ServedWeb) -> None:
    with pytest.raises(http.client.IncompleteRead):
        get(served, "/cut")


def test_a_reset_and_a_silence_are_remembered_with_no_status(served: ServedWeb) -> None:
    assert talk(served, b"GET /silent HTTP/1.1\r\nHost: a.test\r\n\r\n", hang_up=True) == b""
    with pytest.raises(ConnectionError):
        get(served, "/reset")
    assert [(entry.path, entry.status) for entry in served.log()] == [("/silent", 0), ("/reset", 0)]


@pytest.mark.parametrize(
    ("request_bytes", "status"),
    [
        (b"NONSENSE\r\n\r\n", b"400"),
        (b"GET ftp://a.test/ HTTP/1.1\r\nHost: a.test\r\n\r\n", b"400"),
        (b"POST / HTTP/1.1\r\nHost: a.test\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc", b"405"),
        (b"GET / HTTP/1.1\r\nX: " + b"x" * 70_000, b"431"),
    ],
)
def test_what_is_not_a_request_for_a_page_is_refused(served: ServedWeb, request_bytes: bytes, status: bytes) -> None:
    assert talk(served, request_bytes).startswith(b"HTTP/1.1 " + status)


def test_the_log_tells_who_asked_for_what_and_how_long_it_took(served: ServedWeb) -> None:
    get(served, "/thoughtful", User_Agent="scenthound-test")
    [entry] = served.log()
    assert (entry.host, entry.path, entry.status) == ("one.test", "/thoughtful", 200)
    assert entry.user_agent == "scenthound-test"
    assert entry.finished - entry.started >= 0.05


def test_latency_is_added_by_host() -> None:
    with ServedWeb(two_hosts, latency={"slow.test": 0.05}) as served:
        get(served, "/", host="slow.test")
        get(served, "/", host="quick.test")
        slow, quick = (entry.finished - entry.started for entry in served.log())
    assert slow >= 0.05 > quick


def test_it_listens_on_ipv6_too() -> None:
    with ServedWeb(two_hosts, address="::1") as served:
        assert served.proxy_url == f"http://[::1]:{served.port}"
        with socket.create_connection(("::1", served.port), timeout=PATIENCE) as client:
            client.sendall(b"GET / HTTP/1.0\r\nHost: a.test\r\n\r\n")
            assert client.recv(12) == b"HTTP/1.1 200"


def test_a_taken_port_is_an_error_where_it_is_asked_for(served: ServedWeb) -> None:
    with pytest.raises(OSError, match="in use"), ServedWeb(two_hosts, port=served.port):
        pass


@pytest.mark.slow
def test_a_process_of_its_own_serves_and_remembers_the_same() -> None:
    with ServedApart(two_hosts) as apart:
        assert talk(apart, b"GET /a HTTP/1.0\r\nHost: far.test\r\n\r\n").endswith(b"far.test /a")
        assert [(entry.host, entry.status) for entry in apart.log()] == [("far.test", 200)]


@pytest.mark.slow
def test_it_runs_by_hand_and_prints_its_port() -> None:
    command = [sys.executable, "-m", "scenthound.demo.server", "--port", "0", "--seed", "3"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        port = int(process.stdout.readline())
        with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as client:
            client.sendall(b"GET http://strata.test/ HTTP/1.0\r\n\r\n")
            assert client.recv(12) == b"HTTP/1.1 200"
        process.terminate()
        assert process.wait(timeout=PATIENCE) == 0
