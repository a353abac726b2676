import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.lab.strategies.pagerank import PageRank, ranks
from tests.lab.strategies.small_pages import briefing, seen


def test_a_page_passes_its_rank_on_in_equal_shares() -> None:
    strategy = PageRank(briefing(), damping=0.5, every=100)
    assert strategy.see(seen("a", ["x", "y"])) == {"x": 0.5 + 0.125, "y": 0.5 + 0.125}
    assert strategy.see(seen("x", ["y"])) == {"y": 0.625 + 0.5 * 0.625}


def test_every_so_many_pages_all_ranks_are_computed_anew() -> None:
    strategy = PageRank(briefing(), damping=0.5, every=3)
    strategy.see(seen("a", ["b"]))
    strategy.see(seen("b", ["x"]))
    said = strategy.see(seen("c", ["a"]))
    # c has nobody; a has all of c, b all of a, x all of b.
    assert said == pytest.approx({"c": 0.5, "a": 0.75, "b": 0.875, "x": 0.9375})


def test_a_page_without_links_keeps_its_rank_to_itself() -> None:
    assert PageRank(briefing(), every=1).see(seen("a")) == {"a": pytest.approx(0.1)}


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=40), st.floats(0.0, 0.95))
def test_ranks_fulfil_their_equation(links: list[tuple[int, int]], damping: float) -> None:
    sources = np.array([source for source, _ in links], dtype=np.int32)
    targets = np.array([target for _, target in links], dtype=np.int32)
    found = ranks(sources, targets, start=np.ones(10), damping=damping)
    degrees = np.bincount(sources, minlength=10)
    due = [sum(found[s] / degrees[s] for s, t in links if t == page) for page in range(10)]
    assert found == pytest.approx((1 - damping) + damping * np.array(due), abs=1e-4)
