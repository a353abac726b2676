"""Words that were never seen speak for a link if words that are used alike did well."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.apprentice.memory.ranges import Ranges
from scenthound.apprentice.words.lexicon import BITS
from scenthound.apprentice.words.meanings import EVERY, FREE, RIDGE, Meanings
from scenthound.apprentice.words.word_vectors import word_vectors
from scenthound.apprentice.words.word_yields import Floats, Ints
from scenthound.parse.words.stems import stems
from scenthound.parse.words.word_stream import number_of
from tests.apprentice.logistic_problems import Problem

ANIMALS = ["otter", "beaver", "fox", "deer", "rabbit", "wolf"]
MONEY = ["tax", "bank", "loan", "budget", "credit", "payment"]


def numbers(words: list[str]) -> Ints:
    english = stems("en")
    return np.array([number_of(english[word.encode()]) & ((1 << BITS) - 1) for word in words])


def taught(texts: list[list[str]], outcomes: list[float]) -> Meanings:
    """Return what is known after links with these words led to pages of that relevance."""
    meanings = Meanings(word_vectors(BITS))
    sizes = np.array([len(text) for text in texts])
    ends = np.cumsum(sizes)
    words = numbers([word for text in texts for word in text])
    meanings.learn(words, Ranges.of(ends - sizes, ends), np.array(outcomes))
    meanings.turn(EVERY)
    return meanings


def said(meanings: Meanings, *words: str) -> list[float]:
    spoken: list[float] = meanings.speak(numbers(list(words))).tolist()
    return spoken


def test_a_word_never_seen_is_judged_by_words_that_mean_the_same() -> None:
    meanings = taught([[word] for word in ANIMALS + MONEY], [0.9] * 6 + [0.1] * 6)
    badger, hare, invoice, mortgage = said(meanings, "badger", "hare", "invoice", "mortgage")
    assert min(badger, hare) > 0.25 > -0.25 > max(invoice, mortgage)


def test_nothing_is_said_before_anything_was_learnt_nor_by_a_word_without_a_vector() -> None:
    assert said(Meanings(word_vectors(BITS)), "otter") == [0.0]
    meanings = taught([[word] for word in ANIMALS + MONEY], [0.9] * 6 + [0.1] * 6)
    unknown = np.flatnonzero(word_vectors(BITS).places == 0)[:50]
    assert not meanings.speak(unknown).any()


def test_links_without_words_and_with_unknown_words_teach_nothing() -> None:
    meanings = taught([["zzyzxqq"], [], []], [1.0, 1.0, 0.0])
    assert said(meanings, "otter", "tax") == [0.0, 0.0]


@pytest.mark.slow
@given(
    st.lists(st.tuples(st.lists(st.sampled_from(ANIMALS + MONEY), min_size=1, max_size=3), st.floats(0, 1)), min_size=6)
)
def test_it_is_logistic_regression_on_the_directions_of_texts(lessons: list[tuple[list[str], float]]) -> None:
    """A text is the sum of its vectors, over the root of the number of its words."""
    texts, outcomes = [text for text, _ in lessons], np.array([outcome for _, outcome in lessons])
    vectors = word_vectors(BITS)
    sums = [vectors.rows[vectors.places[numbers(text)]].sum(axis=0) / np.sqrt(len(text)) for text in texts]
    rows: Floats = np.column_stack((np.array(sums, dtype=np.float64), np.ones(len(texts))))
    problem = Problem(
        rows, outcomes, start=np.zeros(rows.shape[1]), faith=np.append(np.full(vectors.size, RIDGE), FREE)
    )
    slopes = problem.answer()[:-1]
    expected = vectors.rows[vectors.places[numbers(["badger", "invoice"])]] @ slopes
    assert said(taught(texts, outcomes.tolist()), "badger", "invoice") == pytest.approx(expected, abs=1e-3)


def test_what_was_learnt_can_be_kept_and_learning_goes_on_from_there() -> None:
    meanings = taught([[word] for word in ANIMALS + MONEY], [0.9] * 6 + [0.1] * 6)
    again = Meanings(word_vectors(BITS))
    again.restore(meanings.state())
    assert said(again, "badger") == said(meanings, "badger")
    for one in (meanings, again):
        one.learn(numbers(["whale"]), Ranges.of(np.array([0]), np.array([1])), np.array([1.0]))
        for _ in range(EVERY):
            one.turn(1)
    assert said(again, "dolphin") == said(meanings, "dolphin")
