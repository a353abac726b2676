"""Nothing private is reached by accident: proved from the other side, where no connection came in."""

import pytest

from scenthound.clock import VirtualClock
from scenthound.parse.urls import canonical
from scenthound.types import Reason
from tests.fetch.scene import Scene, play

SPELLINGS = [
    "127.0.0.1",
    "2130706433",
    "0177.0.0.1",
    "0x7f.1",
    "127.1",
    "0x7F000001",
    "127.0.0.1.",
    "%31%32%37.0.0.1",
    "１２７.0.0.1",
    "0.0.0.0",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::1]",
    "[::]",
    "[64:ff9b::7f00:1]",
]


MORE_SPELLINGS = [
    "127.0.1",
    "127.255.255.254",
    "0177.1",
    "0x7f.0x0.0x0.0x1",
    "017700000001",
    "0x7f.0.0.0x1",
    "127.000.000.001",
    "0X7F.0.0.1",
    "0",
    "0x0",
    "00000",
    "127。0。0。1",
    "127．0．0．1",
    "１２７。０。０。１",
    "①②⑦.⓪.⓪.①",
    "10.0.0.1",
    "10.1",
    "167772161",
    "012.0.0.1",
    "0xa.0.0.1",
    "192.168.0.1",
    "192.168.1",
    "3232235521",
    "0300.0250.0.1",
    "0xc0a80001",
    "172.16.0.1",
    "172.31.255.255",
    "2886729729",
    "169.254.169.254",
    "2852039166",
    "0xA9FEA9FE",
    "0251.0376.0251.0376",
    "169.254.43518",
    "100.64.0.1",
    "100.100.100.200",
    "168.63.129.16",
    "192.0.0.192",
    "198.18.0.1",
    "224.0.0.1",
    "255.255.255.255",
    "[0:0:0:0:0:0:0:1]",
    "[::ffff:10.0.0.1]",
    "[::ffff:a9fe:a9fe]",
    "[::127.0.0.1]",
    "[fe80::1]",
    "[fc00::1]",
    "[fd00:ec2::254]",
    "[2002:7f00:1::]",
    "[64:ff9b::a00:1]",
    "[64:ff9b:1::1]",
    "[2001:0:7f00:1::]",
    "[ff02::1]",
    "[fec0::1]",
    "[2001:db8::1]",
    "[100::1]",
    "[::ffff:0:127.0.0.1]",
    "[0::0]",
    "[::7f00:1]",
]


@pytest.mark.slow
def test_nor_is_any_of_many_more() -> None:
    assert len({*SPELLINGS, *MORE_SPELLINGS}) >= 63

    async def scene(it: Scene) -> None:
        for host in MORE_SPELLINGS:
            for url in (f"http://{host}:{it.web.trap_port}/", f"http://user:secret@{host}:{it.web.trap_port}/"):
                fetch = await it.get(canonical(url) or url)
                assert (host, fetch.reason) == (host, Reason.PRIVATE_ADDRESS)
        assert it.web.trapped == []

    play(scene)


@pytest.mark.parametrize("host", SPELLINGS)
def test_no_spelling_of_a_private_address_is_connected_to(host: str) -> None:
    async def scene(it: Scene) -> None:
        fetch = await it.get(f"http://{host}:{it.web.trap_port}/")
        assert fetch.reason is Reason.PRIVATE_ADDRESS
        assert it.web.trapped == []

    play(scene)


@pytest.mark.parametrize("port", [22, 25, 6379, 11211, 6000, 10080])
def test_ports_that_browsers_refuse_are_not_asked(port: int) -> None:
    async def scene(it: Scene) -> None:
        fetch = await it.get(f"http://127.0.0.1:{port}/")
        assert (fetch.reason, fetch.detail) == (Reason.BLOCKED_PORT, f"port {port}")

    play(scene, allow_private=["127.0.0.1"])


