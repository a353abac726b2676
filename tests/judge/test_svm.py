"""BINGO's support vector machines: features by topic, "none" where all say no, confidence by distance, ξα."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.sparse import csr_array

from scenthound.judge.critic import Example, Lessons, Page
from scenthound.judge.models.svm import SvmLearner
from scenthound.judge.models.svm_node import Selection, fit_plane, multipliers
from scenthound.taxonomy import OTHERS, Topic, Topics
from tests.judge.small_pages import COMMON, examples, lessons, page, spoken_page

CYCLING, GOLF, MUSIC, PAINTING = "Sport/Cycling", "Sport/Golf", "Arts/Music", "Arts/Painting"


@pytest.mark.slow
def test_a_term_may_tell_topics_apart_at_one_place_and_not_at_another() -> None:
    """The example of BINGO §2.3: "theorem" is of mathematics, "field" of algebra and, elsewhere, of agriculture."""
    said = {
        "Mathematics/Algebra": "theorem proof field ring group",
        "Mathematics/Stochastics": "theorem proof chance martingale variance",
        "Agriculture": "field crop harvest plough barley",
        "Arts": "painting sculpture opera theatre dance",
    }
    taught = Lessons(
        topics=Topics(topics=tuple(Topic(path=path) for path in said)),
        examples=tuple(
            Example(topic=path, name=f"{path}{n}", page=spoken_page(f"{path}{n}", f"{words} {COMMON.split()[n]}"))
            for path, words in said.items()
            for n in range(6)
        ),
    )
    critic = SvmLearner().fit(taught)
    assert "theorem" in [one.term for one in critic.telling("Mathematics", most=3)]
    best = [one.term for one in critic.telling("Mathematics/Algebra", most=3)]
    assert "field" in best
    assert "theorem" not in best


@pytest.mark.slow
def test_where_all_say_no_a_page_belongs_to_others() -> None:
    critic = SvmLearner().fit(lessons(*examples(CYCLING, 8), *examples(GOLF, 8), *examples(MUSIC, 8)))
    assert critic.classes[-1] == OTHERS, "though no page of OTHERS was shown"
    strange = spoken_page(
        "http://strange.test/", "quokka zugzwang syzygy xylophagous umbrella invoice dentist mortgage"
    )
    assert (critic.distances([strange]) < 0)[:, :2].all()
    assert critic.classes[critic.judge([strange])[0].argmax()] == OTHERS


def test_the_more_of_a_topics_words_the_greater_the_distance() -> None:
    critic = SvmLearner().fit(lessons(*examples(CYCLING, 8), *examples(GOLF, 8), others=8))
    words = ["bicycle", "pedal", "saddle", "chain", "helmet", "sprocket"]
    pages = [spoken_page(str(n), " ".join([*COMMON.split(), *words[:n]])) for n in range(len(words) + 1)]
    distances = critic.distances(pages)[:, critic.hyperplanes.index(CYCLING)]
    assert all(nearer < farther for nearer, farther in pairwise(distances))
    assert distances[0] < 0 < distances[-1]


def test_a_distance_is_one_in_the_space_of_unit_vectors() -> None:
    critic = SvmLearner().fit(lessons(*examples(CYCLING, 8), *examples(GOLF, 8), others=8))
    pages = [page(CYCLING, number) for number in range(30)]
    distances = critic.distances(pages)
    assert np.ptp(distances, axis=0).max() <= 2.0, "no two points of the unit sphere are farther apart"


@pytest.mark.slow
def test_easy_topics_are_estimated_to_do_well_and_mixed_ones_badly() -> None:
    easy = SvmLearner().fit(lessons(*examples(CYCLING, 20), *examples(GOLF, 20), others=20)).estimates()
    assert easy[CYCLING].precision > 0.9
    assert easy[CYCLING].recall > 0.9
    assert easy[CYCLING].examples == 20
    words = examples(CYCLING, 40)
    mixed = [Example(topic=(CYCLING, GOLF)[n % 2], name=one.name, page=one.page) for n, one in enumerate(words)]
    hard = SvmLearner().fit(lessons(*mixed)).estimates()
    assert hard[CYCLING].error > 0.3
    assert hard[CYCLING].precision < easy[CYCLING].precision


@pytest.mark.parametrize("seed", range(5))
def test_the_multipliers_of_xi_alpha_are_those_of_the_hyperplane(seed: int) -> None:
    """w = Σ α y x holds for the very α that the estimate takes from the slacks."""
    chance = np.random.default_rng(seed)
    counts = csr_array(chance.poisson(0.7, size=(30, 12)) * 1.0)
    vectors = csr_array(counts.multiply(1 / np.linalg.norm(counts.toarray(), axis=1)[:, None]))
    mine = chance.random(30) < 0.3
    plane = fit_plane(counts, vectors, mine, Selection(frequent=12, best=12))
    sides = np.where(mine, 1.0, -1.0)
    slacks = np.maximum(0.0, 1.0 - sides * (vectors @ plane.weights + plane.bias))
    used = plane.weights != 0
    rebuilt = (multipliers(slacks, mine) * sides) @ vectors.toarray()
    assert rebuilt[used] == pytest.approx(plane.weights[used], abs=0.02 * np.abs(plane.weights).max())
    assert np.sum(multipliers(slacks, mine) * sides) == pytest.approx(plane.bias, abs=0.02)


def test_a_topic_whose_examples_have_no_words_is_never_chosen_for_its_words() -> None:
    blank = [Example(topic=GOLF, name=str(n), page=Page()) for n in range(3)]
    critic = SvmLearner().fit(lessons(*examples(CYCLING, 6), *blank, others=6))
    assert critic.telling(GOLF) == ()
    assert critic.classes[critic.judge([page(CYCLING, 99)])[0].argmax()] == CYCLING


@pytest.mark.slow
def test_only_the_branches_with_new_lessons_are_trained_again() -> None:
    topics = [CYCLING, GOLF, MUSIC, PAINTING]
    before = SvmLearner().fit(lessons(*(one for topic in topics for one in examples(topic, 5)), others=5))
    more = [one for topic in topics for one in examples(topic, 6 if topic == GOLF else 5)]
    after = SvmLearner().fit(lessons(*more, others=5), before=before)
    kept = [branch.path for branch, node in zip(after.tree.branches, after.nodes, strict=True) if node in before.nodes]
    assert kept == ["Arts"]


def test_doubt_between_two_topics_is_not_taken_for_a_page_of_none() -> None:
    """Each machine says no to half a page, and so "none" would win if it had the odds that independence gives it."""
    critic = SvmLearner().fit(lessons(*examples(CYCLING, 8), *examples(MUSIC, 8), *examples("Arts/Painting", 8)))
    both = [
        spoken_page(str(n), " ".join(page(CYCLING, n).terms.terms[:9] + page(MUSIC, n).terms.terms[:9]))
        for n in range(300, 310)
    ]
    assert np.median(critic.judge(both)[:, -1]) < 0.3
