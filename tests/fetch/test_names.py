"""Names: remembered, shared by all who ask at once, forgotten in time, and written down by the user."""

import asyncio
import socket

import pytest

from scenthound.clock import VirtualClock
from scenthound.errors import SettingError
from scenthound.fetch.names import Endpoint, NameMemory, SystemLookup, WrittenNames


def test_all_who_ask_at_once_share_one_lookup() -> None:
    asked: list[str] = []

    async def lookup(name: str) -> tuple[str, ...]:
        asked.append(name)
        await asyncio.sleep(0)
        return ("192.0.2.1",)

    async def run() -> None:
        memory = NameMemory(lookup, VirtualClock())
        answers = await asyncio.gather(*(memory.addresses("a.example") for _ in range(10)))
        assert answers == [("192.0.2.1",)] * 10
        assert asked == ["a.example"]

    asyncio.run(run())


def test_one_who_gives_up_does_not_take_the_answer_from_the_others() -> None:
    go = asyncio.Event()

    async def lookup(_name: str) -> tuple[str, ...]:
        await go.wait()
        return ("192.0.2.1",)

    async def run() -> None:
        memory = NameMemory(lookup, VirtualClock())
        impatient = asyncio.create_task(memory.addresses("a.example"))
        patient = asyncio.create_task(memory.addresses("a.example"))
        await asyncio.sleep(0)
        impatient.cancel()
        await asyncio.sleep(0)
        go.set()
        assert await patient == ("192.0.2.1",)
        assert impatient.cancelled()

    asyncio.run(run())


def test_an_answer_and_a_failure_are_remembered_for_their_time() -> None:
    asked: list[str] = []

    async def lookup(name: str) -> tuple[str, ...]:
        asked.append(name)
        if name == "bad.example":
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return ("192.0.2.1",)

    async def run() -> None:
        clock = VirtualClock()
        memory = NameMemory(lookup, clock)
        for wait in (0.0, 20.0, 20.0):
            await clock.sleep(wait)
            await memory.addresses("good.example")
            with pytest.raises(socket.gaierror, match="not known"):
                await memory.addresses("bad.example")
        assert asked == ["good.example", "bad.example", "bad.example"]
        await clock.sleep(300.0)
        await memory.addresses("good.example")
        assert asked[-1] == "good.example"

    asyncio.run(run())


def test_the_machines_own_resolver_knows_localhost() -> None:
    async def run() -> None:
        with SystemLookup(2) as lookup:
            assert {"127.0.0.1", "::1"} & set(await lookup("localhost"))

    asyncio.run(run())


def test_a_label_that_no_name_can_have_is_a_failed_lookup() -> None:
    async def run() -> None:
        with SystemLookup(1) as lookup:
            memory = NameMemory(lookup, VirtualClock())
            with pytest.raises(socket.gaierror):
                await memory.addresses("a" * 70 + ".example")

    asyncio.run(run())


def test_exact_names_win_over_wildcards_and_near_wildcards_over_far_ones() -> None:
    names = WrittenNames({"*.test": "127.0.0.1", "*.b.test": "127.0.0.2:80", "a.b.test": "[::1]:81", "*": "127.0.0.9"})
    assert names.find("a.b.test") == Endpoint(address="::1", port=81)
    assert names.find("c.b.test.") == Endpoint(address="127.0.0.2", port=80)
    assert names.find("B.test") == Endpoint(address="127.0.0.1", port=None)
    assert names.find("elsewhere.example") == Endpoint(address="127.0.0.9", port=None)
    assert WrittenNames({}).find("a.test") is None


@pytest.mark.parametrize("value", ["", "localhost:80", "127.0.0.1:http", "127.0.0.1:0", "127.0.0.1:70000"])
def test_a_value_that_is_no_address_is_an_error_that_names_it(value: str) -> None:
    with pytest.raises(SettingError, match=r"fetch\.resolve"):
        WrittenNames({"a.test": value})
