"""Engines of one crawl have one patience: who has no good host waits while others fetch good pages."""

import asyncio

import pytest

from scenthound.clock import VirtualClock
from scenthound.crawl.engine.fellows import CommonAccount
from scenthound.frontier.patience import CREDIT, Account, OwnAccount, Patience
from scenthound.settings.schema import FetchSettings
from scenthound.types import HeldBack

POOR = HeldBack(hosts=10, promise=1.0)  # ten hosts with links that promise a tenth each
ENGINES = 4


def accounts(clock: VirtualClock, *, common: bool) -> list[Account]:
    note = [0.0]

    def keep(change: float) -> float:
        note[0] = min(CREDIT, note[0] + change)
        return note[0]

    if common:
        return [CommonAccount(keep, clock, others=lambda: ENGINES - 1) for _ in range(ENGINES)]
    return [OwnAccount() for _ in range(ENGINES)]


def poor_links(*, good: float, common: bool, seconds: int = 60) -> int:
    """Let one engine ask for so much that is good in a second, and three that have poor hosts only; return how many
    poor links are fetched.
    """
    clock = VirtualClock()
    engines = [Patience(FetchSettings(delay=1.0), most=0.75, account=one) for one in accounts(clock, common=common)]
    fetched = 0
    for _ in range(seconds):
        for number, patience in enumerate(engines):
            claimed, held = (good, HeldBack()) if number == 0 else (0.0, POOR)
            owed = patience.owed(now=clock.now(), claimed=claimed, held=held, free=8)
            patience.note_made(owed * POOR.promise / POOR.hosts)
            fetched += owed
        asyncio.run(clock.sleep(1.0))
    return fetched


def test_engines_without_good_hosts_wait_while_another_one_has_enough() -> None:
    assert poor_links(good=2.0, common=True) == 0
    assert poor_links(good=2.0, common=False) > 100  # as it was, with an account for each


def test_engines_that_all_wait_fetch_poor_links_as_before() -> None:
    """Nobody asks for anything good: together they owe what each would owe by itself."""
    assert poor_links(good=0.0, common=True) == pytest.approx(poor_links(good=0.0, common=False), rel=0.15)
