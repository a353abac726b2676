"""Each misbehaviour of the bad web, met by one fetch: the reason it gives, in bounded time, and life goes on after it."""

import asyncio

import pytest

from scenthound.fetch.fetcher import robots_request
from scenthound.types import Reason
from tests.fetch.scene import Scene, play
from tests.often import slowly

# Far beyond the timeouts of the bad web's settings, for a machine that is busy with other things; without them it would
# hang for an hour.
PATIENCE = 60.0


@pytest.mark.parametrize(
    ("name", "reason", "detail"),
    [
        ("slow-loris", Reason.TOTAL_TIMEOUT, "headers took too long"),
        *slowly(("slow-body", Reason.TOTAL_TIMEOUT, "body took too long")),
        ("silent", Reason.FIRST_BYTE_TIMEOUT, "no answer in time"),
        ("cut-body", Reason.CUT_SHORT, "received 21 of 5000 bytes"),
        ("cut-headers", Reason.CUT_SHORT, "middle of the headers"),
        ("cut-chunks", Reason.CUT_SHORT, "Not enough data"),
        *slowly(("long-length", Reason.TOTAL_TIMEOUT, "body took too long")),
        ("short-length", Reason.PROTOCOL, "Bad status line"),
        ("huge-length", Reason.TOO_LARGE, "1,000,000,000,000 bytes announced"),
        ("endless", Reason.TOO_LARGE, "more than 5,000,000 bytes"),
        ("endless-chunks", Reason.TOO_LARGE, "more than 5,000,000 bytes"),
        ("header-flood", Reason.PROTOCOL, "Too many headers"),
        ("huge-header", Reason.PROTOCOL, "Got more than 65536 bytes"),
        ("broken-chunks", Reason.PROTOCOL, "chunk"),
        ("http-09", Reason.PROTOCOL, "Bad status line"),
        ("bad-status", Reason.PROTOCOL, "Bad status line"),
        ("switching", Reason.PROTOCOL, "101"),
        ("reset-early", Reason.RESET, "reset"),
        ("reset-late", Reason.RESET, "middle of the body"),
        ("reset-unannounced", Reason.RESET, "middle of the body"),
        ("closes-early", Reason.RESET, "without an answer"),
        ("redirect-nowhere", Reason.BAD_REDIRECT, "no Location"),
        ("missing", Reason.HTTP_ERROR, "404 Not Found"),
        ("failing", Reason.SERVER_ERROR, "500"),
        ("overloaded", Reason.OVERLOADED, "503"),
        ("picture", Reason.UNSUPPORTED_TYPE, "image/png"),
        ("refused", Reason.CONNECT, "refused"),
        ("no-such-name", Reason.DNS, "no such name"),
        ("self-signed", Reason.TLS, "self-signed certificate"),
        ("expired", Reason.TLS, "certificate"),
        ("plain-on-tls", Reason.TLS, "SSL"),
    ],
)
def test_what_a_misbehaviour_is_called(name: str, reason: Reason, detail: str) -> None:
    async def scene(it: Scene) -> None:
        fetch = await it.fetch(name)
        assert fetch.reason is reason
        assert detail.lower() in fetch.detail.lower()
        assert fetch.seconds < PATIENCE
        # One fetch is one request: what a server does not answer is not asked again behind the crawl's back.
        assert len(it.web.visits(name)) <= 1

    # Only where time is what runs out may a busy machine not have more of it.
    if reason in (Reason.TOTAL_TIMEOUT, Reason.FIRST_BYTE_TIMEOUT):
        play(scene)
    else:
        play(scene, timeout=60.0, first_byte_timeout=60.0)


@pytest.mark.parametrize(
    "name",
    ["png-as-html", "utf16-as-latin1", "gzip-bomb", "br-bomb", "zstd-bomb", "lying-coding", "nested", "nul-bytes"],
)
def test_what_only_a_reader_can_see_is_fetched(name: str) -> None:
    async def scene(it: Scene) -> None:
        fetch = await it.fetch(name)
        assert (fetch.reason, fetch.status) == (None, 200)
        assert fetch.coding == {"gzip-bomb": "gzip", "br-bomb": "br", "zstd-bomb": "zstd", "lying-coding": "gzip"}.get(
            name, ""
        )
        assert 0 < len(fetch.body) < 1_000_000

    play(scene)


