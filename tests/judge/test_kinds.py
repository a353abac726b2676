"""From `critic.kind` to a learner, with a helping word where it names none."""

import subprocess
import sys

import pytest

from scenthound.errors import SettingError
from scenthound.judge.adaptation.adapted import AdaptedLearner
from scenthound.judge.critic_kinds import learner_of
from scenthound.judge.models.bayes import BayesLearner
from scenthound.judge.models.foreign import CallableLearner, SklearnLearner
from scenthound.judge.models.logistic import LogisticLearner
from scenthound.judge.models.svm import SvmLearner
from scenthound.settings.schema import CriticSettings
from tests.patience import PATIENCE


@pytest.mark.parametrize(
    ("kind", "learner"),
    [
        ("logistic", LogisticLearner(text="all")),
        ("bayes", BayesLearner(text="all")),
        ("svm", SvmLearner(text="all")),
        ("RandomForestClassifier", SklearnLearner(estimator="RandomForestClassifier", text="all")),
        ("math:sqrt", CallableLearner(function="math:sqrt")),
    ],
)
def test_a_kind_gives_its_learner(kind: str, learner: object) -> None:
    assert learner_of(CriticSettings(kind=kind, text="all", adapt=False)) == learner


def test_critics_that_learn_are_fitted_to_the_crawl_and_functions_are_left_alone() -> None:
    assert learner_of(CriticSettings(kind="svm", text="all")) == AdaptedLearner(inner=SvmLearner(text="all"))
    assert learner_of(CriticSettings(kind="bayes", text="all")) == BayesLearner(text="all")
    assert learner_of(CriticSettings(kind="math:sqrt")) == CallableLearner(function="math:sqrt")


def test_the_default_is_a_kind() -> None:
    assert isinstance(learner_of(CriticSettings(adapt=False)), LogisticLearner)


@pytest.mark.parametrize(
    ("wrong", "meant"),
    [
        ("bayse", "bayes"),
        ("SVM", "svm"),
        ("randomforestclassifer", "RandomForestClassifier"),
        ("logistics", "logistic"),
    ],
)
def test_a_slip_of_the_pen_is_answered_with_the_nearest_name(wrong: str, meant: str) -> None:
    with pytest.raises(SettingError, match=f'did you mean "{meant}"'):
        learner_of(CriticSettings(kind=wrong))


def test_a_classifier_that_gives_bare_answers_only_is_refused() -> None:
    with pytest.raises(SettingError, match="did you mean"):
        learner_of(CriticSettings(kind="LinearRegression"))


def test_no_critic_has_no_learner() -> None:
    with pytest.raises(SettingError, match="nothing to train"):
        learner_of(CriticSettings(kind="none"))


@pytest.mark.slow
def test_asking_for_kinds_imports_no_heavy_library() -> None:
    asked = "import sys, scenthound.judge.critic_kinds; sys.exit('sklearn' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", asked], check=False, timeout=PATIENCE).returncode == 0
