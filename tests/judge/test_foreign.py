"""Critics from elsewhere: scikit-learn's classifiers, and functions that give a number for a page."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from sklearn.ensemble import BaggingClassifier, RandomForestClassifier, VotingClassifier
from sklearn.linear_model import LogisticRegression, Perceptron, SGDClassifier
from sklearn.naive_bayes import GaussianNB, MultinomialNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, MaxAbsScaler
from sklearn.tree import DecisionTreeClassifier

from scenthound.errors import ScenthoundError, SettingError, TopicsError
from scenthound.judge.critic import Page
from scenthound.judge.modelfile import Model, read_model, write_model
from scenthound.judge.models.foreign import CallableCritic, CallableLearner, SklearnCritic, SklearnLearner
from scenthound.taxonomy import OTHERS
from tests.judge.small_pages import examples, lessons, page

CYCLING, GOLF, MUSIC = "Sport/Cycling", "Sport/Golf", "Arts/Music"
TAUGHT = lessons(*examples(CYCLING, 6), *examples(GOLF, 6), *examples(MUSIC, 6), others=6)
PAGES = [page(topic, number) for topic in (CYCLING, GOLF, OTHERS) for number in range(70, 74)]


def always_half(page: Page) -> float:
    return 0.5


def reads_text(page: Page) -> float:
    return float("bicycle" in page.text)


@pytest.mark.parametrize(
    "estimator",
    [
        "KNeighborsClassifier",
        "MultinomialNB",
        "RidgeClassifier",
        pytest.param("MLPClassifier", marks=pytest.mark.slow),
        pytest.param("LinearDiscriminantAnalysis", marks=pytest.mark.slow),
        RandomForestClassifier(n_estimators=5, max_depth=4),
        BaggingClassifier(DecisionTreeClassifier(max_depth=3), n_estimators=3),
        VotingClassifier([("a", MultinomialNB()), ("b", LogisticRegression())], voting="soft"),
        make_pipeline(MaxAbsScaler(), SGDClassifier(loss="log_loss")),
        Perceptron(),
    ],
    ids=str,
)
def test_classifiers_of_all_sorts_judge_and_come_back(estimator: object, tmp_path: Path) -> None:
    critic = SklearnLearner(estimator=estimator).fit(TAUGHT, seed=5)
    rows = critic.judge(PAGES)
    assert rows.sum(axis=1) == pytest.approx(1.0)
    cycling = critic.classes.index(CYCLING)
    assert rows[:4, cycling].mean() > rows[4:, cycling].mean()
    critic.save(tmp_path / "critic")
    assert np.array_equal(SklearnCritic.load(tmp_path / "critic").judge(PAGES), rows)


@pytest.mark.slow
def test_another_seed_may_give_another_forest_and_the_same_seed_gives_the_same() -> None:
    learner = SklearnLearner(estimator=RandomForestClassifier(n_estimators=5))
    one, same, other = (learner.fit(TAUGHT, seed=seed).judge(PAGES) for seed in (1, 1, 2))
    assert np.array_equal(one, same)
    assert not np.array_equal(one, other)


@pytest.mark.slow
def test_a_seed_that_the_user_has_set_stays() -> None:
    learner = SklearnLearner(estimator=RandomForestClassifier(n_estimators=5, random_state=3))
    one, other = (learner.fit(TAUGHT, seed=seed).judge(PAGES) for seed in (1, 2))
    assert np.array_equal(one, other)


def test_the_same_lessons_are_not_learnt_twice() -> None:
    learner = SklearnLearner(estimator="MultinomialNB")
    before = learner.fit(TAUGHT, seed=1)
    assert learner.fit(TAUGHT, seed=1, before=before) is before
    assert learner.fit(TAUGHT, seed=2, before=before) is not before
    assert SklearnLearner(estimator=MultinomialNB(alpha=0.1)).fit(TAUGHT, seed=1, before=before) is not before


@pytest.mark.slow
def test_what_is_saved_names_a_class_of_scikit_learn_and_nothing_else() -> None:
    class Homemade(GaussianNB):  # type: ignore[misc]
        pass

    with pytest.raises(SettingError, match="Homemade is not a class of scikit-learn"):
        SklearnLearner(estimator=Homemade()).fit(TAUGHT, seed=1)
    with pytest.raises(SettingError, match="class_weight"):
        SklearnLearner(estimator=SGDClassifier(class_weight={0: 2.0})).fit(TAUGHT, seed=1)
    with pytest.raises(SettingError, match="func"):
        SklearnLearner(estimator=make_pipeline(FunctionTransformer(np.sqrt), GaussianNB())).fit(TAUGHT, seed=1)


def test_a_forged_name_runs_nothing(tmp_path: Path) -> None:
    SklearnLearner(estimator="GaussianNB").fit(TAUGHT, seed=1).save(tmp_path / "critic")
    model = read_model(tmp_path / "critic")
    forged = dict(model.facts) | {"recipe": {"estimator": "os.system", "parameters": {"command": "false"}}}
    write_model(tmp_path / "forged", Model(kind=model.kind, facts=forged, arrays=model.arrays))
    with pytest.raises(SettingError, match=r"no classifier os\.system"):
        SklearnCritic.load(tmp_path / "forged").judge(PAGES)


def test_a_cache_of_pickles_is_not_read(tmp_path: Path) -> None:
    steps = [["bayes", {"estimator": "GaussianNB", "parameters": {}}]]
    pipeline = {"estimator": "Pipeline", "parameters": {"steps": steps, "memory": str(tmp_path / "cache")}}
    SklearnLearner(estimator="GaussianNB").fit(TAUGHT, seed=1).save(tmp_path / "critic")
    model = read_model(tmp_path / "critic")
    write_model(
        tmp_path / "forged", Model(kind=model.kind, facts=dict(model.facts) | {"recipe": pipeline}, arrays=model.arrays)
    )
    with pytest.raises(SettingError, match="is not loaded; make it without memory"):
        SklearnCritic.load(tmp_path / "forged").judge(PAGES)


@pytest.mark.parametrize(
    ("name", "said"),
    [("GausianNB", "no classifier GausianNB"), ("OneVsRestClassifier", "from its name alone")],
)
def test_a_name_that_makes_no_classifier(name: str, said: str) -> None:
    with pytest.raises(SettingError, match=said):
        SklearnLearner(estimator=name).fit(TAUGHT, seed=1)


def test_a_classifier_that_cannot_learn_these_examples_says_why() -> None:
    with pytest.raises(SettingError, match=r"LogisticRegression cannot learn .*'C'"):
        SklearnLearner(estimator=LogisticRegression(C=-1.0)).fit(TAUGHT, seed=1)


def test_weights_of_a_linear_classifier_are_telling() -> None:
    critic = SklearnLearner(estimator=LogisticRegression(C=10.0)).fit(TAUGHT, seed=1)
    assert {one.term for one in critic.telling(CYCLING, most=5)} <= set(page(CYCLING, 1).terms.terms)
    assert SklearnLearner(estimator="GaussianNB").fit(TAUGHT, seed=1).telling(CYCLING) == ()


def test_a_function_judges_by_the_text() -> None:
    critic = CallableLearner(function=reads_text).fit(lessons(good=(GOLF,)), seed=1)
    assert critic.wants_text
    assert critic.classes == (GOLF, OTHERS)
    assert critic.judge([Page(text="my bicycle"), Page(text="a car")]).tolist() == [[1.0, 0.0], [0.0, 1.0]]


def test_a_function_needs_a_good_topic() -> None:
    with pytest.raises(TopicsError, match="mark the topic"):
        CallableLearner(function=always_half).fit(lessons(good=()), seed=1)


def test_a_function_comes_back_by_its_name(tmp_path: Path) -> None:
    critic = CallableLearner(function="tests.judge.test_foreign:always_half").fit(TAUGHT, seed=1)
    critic.save(tmp_path / "critic")
    assert CallableCritic.load(tmp_path / "critic").judge([Page()]).tolist() == [[0.5, 0.5]]


def test_a_function_without_a_name_of_its_own_cannot_be_saved(tmp_path: Path) -> None:
    critic = CallableLearner(function=lambda page: 0.1).fit(TAUGHT, seed=1)
    assert critic.judge([Page()])[0, 0] == 0.1
    with pytest.raises(SettingError, match="has no function"):
        critic.save(tmp_path / "critic")


@pytest.mark.parametrize("value", [1.5, -0.1, float("nan"), float("inf"), None, "much"])
def test_a_function_that_gives_no_number_from_0_to_1_is_named_with_the_page(value: float) -> None:
    critic = CallableLearner(function=lambda page: value).fit(TAUGHT, seed=1)
    with pytest.raises(ScenthoundError, match=r"lambda.* http://odd\.test/"):
        critic.judge([Page(url="http://odd.test/")])


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("nothing", "module:function"),
        (":half", "module:function"),
        ("no_such_module:half", "start from its folder"),
        ("math:no_such_function", "has no function no_such_function"),
        ("math:pi", "has no function pi"),
    ],
)
def test_a_name_that_leads_to_no_function(name: str, said: str) -> None:
    with pytest.raises(SettingError, match=said):
        CallableLearner(function=name).fit(TAUGHT, seed=1)


def test_any_callable_will_do() -> None:
    class Counting:
        def __call__(self, page: Page) -> float:
            return 1.0 if len(page.terms) else 0.0

    black_box: Callable[[Page], float] = Counting()
    critic = CallableLearner(function=black_box).fit(TAUGHT, seed=1)
    assert critic.judge([Page(), page(CYCLING, 1)])[:, 0].tolist() == [0.0, 1.0]
