"""Hosts: how they are shown, forgiven, and repaired after a wrong clock."""

from dataclasses import replace

from scenthound.store.base import Store
from scenthound.store.walk import count_domains
from scenthound.types import Change, DomainCount, Ending, Errand, Outcome, PutOff, Reason
from tests.store.small_world import FREE, answer, back, claim, failed, found, later, moved, page, put, rules

A, B, C = "http://a.test/", "http://b.test/", "http://c.test/"


def again(store: Store, outcome_of: str, *, at: float, **values: object) -> Change | None:
    """Visit the page A again, and return what is said of the visit."""
    store.revisit({A: 0}, now=at)
    [taken] = [one for one in claim(store, now=at, limits=replace(FREE, again=True)) if one.url == A]
    outcomes: dict[str, Outcome] = {
        "same": page(taken, at=at, **values),  # type: ignore[arg-type]
        "304": replace(page(taken, at=at), ending=Ending.UNCHANGED, fetch=answer(taken, at=at, status=304)),
        "404": failed(taken, Reason.HTTP_ERROR, at=at, status=404),
        "500": failed(taken, Reason.SERVER_ERROR, at=at, status=500),
        "robots": failed(taken, Reason.ROBOTS, at=at, asked=False),
        "moved": moved(taken, B, at=at),
        "other": page(taken, at=at, digest=f"of {at}", **values),  # type: ignore[arg-type]
    }
    [recorded] = store.record([outcomes[outcome_of]], now=at, archived={})
    return recorded.change


def test_a_bad_host_may_be_forgiven(store: Store) -> None:
    store.add([found(A), found(f"{A}x")], now=0.0)
    for at in range(3):
        put(store, later(claim(store, now=at, limit=1)[0], Reason.DNS, at=at), now=at)
    assert claim(store, now=9.0) == []
    assert store.forgive(now=9.0) == 1
    assert len(claim(store, now=9.0)) == 2
    assert store.census(now=9.0).hosts_bad == 0


def test_hosts_are_shown_with_most_waiting_first(store: Store) -> None:
    store.add([found(A + "1"), found(B + "1"), found(B + "2")], now=0.0)
    assert [(host.host, host.waiting, host.state) for host in store.hosts(now=0.0)] == [
        ("b.test", 2, "ready"),
        ("a.test", 1, "ready"),
    ]
    claim(store, now=0.0, limits=replace(FREE, per_host=1, delay=5.0))
    assert [host.state for host in store.hosts(now=0.0)] == ["busy", "busy"]
    assert len(store.hosts(now=0.0, limit=1)) == 1


def test_what_a_clock_that_was_ahead_has_put_off_is_brought_back(store: Store) -> None:
    """One host was asked before it was ahead, and wants a long rest; one since then; one was claimed and never
    recorded.
    """
    year = 365 * 86400.0
    store.add([found(A), found(A + "2"), found(B), found(B + "2"), found(C)], now=0.0)
    taken = {one.url: one for one in claim(store, now=10.0, limits=replace(FREE, delay=1.0, per_host=1))}
    put(store, replace(page(taken[A], at=11.0), rest=7200.0), now=11.0)
    store.release(owner=None, now=11.0)
    limits = replace(FREE, delay=1.0, per_host=1, robots=True)
    ahead = {one.url: one for one in claim(store, now=year, limits=limits)}
    assert sorted(ahead) == [A + "2", B, C]
    put(store, back(ahead[B], at=year + 1, robots=rules(ahead[B], at=year + 1, lasts=86400.0)), now=year + 1)
    put(store, replace(failed(ahead[A + "2"], Reason.RESET, at=year + 2), rest=40.0), now=year + 2)
    store.release(owner=None, now=20.0)
    put_off = store.wind_back(now=20.0)
    assert (put_off.hosts, put_off.robots, round(put_off.ahead / 86400)) == (3, 1, 365)
    dues = {host.host: host.due for host in store.hosts(now=20.0)}
    assert {name: round(due - 20.0) for name, due in dues.items()} == {"a.test": 40, "b.test": 0, "c.test": 1}
    again = store.wind_back(now=20.0)
    assert (again.hosts, again.robots) == (0, 0)
    [one, two] = claim(store, now=25.0, limits=limits)
    assert {one.errand, two.errand} == {Errand.ROBOTS}  # what was said then is not believed


def test_a_right_clock_changes_nothing(store: Store) -> None:
    store.add([found(A), found(A + "2")], now=0.0)
    [one] = claim(store, now=10.0, limit=1)
    put(store, replace(page(one, at=11.0), rest=86400.0), now=11.0)
    assert store.wind_back(now=12.0) == PutOff()
    assert store.next_due(now=12.0) == 86411.0


def test_hosts_are_counted_piece_by_piece_and_by_domain(store: Store) -> None:
    store.add([found("http://www.farm.test/"), found("http://shop.farm.test/"), found("http://b.test/")], now=0.0)
    for taken in claim(store, now=0.0, limit=2):
        put(store, page(taken, at=0.0), now=0.0)
    first = store.host_counts(limit=2)
    rest = store.host_counts(after=first[-1].id, limit=2)
    domains = count_domains(store)
    assert [host.domain for host in first + rest] == ["farm.test", "farm.test", "b.test"]
    assert (dict(domains.hosts), dict(domains.pages)) == ({"farm.test": 2, "b.test": 1}, {"farm.test": 2})
    assert domains.crowded(2) == {"farm.test": 2}
    assert store.domain("farm.test") == DomainCount(hosts=2, pages=2)
    assert store.domain("never.test") == DomainCount()
