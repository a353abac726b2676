"""The bench of freshness counts what it says: visits to all pages every day find every day's changes, and few pages go
stale.
"""

import pytest

from bench.freshness import PAGES, half_a_year, in_turn, webs
from scenthound.frontier.rates import DAY

pytestmark = pytest.mark.slow

DAYS = 3


def test_visits_to_all_find_all() -> None:
    *_, web = webs(seed=1, days=DAYS)
    half = half_a_year(web, DAYS, lambda store, day: in_turn(store))
    by_hand = sum(web.changed(page, (day - 1) * DAY, day * DAY) for page in range(PAGES) for day in range(1, DAYS + 1))
    assert (half.found, half.asked) == (by_hand, (PAGES,) * DAYS)
    stale = [web.changed(page, day * DAY, (day + 0.5) * DAY) for page in range(PAGES) for day in (2, 3)]
    assert half.fresh == 1 - sum(stale) / len(stale)
