"""How long a host is left alone: what servers ask for, and what their slowness tells."""

import pytest

from scenthound.frontier.politeness import host_is_to_blame, rest_after
from scenthound.settings.schema import FetchSettings
from scenthound.types import Fetch, Reason

SETTINGS = FetchSettings(delay=1.0, delay_factor=2.0, max_delay=60.0)


def exchange(seconds: float = 0.1, *, reason: Reason | None = None, retry_after: float | None = None) -> Fetch:
    return Fetch(
        url="http://a.test/",
        started=0.0,
        finished=seconds,
        first_byte=seconds,
        status=200,
        reason=reason,
        retry_after=retry_after,
    )


@pytest.mark.parametrize(("seconds", "rest"), [(0.1, 1.0), (0.5, 1.0), (3.0, 6.0), (100.0, 60.0)])
def test_the_pause_grows_with_the_servers_own_time(seconds: float, rest: float) -> None:
    assert rest_after(exchange(seconds), settings=SETTINGS, failures=0) == rest


def test_a_servers_wish_is_obeyed_however_long() -> None:
    overloaded = exchange(reason=Reason.OVERLOADED, retry_after=7200.0)
    assert rest_after(overloaded, settings=SETTINGS, failures=0) == 7200.0
    assert rest_after(exchange(), settings=SETTINGS, failures=0, host_delay=90.0) == 90.0


def test_a_retry_after_of_zero_does_not_undo_the_delay() -> None:
    assert rest_after(exchange(reason=Reason.OVERLOADED, retry_after=0.0), settings=SETTINGS, failures=0) == 1.0


def test_failures_in_a_row_lengthen_the_pause() -> None:
    rests = [rest_after(exchange(reason=Reason.RESET), settings=SETTINGS, failures=n) for n in range(3)]
    assert rests == sorted(set(rests))


def test_a_delay_of_zero_leaves_only_what_the_server_asks_for() -> None:
    own = FetchSettings(delay=0.0)
    assert rest_after(exchange(3.0), settings=own, failures=0) == 0.0
    assert rest_after(exchange(3.0), settings=own, failures=0, host_delay=2.0) == 2.0


def test_a_missing_page_is_no_fault_of_the_host() -> None:
    assert not host_is_to_blame(Reason.HTTP_ERROR)
    assert not host_is_to_blame(None)
    assert host_is_to_blame(Reason.CONNECT_TIMEOUT)
    assert host_is_to_blame(Reason.OVERLOADED)
