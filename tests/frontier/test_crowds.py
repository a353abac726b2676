"""A domain with endless host names gets a hundred of them, and more as its pages come."""

from scenthound.frontier.crowds import FREE, Crowds


def test_endless_names_are_passed_over_and_said_once() -> None:
    told: list[str] = []
    crowds = Crowds(known=lambda _: False, hosts={}, pages={}, tell=told.append)
    admitted = [crowds.admits(f"bike{n}.farm.test", "farm.test") for n in range(5000)]
    assert sum(admitted) == FREE
    assert len(told) == 1
    assert "farm.test has 100 hosts and gave 0 pages so far" in told[0]
    for _ in range(60):
        crowds.learn("farm.test")
    assert sum(crowds.admits(f"new{n}.farm.test", "farm.test") for n in range(5000)) == 20
    assert all(crowds.admits(f"bike{n}.farm.test", "farm.test") for n in range(FREE))  # those known stay


def test_what_the_store_knows_is_admitted_however_crowded() -> None:
    crowds = Crowds(known=lambda host: host.startswith("old"), hosts={"farm.test": 5000}, pages={})
    assert crowds.admits("old7.farm.test", "farm.test")
    assert not crowds.admits("new.farm.test", "farm.test")
    assert crowds.admits("www.other.test", "other.test")