@pytest.mark.parametrize("path", ["/", "/decimal", "/octal", "/hex", "/short", "/mapped", "/name"])
def test_a_redirect_does_not_lead_there_either(path: str) -> None:
    async def loopback(_name: str) -> tuple[str, ...]:
        return ("127.0.0.1",)

    async def scene(it: Scene) -> None:
        hop = await it.fetch("redirect-private", path)
        assert (hop.status, hop.reason) == (302, None)
        fetch = await it.get(hop.location)
        assert fetch.reason is Reason.PRIVATE_ADDRESS
        assert it.web.trapped == []

    play(scene, lookup=loopback)


def test_a_name_that_turns_private_is_refused_from_then_on() -> None:
    """DNS rebinding. 127.0.0.2 stands for the public address, because the user allowed it; 127.0.0.1 is private."""
    answers = iter([("127.0.0.2",), ("127.0.0.1",)])
    asked: list[str] = []

    async def rebinding(name: str) -> tuple[str, ...]:
        asked.append(name)
        return next(answers)

    clock = VirtualClock(start=1000.0)

    async def scene(it: Scene) -> None:
        url = f"http://rebinding.example:{it.web.trap_port}/"
        first = await it.get(url)  # permitted, though nobody listens there
        assert first.reason is Reason.CONNECT
        await clock.sleep(3600)  # the remembered answer has run out
        second = await it.get(url)
        assert second.reason is Reason.PRIVATE_ADDRESS
        assert asked == ["rebinding.example"] * 2
        assert it.web.trapped == []

    play(scene, clock=clock, lookup=rebinding, allow_private=["127.0.0.2"])


def test_a_name_that_changes_at_every_lookup_finds_no_gap_between_check_and_use() -> None:
    count = 0

    async def flickering(_name: str) -> tuple[str, ...]:
        nonlocal count
        count += 1
        return ("127.0.0.2",) if count % 2 else ("127.0.0.1",)

    clock = VirtualClock(start=1000.0)

    async def scene(it: Scene) -> None:
        for _ in range(6):
            fetch = await it.get(f"http://flickering.example:{it.web.trap_port}/")
            assert fetch.reason in (Reason.CONNECT, Reason.PRIVATE_ADDRESS)
            await clock.sleep(3600)
        assert count == 6
        assert it.web.trapped == []

    play(scene, clock=clock, lookup=flickering, allow_private=["127.0.0.2"])


def test_of_mixed_answers_only_the_permitted_addresses_are_tried() -> None:
    async def mixed(_name: str) -> tuple[str, ...]:
        return ("127.0.0.1", "127.0.0.2", "::1")

    async def scene(it: Scene) -> None:
        fetch = await it.get(f"http://mixed.example:{it.web.trap_port}/")
        assert fetch.reason is Reason.CONNECT
        assert it.web.trapped == []

    play(scene, lookup=mixed, allow_private=["127.0.0.2"])


def test_what_the_user_allows_is_reached_by_address_or_by_name() -> None:
    async def loopback(_name: str) -> tuple[str, ...]:
        return ("127.0.0.1",)

    async def scene(it: Scene) -> None:
        port = it.web.resolve["*.bad.test"].rpartition(":")[2]
        assert (await it.get(f"http://wiki.corp.example:{port}/")).status == 200
        by_address = await it.get(f"http://127.0.0.1:{port}/")
        assert by_address.reason is Reason.PRIVATE_ADDRESS

    play(scene, lookup=loopback, allow_private=["*.corp.example"])


def test_an_address_written_down_for_a_name_is_reached_by_that_name_only() -> None:
    async def scene(it: Scene) -> None:
        port = it.web.resolve["*.bad.test"].rpartition(":")[2]
        assert (await it.get("http://plain.bad.test/")).ip == "127.0.0.1"
        assert (await it.get(f"http://127.0.0.1:{port}/")).reason is Reason.PRIVATE_ADDRESS

    play(scene)
