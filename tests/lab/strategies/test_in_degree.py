from scenthound.lab.strategies.in_degree import InDegree
from tests.lab.strategies.small_pages import briefing, seen


def test_a_url_counts_the_pages_that_cite_it() -> None:
    strategy = InDegree(briefing())
    assert strategy.see(seen("a", ["x", "y"])) == {"x": 1.0, "y": 1.0}
    assert strategy.see(seen("b", ["y", "z"])) == {"y": 2.0, "z": 1.0}
