"""What calibration does for naive Bayes, and what is trained again when lessons change."""

import random
from dataclasses import replace

import numpy as np
import pytest

from scenthound.judge.critic import Example, Page
from scenthound.judge.models.bayes import BayesLearner
from scenthound.taxonomy import OTHERS
from tests.judge.small_pages import COMMON, SAYINGS, examples, lessons, page, spoken_page
from tests.judge.top_calibration import top_calibration_error

CYCLING, GOLF, MUSIC, PAINTING = "Sport/Cycling", "Sport/Golf", "Arts/Music", "Arts/Painting"


def test_calibrated_it_is_less_sure_of_what_it_cannot_know() -> None:
    taught = lessons(*examples(CYCLING, 8), *examples(GOLF, 8))
    doubtful = spoken_page("http://both.test/", f"{COMMON} pedal saddle chain putter bunker")
    sure = BayesLearner(calibrated=False).fit(taught).judge([doubtful])
    honest = BayesLearner().fit(taught).judge([doubtful])
    assert honest.max() < sure.max()
    assert honest.argmax() == sure.argmax()


def bursty(topic: str, number: int) -> Page:
    """A page as real ones are: it says few things and says them often, and not all of them are of its topic.

    It has nine words to say; to naive Bayes they are seventy-two independent ones.
    """
    chance = random.Random(f"{topic} {number}")
    drawn = [
        chance.choice(SAYINGS[topic if chance.random() < 0.5 else chance.choice(list(SAYINGS))].split())
        for _ in range(9)
    ]
    return spoken_page(f"http://bursty.test/{topic}/{number}", " ".join(drawn * 8))


def bursty_examples(topic: str, count: int) -> list[Example]:
    return [Example(topic=topic, name=f"{topic} {n}", page=bursty(topic, n)) for n in range(count)]


@pytest.mark.slow
def test_calibrated_its_probabilities_mean_something() -> None:
    topics = [CYCLING, GOLF, MUSIC, PAINTING]
    taught = lessons(*(one for topic in topics for one in bursty_examples(topic, 25)))
    fresh = [(topic, bursty(topic, number)) for topic in topics for number in range(500, 600)]
    errors = {}
    for calibrated in (True, False):
        critic = BayesLearner(calibrated=calibrated).fit(taught)
        truth = np.array([critic.classes.index(topic) for topic, _ in fresh])
        errors[calibrated] = top_calibration_error(critic.judge([page for _, page in fresh]), truth)
    assert errors[True] < 0.1
    assert errors[True] < errors[False] / 2


@pytest.mark.slow
def test_a_small_topic_gets_its_share_beside_a_large_one() -> None:
    taught = replace(lessons(*bursty_examples(CYCLING, 10)), others=tuple(bursty(GOLF, n) for n in range(100)))
    fresh = [bursty(CYCLING, n) for n in range(500, 520)] + [bursty(GOLF, n) for n in range(500, 700)]
    share = BayesLearner().fit(taught).judge(fresh)[:, 0].sum() / 20
    assert 0.6 < share < 1.5


@pytest.mark.slow
def test_only_the_branches_with_new_lessons_are_trained_again() -> None:
    topics = [CYCLING, GOLF, MUSIC, PAINTING]
    before = BayesLearner().fit(lessons(*(one for topic in topics for one in examples(topic, 5)), others=5))
    more = [one for topic in topics for one in examples(topic, 6 if topic == GOLF else 5)]
    after = BayesLearner().fit(lessons(*more, others=5), before=before)
    taken_over = [
        branch.path for branch, node in zip(after.tree.branches, after.nodes, strict=True) if node in before.nodes
    ]
    assert taken_over == ["Arts"]


def test_the_most_telling_terms_are_the_topics_own() -> None:
    critic = BayesLearner().fit(lessons(*examples(CYCLING, 6), *examples(GOLF, 6), others=12))
    own = set(page(CYCLING, 1).terms.terms) - set(page(GOLF, 1).terms.terms)
    assert {one.term for one in critic.telling(CYCLING, most=5)} <= own
    assert {one.term for one in critic.telling(OTHERS, most=5)} <= set(page(OTHERS, 1).terms.terms)


def test_which_terms_a_branch_chooses_depends_on_its_own_lessons_only() -> None:
    """Many terms tell equally well; who stands first among them must not hang on what other branches have read."""
    arts = [*examples(MUSIC, 1), *examples(PAINTING, 1)]
    small, large = (
        BayesLearner(features=5).fit(lessons(*arts, *examples(CYCLING, count), others=count)) for count in (1, 9)
    )
    place = [branch.path for branch in small.tree.branches].index("Arts")
    assert small.nodes[place].terms == large.nodes[place].terms
    assert small.nodes[place].terms == tuple(sorted(small.nodes[place].terms))
