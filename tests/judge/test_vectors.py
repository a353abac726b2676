"""Word vectors: words of the same kind of page come to lie near each other, however they are learnt."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from scenthound.judge.models import vectors as module
from scenthound.judge.models.features import Features, features_of
from scenthound.judge.models.vectors import Vectors, learn_vectors
from tests.judge.small_pages import SAYINGS, page, spoken_page

PAGES = [page(topic, number) for topic in SAYINGS if topic for number in range(40)]


@pytest.fixture(scope="module")
def features() -> Features:
    return features_of(PAGES)


def likeness(vectors: Vectors, features: Features, one: str, other: str) -> float:
    """The cosine of two words' vectors."""
    first, second = (vectors.table[features.columns[word]] for word in (one, other))
    return float(first @ second / np.linalg.norm(first) / np.linalg.norm(second))


def test_words_of_one_topic_are_nearer_than_words_of_two(features: Features) -> None:
    vectors = learn_vectors(features.rows(PAGES), dimensions=4, seed=1)
    assert likeness(vectors, features, "pedal", "saddl") > 0.8
    assert likeness(vectors, features, "pedal", "sonata") < 0.4


def test_a_page_is_near_a_topic_with_which_it_shares_no_word(features: Features) -> None:
    vectors = learn_vectors(features.rows(PAGES), dimensions=4, seed=1)
    asked = [spoken_page("", words) for words in ("pedal chain", "saddle helmet", "violin opera")]
    pedals, saddles, violins = vectors(features.rows(asked))
    assert pedals @ saddles > 0.8
    assert pedals @ violins < 0.4


def test_many_pages_and_few_are_learnt_alike(features: Features, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = features.rows(PAGES)
    exact = learn_vectors(rows, dimensions=4, seed=1)
    monkeypatch.setattr(module, "_FEW", 0)
    nearly = learn_vectors(rows, dimensions=4, seed=1)
    assert exact.table == pytest.approx(nearly.table, abs=0.02)


def test_the_same_seed_gives_the_same_vectors(features: Features) -> None:
    one, other = (learn_vectors(features.rows(PAGES), dimensions=8, seed=3).table for _ in range(2))
    assert np.array_equal(one, other)


def test_pages_have_vectors_of_unit_length_and_empty_pages_none(features: Features) -> None:
    vectors = learn_vectors(features.rows(PAGES), dimensions=4, seed=1)
    found = vectors(csr_array(np.vstack([features.rows(PAGES[:1]).toarray(), np.zeros((1, len(features)))])))
    assert np.linalg.norm(found, axis=1) == pytest.approx([1.0, 0.0])


@pytest.mark.parametrize("shape", [(0, 5), (1, 5), (5, 1), (3, 0)])
def test_too_little_to_learn_from_gives_empty_vectors(shape: tuple[int, int]) -> None:
    vectors = learn_vectors(csr_array(np.ones(shape)), seed=1)
    assert (vectors.dimensions, vectors.table.shape[0]) == (0, shape[1])


def test_copies_of_a_page_add_no_dimension() -> None:
    assert learn_vectors(csr_array(np.ones((6, 5))), seed=1).dimensions == 1
