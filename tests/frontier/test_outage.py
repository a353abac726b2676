"""When this side of the network is down, the hosts are not to blame."""

from scenthound.frontier.outage import Outage
from scenthound.types import Claim, Ending, Fetch, Outcome, Reason


def outcome(host: str, at: float, reason: Reason | None = None) -> Outcome:
    """A fetch that failed with a reason, or was answered."""
    url = f"http://{host}/"
    claim = Claim(id=1, url=url, host=host, priority=0.0, depth=0)
    fetch = Fetch(url=url, started=at, finished=at, reason=reason, status=0 if reason else 200)
    ending = Ending.RETRY if reason else Ending.PAGE
    return Outcome(claim=claim, ending=ending, finished=at, fetch=fetch, reason=reason, host_failed=reason is not None)


def test_many_hosts_silent_at_once_are_excused() -> None:
    outage = Outage()
    told = [outage.excuse(outcome(f"h{n}.test", float(n), Reason.DNS)) for n in range(20)]
    assert [one.host_failed for one in told] == [True] * 4 + [False] * 16
    assert all(one.ending is Ending.RETURN and one.rest >= 10 for one in told[4:])
    assert outage.since == 0.0


def test_an_answer_ends_the_suspicion() -> None:
    outage = Outage()
    for n in range(20):
        outage.excuse(outcome(f"h{n}.test", float(n), Reason.CONNECT_TIMEOUT))
    outage.excuse(outcome("alive.test", 30.0))
    assert outage.since is None
    assert outage.excuse(outcome("dead.test", 31.0, Reason.CONNECT)).host_failed


def test_one_dead_host_is_a_dead_host() -> None:
    outage = Outage()
    told = [outage.excuse(outcome("dead.test", float(n), Reason.CONNECT)) for n in range(20)]
    assert all(one.host_failed for one in told)


def test_dead_hosts_among_living_ones_are_to_blame() -> None:
    outage = Outage()
    for n in range(50):
        outage.excuse(outcome("alive.test", float(n)))
        assert outage.excuse(outcome(f"dead{n}.test", float(n), Reason.DNS)).host_failed


def test_a_proxy_that_is_gone_says_nothing_about_hosts() -> None:
    outage = Outage()
    told = outage.excuse(outcome("a.test", 1.0, Reason.PROXY))
    assert (told.ending, told.host_failed) == (Ending.RETURN, False)
    assert outage.since == 1.0


def test_the_longer_it_lasts_the_rarer_it_is_tried() -> None:
    outage = Outage()
    rests = [outage.excuse(outcome(f"h{n}.test", 60.0 * n, Reason.DNS)).rest for n in range(20)][4:]
    assert rests == sorted(rests)
    assert rests[-1] == 300.0
