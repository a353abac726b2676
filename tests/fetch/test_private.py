"""Nothing private is reached by accident: proved from the other side, where no connection came in."""

import pytest

from scenthound.clock import VirtualClock
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


@pytest.mark.parametrize("host", SPELLINGS)
def test_no_spelling_of_a_private_address_is_connected_to(host: str) -> None:
    async def scene(it: Scene) -> None:
        fetch = await it.get(f"http://{host}:{it.web.trap_port}/")
        assert fetch.reason is Reason.PRIVATE_ADDRESS
        assert it.web.trapped == []

    play(scene)


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
