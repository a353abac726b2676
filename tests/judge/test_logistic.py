"""The default critic, beyond what every critic promises: vectors, kin, calibration, telling terms."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from scenthound.judge.critic import Example, Lessons, Page
from scenthound.judge.models.logistic import LogisticCritic, LogisticLearner
from scenthound.parse.words.page_terms import terms_of_text
from scenthound.taxonomy import OTHERS, Topic, Topics
from tests.judge.small_pages import SAYINGS, examples, lessons, page
from tests.judge.top_calibration import top_calibration_error

CYCLING, GOLF, MUSIC = "Sport/Cycling", "Sport/Golf", "Arts/Music"


def said(text: str) -> Page:
    return Page(terms=terms_of_text(text, language="en"))


def blurred(topic: str, number: int) -> Page:
    """A page half of another topic's words, so that it cannot be told for certain."""
    others = [other for other in SAYINGS if other != topic]
    mine, yours = page(topic, number, words=16), page(others[number % len(others)], number, words=16)
    return said(" ".join((*mine.terms.terms, *yours.terms.terms)))


@pytest.mark.slow
def test_words_known_only_from_pages_at_hand_speak_for_a_topic() -> None:
    """No example says "tandem"; pages at hand say it beside words of cycling."""
    taught = lessons(*examples(CYCLING, 5), *examples(MUSIC, 5))
    riders = (said(" ".join(("tandem", *page(CYCLING, number).terms.terms))) for number in range(100, 120))
    at_hand = (*riders, *(page(MUSIC, number) for number in range(100, 120)))
    asked = [said("tandem"), said("tandem tandem tandem")]
    learner = LogisticLearner(dimensions=4, vectors="own")  # few words have few directions
    blind = learner.fit(taught, seed=1).judge(asked)[:, 0]
    aware = learner.fit(replace(taught, at_hand=at_hand), seed=1).judge(asked)[:, 0]
    assert blind == pytest.approx(0.5, abs=0.1)
    assert (aware > 0.8).all()


def test_without_dimensions_only_words_count() -> None:
    critic = LogisticLearner(dimensions=0).fit(lessons(*examples(CYCLING, 5), *examples(MUSIC, 5)), seed=1)
    assert critic.learnt.vectors.dimensions == 0
    assert critic.judge([page(CYCLING, 99)])[0, 0] > 0.6


@pytest.mark.slow
def test_what_is_unclear_is_said_to_be_unclear() -> None:
    topics = [topic for topic in SAYINGS if topic]
    taught = [Example(topic=topic, name=str(n), page=blurred(topic, n)) for topic in topics for n in range(30)]
    critic = LogisticLearner().fit(lessons(*taught), seed=1)
    asked = [(topic, blurred(topic, n)) for topic in topics for n in range(100, 200)]
    labels = np.array([critic.classes.index(topic) for topic, _ in asked])
    said_of = critic.judge([one for _, one in asked])
    assert 0.3 < (said_of.argmax(axis=1) == labels).mean() < 0.98
    assert top_calibration_error(said_of, labels) < 0.1


@pytest.mark.slow
def test_the_telling_terms_are_those_that_siblings_lack() -> None:
    taught = lessons(*examples(CYCLING, 8), *examples(GOLF, 8), *examples(MUSIC, 8), others=10)
    critic = LogisticLearner().fit(taught, seed=1)
    of_golf = {one.term for one in critic.telling(GOLF, most=5)}
    of_sport = {one.term for one in critic.telling("Sport", most=20)}
    assert of_golf <= set(terms_of_text(SAYINGS[GOLF], language="en").terms)
    assert of_sport & set(terms_of_text(SAYINGS[CYCLING], language="en").terms)
    assert of_sport & of_golf
    assert critic.telling(OTHERS, most=3)
    assert critic.telling("Nowhere") == ()


@pytest.mark.slow
def test_unchanged_lessons_need_no_training_and_changed_ones_do() -> None:
    learner, taught = LogisticLearner(), lessons(*examples(CYCLING, 4), *examples(GOLF, 4))
    first = learner.fit(taught, seed=1)
    re_marked = replace(taught, topics=Topics(topics=tuple(Topic(path=one.path) for one in taught.topics.topics)))
    assert learner.fit(re_marked, seed=1, before=first) is first
    for changed in (lessons(*examples(CYCLING, 5), *examples(GOLF, 4)), replace(taught, at_hand=(page(MUSIC, 1),))):
        assert learner.fit(changed, seed=1, before=first) is not first
    assert learner.fit(taught, seed=2, before=first) is not first


@pytest.mark.slow
def test_thousands_of_examples_are_learnt_by_landmarks() -> None:
    many = [one for topic in (CYCLING, GOLF, MUSIC) for one in examples(topic, 500)]
    critic = LogisticLearner().fit(lessons(*many), seed=1)
    asked = [page(topic, number) for topic in critic.classes for number in range(900, 910)]
    right = critic.judge(asked).argmax(axis=1) == np.repeat(np.arange(3), 10)
    assert right.all()


def test_a_query_of_two_words_is_enough_for_a_topic() -> None:
    topics = Topics(topics=(Topic(path="Tandems", good=True),))
    example = Example(topic="Tandems", name="tandem touring", page=said("tandem touring"))
    taught = Lessons(topics=topics, examples=(example,), others=tuple(page("", n) for n in range(20)))
    critic = LogisticLearner().fit(taught, seed=1)
    about, elsewhere = critic.judge([said("a tandem touring club"), page("", 99)])[:, 0]
    assert about > 3 * elsewhere


def test_a_saved_critic_keeps_vocabulary_and_vectors(tmp_path: Path) -> None:
    critic = LogisticLearner(text="all").fit(lessons(*examples(CYCLING, 4), others=4), seed=1)
    critic.save(tmp_path / "critic")
    back = LogisticCritic.load(tmp_path / "critic")
    assert (back.features.terms, back.features.text, back.digest) == (critic.features.terms, "all", critic.digest)
    assert np.array_equal(back.learnt.vectors.table, critic.learnt.vectors.table)