def test_a_name_server_that_never_answers_is_a_connect_timeout() -> None:
    async def silence(_name: str) -> tuple[str, ...]:
        await asyncio.sleep(3600)
        return ()

    async def scene(it: Scene) -> None:
        fetch = await it.get("http://unheard.example/")
        assert fetch.reason is Reason.CONNECT_TIMEOUT
        assert fetch.detail == "no address for the name in time"

    play(scene, lookup=silence, connect_timeout=0.3)


def test_a_handshake_that_never_comes_is_a_connect_timeout() -> None:
    async def scene(it: Scene) -> None:
        fetch = await it.fetch("mute-on-tls")
        assert fetch.reason is Reason.CONNECT_TIMEOUT

    play(scene, connect_timeout=0.4)


def test_a_pause_in_the_body_is_not_a_slow_first_byte() -> None:
    async def scene(it: Scene) -> None:
        fetch = await it.fetch("paused-body")
        assert fetch.reason is None
        assert fetch.body == b"<p>first second</p>\n"
        assert fetch.first_byte < fetch.seconds

    play(scene)


def test_surplus_bytes_are_not_taken_for_the_next_answer() -> None:
    async def scene(it: Scene) -> None:
        for path in ("/one", "/two"):
            fetch = await it.fetch("late-surplus", path)
            assert fetch.body == b"<p>Short.<"
            for _ in range(20):  # until the surplus has come: however late a busy loop is, it reads in between
                await asyncio.sleep(0.01)

    play(scene)


def test_an_error_page_is_kept_up_to_a_limit_and_stays_the_error_it_is() -> None:
    async def scene(it: Scene) -> None:
        fetch = await it.fetch("endless-error")
        assert (fetch.reason, fetch.status) == (Reason.HTTP_ERROR, 404)
        assert len(fetch.body) == 256 * 1024

    play(scene)


def test_a_line_that_the_server_closed_while_idle_is_replaced_without_a_fuss() -> None:
    async def scene(it: Scene) -> None:
        for _ in range(5):
            assert (await it.fetch("forgetful")).status == 200
        assert len(it.web.visits("forgetful")) == 5

    play(scene)


@pytest.mark.slow
def test_robots_of_ten_megabytes_is_cut_and_not_refused() -> None:
    async def scene(it: Scene) -> None:
        fetch = await it.fetcher.fetch(robots_request(it.web.url("robots-huge", "/robots.txt")))
        assert fetch.reason is None
        assert len(fetch.body) == 500 * 1024
        assert fetch.body.startswith(b"User-agent: *")

    play(scene, first_byte_timeout=PATIENCE, timeout=PATIENCE)


def test_a_certificate_may_be_trusted_on_demand() -> None:
    async def scene(it: Scene) -> None:
        for name in ("self-signed", "expired"):
            assert (await it.fetch(name)).status == 200

    play(scene, verify_tls=False)


@pytest.mark.slow
def test_all_of_it_at_once() -> None:
    """Sixty hosts misbehave side by side, and nobody waits for anybody: the whole takes as long as the slowest.

    On a busy machine even the quick ones miss a short timeout, so longer ones are tried too.
    """
    reasons: set[Reason | None] = set()

    async def scene(it: Scene) -> None:
        names = [name for name in it.web.sites if name != "index"]
        fetches = await asyncio.gather(*(it.fetch(name) for name in names))
        assert max(fetch.seconds for fetch in fetches) < PATIENCE
        reasons.update(fetch.reason for fetch in fetches)

    for seconds in (1.5, 6.0, 24.0):
        play(scene, first_byte_timeout=seconds / 2, timeout=seconds)
        if len(reasons) > 10:
            return
    raise AssertionError(f"only {reasons}")
