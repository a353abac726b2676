"""Groups of vectors: their number, by the data or by the user; the same each time; few pages, and pages all alike."""

import numpy as np
import pytest

from scenthound.search.groups import FEWEST, Grouping, group_vectors
from scenthound.search.types import Floats


def clouds(groups: int, pages: int, *, width: float = 0.15) -> tuple[Floats, list[int]]:
    """Return unit vectors around some directions, in turn, and the cloud of each."""
    draw = np.random.default_rng(0)
    middles = np.eye(32, dtype=np.float32)[:groups]
    of = [place % groups for place in range(pages)]
    vectors = middles[of] + draw.normal(scale=width, size=(pages, 32)).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True), of


def sets_of(grouping: Grouping) -> set[frozenset[int]]:
    return {frozenset(np.flatnonzero(grouping.of == number).tolist()) for number in range(grouping.groups)}


@pytest.mark.slow
@pytest.mark.parametrize("groups", [2, 4])
def test_the_pages_choose_the_number(groups: int) -> None:
    vectors, of = clouds(groups, 60)
    found = group_vectors(vectors)
    assert sets_of(found) == {frozenset(np.flatnonzero(np.array(of) == one).tolist()) for one in range(groups)}
    assert found.clearness > 0.3


def test_the_user_chooses_the_number_and_the_largest_group_comes_first() -> None:
    vectors, _ = clouds(3, 60)
    found = group_vectors(vectors, 6)
    assert found.groups == 6
    sizes = np.bincount(found.of)
    assert sizes.tolist() == sorted(sizes.tolist(), reverse=True)


def test_the_same_pages_fall_into_the_same_groups() -> None:
    vectors, _ = clouds(4, 60, width=0.4)
    assert group_vectors(vectors, 5).of.tolist() == group_vectors(vectors.copy(), 5).of.tolist()


@pytest.mark.slow
def test_a_cloud_without_groups_is_not_called_clear() -> None:
    draw = np.random.default_rng(1)
    vectors = draw.normal(size=(120, 32)).astype(np.float32)
    assert group_vectors(vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).clearness < 0.3


@pytest.mark.parametrize("pages", [0, 1, 5, FEWEST - 1])
def test_few_pages_are_one_group(pages: int) -> None:
    vectors, _ = clouds(2, pages)
    assert group_vectors(vectors).of.tolist() == [0] * pages


def test_copies_of_one_page_are_one_group() -> None:
    vectors, _ = clouds(1, 1)
    assert group_vectors(np.repeat(vectors, 40, axis=0), 3).groups == 1
