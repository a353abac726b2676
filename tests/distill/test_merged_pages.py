"""Which pages are one, and how scores go along links: held against the plainest way to say it."""

from collections.abc import Sequence

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from scenthound.distill.graph import Web, merged
from scenthound.distill.recursion import MANY, Flow


def web_of(same: Sequence[int]) -> Web:
    count = len(same)
    return Web(
        ids=np.arange(1, count + 1),
        sites=np.arange(count),
        is_page=np.ones(count, dtype=np.bool_),
        relevance=np.ones(count),
        same=np.array(same, dtype=np.int64),
        about=np.zeros(count, dtype=np.bool_),
        citing=np.zeros(0, dtype=np.int64),
        cited=np.zeros(0, dtype=np.int64),
    )


def groups_of(same: Sequence[int]) -> list[set[int]]:
    """Join pages pair by pair."""
    groups = [{place} for place in range(len(same))]
    for place, other in enumerate(same):
        if other >= 0 and groups[place] is not groups[other]:
            joined = groups[place] | groups[other]
            for one in joined:
                groups[one] = joined
    return groups


@given(st.integers(1, 30).flatmap(lambda size: st.lists(st.integers(-1, size - 1), min_size=size, max_size=size)))
def test_pages_that_lead_to_one_another_are_one_node_also_in_a_circle(same: list[int]) -> None:
    members = merged(web_of(same)).members
    for place, group in enumerate(groups_of(same)):
        assert set(np.flatnonzero(members == members[place]).tolist()) == group


def test_a_long_chain_into_a_circle_is_one_node() -> None:
    same = [*range(1, 1_000), 990, -1]
    assert merged(web_of(same)).members.tolist() == [0] * 1_000 + [1]


def test_few_links_and_many_carry_scores_to_the_same_bits_as_a_sparse_matrix() -> None:
    chance = np.random.default_rng(7)
    for links in (0, 1, 5_000, MANY):
        to, of = (chance.integers(0, max(1, links // 9), links) for _ in range(2))
        pairs = np.unique(np.stack((of, to)), axis=1)
        of, to = pairs[0], pairs[1]
        weights, height, scores = (
            chance.random(len(of)),
            int(to.max(initial=0)) + 1,
            chance.random(of.max(initial=0) + 1),
        )
        wanted = csr_array((weights, (to, of)), (height, len(scores))) @ scores
        assert np.array_equal(Flow(to=to, of=of, weights=weights, height=height) @ scores, wanted)
