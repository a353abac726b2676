"""Maps the setting `critic.kind` to a learner, and a saved critic back to its class."""

from difflib import get_close_matches
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from scenthound.errors import ScenthoundError, SettingError
from scenthound.judge.critic import Critic, Learner
from scenthound.judge.modelfile import kind_of
from scenthound.settings.schema import CriticSettings

# Names instead of imports: scikit-learn takes a second to import, and most commands do not need it.
_LEARNERS: Final = {
    "logistic": ("scenthound.judge.models.logistic", "LogisticLearner"),
    "bayes": ("scenthound.judge.models.bayes", "BayesLearner"),
    "svm": ("scenthound.judge.models.svm", "SvmLearner"),
    "meta": ("scenthound.judge.spaces.meta", "MetaLearner"),
}
_CRITICS: Final = {
    "logistic": ("scenthound.judge.models.logistic", "LogisticCritic"),
    "bayes": ("scenthound.judge.models.bayes", "BayesCritic"),
    "svm": ("scenthound.judge.models.svm", "SvmCritic"),
    "meta": ("scenthound.judge.spaces.meta", "MetaCritic"),
    "vectors": ("scenthound.judge.spaces.vector_critic", "VectorCritic"),
    "sklearn": ("scenthound.judge.models.foreign", "SklearnCritic"),
    "callable": ("scenthound.judge.models.foreign", "CallableCritic"),
    "adapted": ("scenthound.judge.adaptation.adapted", "AdaptedCritic"),
}

_AS_THEY_ARE: Final = ("bayes",)  # the papers' critic, which `judge.probe` must repeat in SQL


def learner_of(settings: CriticSettings) -> Learner:
    """Return the learner for these settings.

    >>> type(learner_of(CriticSettings(kind="bayes"))).__name__
    'BayesLearner'
    """
    kind = settings.kind
    learner: Learner
    if kind in _LEARNERS:
        learner = _load_name(*_LEARNERS[kind])(text=settings.text, **_own_settings(settings))
    elif kind == "none":
        raise SettingError('critic.kind = "none" judges no page, so there is nothing to train; choose another kind')
    elif ":" in kind:
        # Fail for an unknown function before anything is fetched.
        _load_name("scenthound.judge.models.foreign", "named")(kind)
        learner = _load_name("scenthound.judge.models.foreign", "CallableLearner")(function=kind)
    else:
        _check_classifier(kind)
        learner = _load_name("scenthound.judge.models.foreign", "SklearnLearner")(estimator=kind, text=settings.text)
    if adapts(settings):
        learner = _load_name("scenthound.judge.adaptation.adapted", "AdaptedLearner")(inner=learner)
    return learner


def _own_settings(settings: CriticSettings) -> dict[str, Any]:
    """Return what only one kind of learner is asked."""
    if settings.kind == "svm":
        return {"route": settings.route}
    if settings.kind == "meta":
        # outside of a crawl there is no phase, and a critic decides as in the longer one
        said = "weighted" if settings.decision == "phase" else settings.decision
        decision = _load_name("scenthound.judge.spaces.decisions", "Decision")(said)
        return {"decision": decision, "route": settings.route} | (
            {"spaces": tuple(settings.spaces)} if settings.spaces else {}
        )
    return {}


def adapts(settings: CriticSettings) -> bool:
    """Tell whether the critic adapts to the crawl, and therefore learns again as it grows."""
    return settings.adapt and settings.kind not in _AS_THEY_ARE and ":" not in settings.kind


def load_critic(folder: Path) -> Critic:
    """Load the critic of any kind from a folder."""
    kind = kind_of(folder)
    if kind not in _CRITICS:
        raise ScenthoundError(f'{folder}: this scenthound knows no critic of kind "{kind}"; upgrade it, or train again')
    critic: Critic = _load_name(*_CRITICS[kind]).load(folder)
    return critic


def _load_name(module: str, name: str) -> Any:
    return getattr(import_module(module), name)


def _check_classifier(kind: str) -> None:
    names = _load_name("scenthound.judge.models.estimators", "classifier_names")()
    if kind in names:
        return
    known = {name.casefold(): name for name in (*_LEARNERS, "none", *names)}
    near = get_close_matches(kind.casefold(), known, n=1, cutoff=0.0)
    raise SettingError(
        f'critic.kind = "{kind}" is none of {", ".join(_LEARNERS)}, a scikit-learn classifier, or "module:function"; '
        f'did you mean "{known[near[0]]}"?'
    )
