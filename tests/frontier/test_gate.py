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
