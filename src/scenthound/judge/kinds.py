"""From the setting `critic.kind` to a learner, and from a saved critic back to one."""

from difflib import get_close_matches
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from scenthound.config import CriticSettings
from scenthound.errors import ScenthoundError, SettingError
from scenthound.judge.base import Critic, Learner
from scenthound.judge.modelfile import kind_of

# Named, not imported: scikit-learn takes a second to import, for which a command that judges nothing should not wait.
_LEARNERS: Final = {
    "logistic": ("scenthound.judge.logistic", "LogisticLearner"),
    "bayes": ("scenthound.judge.bayes", "BayesLearner"),
    "svm": ("scenthound.judge.svm", "SvmLearner"),
}
_CRITICS: Final = {
    "logistic": ("scenthound.judge.logistic", "LogisticCritic"),
    "bayes": ("scenthound.judge.bayes", "BayesCritic"),
    "svm": ("scenthound.judge.svm", "SvmCritic"),
    "sklearn": ("scenthound.judge.foreign", "SklearnCritic"),
    "callable": ("scenthound.judge.foreign", "CallableCritic"),
    "adapted": ("scenthound.judge.adapted", "AdaptedCritic"),
}

_AS_THEY_ARE: Final = ("bayes",)  # the papers' critic, which `judge.probe` must be able to repeat in SQL


def learner_of(settings: CriticSettings) -> Learner:
    """Return the learner that the settings ask for.

    >>> type(learner_of(CriticSettings(kind="bayes"))).__name__
    'BayesLearner'
    """
    kind = settings.kind
    learner: Learner
    if kind in _LEARNERS:
        learner = _named(*_LEARNERS[kind])(text=settings.text)
    elif kind == "none":
        raise SettingError('critic.kind = "none" judges no page, so there is nothing to train; choose another kind')
    elif ":" in kind:
        _named("scenthound.judge.foreign", "named")(kind)  # one that is not there is refused before anything is fetched
        learner = _named("scenthound.judge.foreign", "CallableLearner")(function=kind)
    else:
        _check_classifier(kind)
        learner = _named("scenthound.judge.foreign", "SklearnLearner")(estimator=kind, text=settings.text)
    if adapts(settings):
        learner = _named("scenthound.judge.adapted", "AdaptedLearner")(inner=learner)
    return learner


def adapts(settings: CriticSettings) -> bool:
    """Tell whether the critic is fitted to the crawl, so that it learns again as this grows."""
    return settings.adapt and settings.kind not in _AS_THEY_ARE and ":" not in settings.kind


def load_critic(folder: Path) -> Critic:
    """Return the critic that was saved into a folder, of whichever kind."""
    kind = kind_of(folder)
    if kind not in _CRITICS:
        raise ScenthoundError(f'{folder}: this scenthound knows no critic of kind "{kind}"; upgrade it, or train again')
    critic: Critic = _named(*_CRITICS[kind]).load(folder)
    return critic


def _named(module: str, name: str) -> Any:
    return getattr(import_module(module), name)


def _check_classifier(kind: str) -> None:
    names = _named("scenthound.judge.estimators", "classifier_names")()
    if kind in names:
        return
    known = {name.casefold(): name for name in (*_LEARNERS, "none", *names)}
    near = get_close_matches(kind.casefold(), known, n=1, cutoff=0.0)
    raise SettingError(
        f'critic.kind = "{kind}" is none of {", ".join(_LEARNERS)}, a classifier of scikit-learn, or "module:function"; '
        f'did you mean "{known[near[0]]}"?'
    )
