"""A registered domain has its share of what comes, not only of what is asked for."""

import pytest

from scenthound.frontier.shares import DomainShares


@pytest.mark.parametrize("failing", [0.0, 0.1])
def test_a_farm_that_never_fails_has_no_more_than_its_share_of_the_pages_that_come(failing: float) -> None:
    """Whenever it may, it is asked; of what others are asked for, some fails."""
    shares = DomainShares(0.2, given=[], taken={})
    farm, others = 0, 0.0
    for turn in range(2000):
        if shares.is_beyond("farm.test"):
            shares.take(f"other{turn}.test")
            others += 1 - failing
        else:
            shares.take("farm.test")
            farm += 1
    assert 0.15 < farm / (farm + others) <= 0.2


def test_nothing_is_beyond_its_share_among_few_pages_or_without_a_limit() -> None:
    few = DomainShares(0.2, given=[], taken={"a.test": 99})
    unlimited = DomainShares(1.0, given=[], taken={"a.test": 5000})
    assert not few.is_beyond("a.test")
    assert not unlimited.is_beyond("a.test")
