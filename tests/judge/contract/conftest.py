"""Every way to train a critic, for the tests that every critic must pass."""

from collections.abc import Callable

import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import ComplementNB

from scenthound.judge.adaptation.adapted import AdaptedLearner
from scenthound.judge.critic import Critic, Learner, Lessons, Page
from scenthound.judge.models.bayes import BayesLearner
from scenthound.judge.models.foreign import CallableLearner, SklearnLearner
from scenthound.judge.models.logistic import LogisticLearner
from scenthound.judge.models.svm import SvmLearner
from scenthound.judge.spaces.meta import MetaLearner
from tests.judge.small_pages import examples, lessons

LEARNERS: dict[str, Callable[[], Learner]] = {
    "logistic": LogisticLearner,
    "logistic-own-vectors": lambda: LogisticLearner(vectors="own"),
    "adapted": lambda: AdaptedLearner(inner=LogisticLearner()),
    "bayes": BayesLearner,
    "bayes-of-the-papers": lambda: BayesLearner(calibrated=False),
    "bayes-few-terms": lambda: BayesLearner(features=30),
    "svm": SvmLearner,
    "svm-of-the-paper": lambda: SvmLearner(route="paper"),
    "meta": MetaLearner,
    "forest": lambda: SklearnLearner(estimator=RandomForestClassifier(n_estimators=20)),
    "distances": lambda: SklearnLearner(estimator="LinearSVC"),
    "no-sparse-rows": lambda: SklearnLearner(estimator="GaussianNB"),
    "object": lambda: SklearnLearner(estimator=ComplementNB(alpha=0.5)),
    "object-all-text": lambda: SklearnLearner(estimator=LogisticRegression(C=10.0), text="all"),
}


def share_of_cycling(page: Page) -> float:
    """Tell how much of a page is about cycling, by one word: a black box."""
    return min(1.0, page.terms.terms.count("pedal") + 0.25)


# Variants of what is there already: they make the suite twice as long and seldom find anything.
VARIANTS = {
    "svm-of-the-paper",
    "logistic-own-vectors",
    "bayes-few-terms",
    "forest",
    "distances",
    "object",
    "object-all-text",
}
PARAMETERS = [pytest.param(name, marks=pytest.mark.slow) if name in VARIANTS else name for name in LEARNERS]


@pytest.fixture(params=PARAMETERS, scope="session")
def learner(request: pytest.FixtureRequest) -> Learner:
    """A learner that learns from examples."""
    return LEARNERS[request.param]()


@pytest.fixture(params=[*PARAMETERS, "callable"], scope="session")
def any_learner(request: pytest.FixtureRequest) -> Learner:
    """Any learner, also one that only asks a function."""
    if request.param == "callable":
        return CallableLearner(function=share_of_cycling)
    return LEARNERS[request.param]()


def taught() -> Lessons:
    return lessons(*examples("Sport/Cycling", 6), *examples("Sport/Golf", 6), *examples("Arts/Music", 6), others=12)


@pytest.fixture(scope="session")
def critic(any_learner: Learner) -> Critic:
    """What each of them makes of the same few lessons."""
    return any_learner.fit(taught(), seed=7)
