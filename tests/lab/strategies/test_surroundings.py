from hypothesis import given
from hypothesis import strategies as st

from scenthound.lab.strategies.surroundings import Surroundings
from scenthound.types import Link

LEAVES = st.lists(
    st.lists(st.sampled_from(["wren", "robin", "nest"]), max_size=4).map(" ".join), min_size=1, max_size=12
)


@given(LEAVES, st.data(), st.integers(0, 6), st.integers(0, 6))
def test_the_nearest_words_within_reach(leaves: list[str], data: st.DataObject, reach: int, most: int) -> None:
    first = data.draw(st.integers(0, len(leaves) - 1))
    last = data.draw(st.integers(first, len(leaves) - 1))
    around = Surroundings(leaves, reach=reach, most=most)
    link = Link(url="http://a.test/", first_leaf=first, last_leaf=last)
    left = " ".join(leaves[max(0, first - reach) : first]).encode().split()
    right = " ".join(leaves[last + 1 : last + 1 + reach]).encode().split()
    assert around.before(link) == left[len(left) - min(most, len(left)) :]
    assert around.after(link) == right[:most]


def test_a_link_that_stands_nowhere_on_the_page_has_no_words_around_it() -> None:
    canonical = Link(url="http://a.test/")
    around = Surroundings(("birds", "of", "prey"), reach=2, most=10)
    assert (around.before(canonical), around.after(canonical)) == ([], [])
