"""How the frontier is divided by priority: counted while it is small, and estimated from a draw when it is not."""

from pathlib import Path

import pytest

from bench.made_crawl import make_crawl
from scenthound.desk.asking import asking
from scenthound.desk.pulse import priorities_of


def test_a_large_frontier_is_estimated_from_a_draw(tmp_path: Path) -> None:
    with asking(make_crawl(tmp_path / "made", 3_000)) as con:
        counted, estimated = priorities_of(con), priorities_of(con, counted=2_999)
    assert counted.drawn == 0
    assert sum(counted.tenths) == 3_000
    assert 1_500 < estimated.drawn < 2_500  # half of all URLs wait
    assert sum(estimated.tenths) == pytest.approx(3_000, abs=10)
    assert estimated.tenths == pytest.approx(counted.tenths, rel=0.3)
