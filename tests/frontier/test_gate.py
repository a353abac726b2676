"""The gate holds per-host places and pauses at the moment of sending, whatever the store handed out."""

import asyncio
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from scenthound.clock import VirtualClock
from scenthound.frontier.gate import HostGate


def visits(jobs: list[tuple[str, float]], *, per_host: int, delay: float) -> list[tuple[str, float, float]]:
    """Send every job (host, seconds it takes) through one gate at once; return host, start and end of each."""
    clock = VirtualClock()
    log: list[tuple[str, float, float]] = []

    async def visit(gate: HostGate, host: str, seconds: float) -> None:
        async with gate.enter(host, delay):
            started = clock.now()
            await clock.sleep(seconds)
            log.append((host, started, clock.now()))

    async def run() -> None:
        gate = HostGate(clock, per_host=per_host)
        await asyncio.gather(*(visit(gate, host, seconds) for host, seconds in jobs))

    asyncio.run(run())
    return log


@given(
    st.lists(st.tuples(st.sampled_from(["a.test", "b.test"]), st.floats(0, 3)), max_size=12),
    st.sampled_from([0.5, 2.0]),
)
def test_a_host_is_asked_only_after_its_pause(jobs: list[tuple[str, float]], delay: float) -> None:
    for host in ("a.test", "b.test"):
        mine = sorted((start, end) for name, start, end in visits(jobs, per_host=1, delay=delay) if name == host)
        for (_, end), (start, _) in pairwise(mine):
            assert start >= end + delay - 1e-9


def test_without_delay_only_the_places_count() -> None:
    log = visits([("a.test", 1.0)] * 6, per_host=2, delay=0.0)
    assert len(log) == 6
    for _, start, _ in log:
        assert sum(1 for _, s, e in log if s <= start < e) <= 2


def test_places_at_a_domain_and_an_address_are_shared() -> None:
    async def most_at_once(hosts: list[str], **limits: int) -> int:
        clock, busy, most = VirtualClock(), 0, 0
        gate = HostGate(clock, per_host=1, **limits)
        for host in hosts:
            gate.note_address(host, "192.0.2.7")

        async def visit(host: str) -> None:
            nonlocal busy, most
            async with gate.enter(host, 0.0):
                busy, most = busy + 1, max(most, busy + 1)
                await asyncio.sleep(0)
                busy -= 1

        await asyncio.gather(*map(visit, hosts))
        return most

    of_one_domain = [f"{name}.a.test" for name in "uvwxyz"]
    at_one_address = [f"{name}.test" for name in "uvwxyz"]
    assert asyncio.run(most_at_once(of_one_domain)) == 6
    assert asyncio.run(most_at_once(of_one_domain, per_domain=2)) == 2
    assert asyncio.run(most_at_once(at_one_address, per_domain=2)) == 6
    assert asyncio.run(most_at_once(at_one_address, per_ip=3)) == 3


def test_a_host_that_was_told_to_rest_is_left_alone_until_then() -> None:
    async def begin() -> float:
        clock = VirtualClock()
        gate = HostGate(clock, per_host=1)
        gate.rest("a.test", 7.0)
        gate.rest("a.test", 3.0)
        async with gate.enter("a.test", 0.0):
            return clock.now()

    assert asyncio.run(begin()) == 7.0
