"""Critics from outside: any scikit-learn classifier over tf·idf, and any function from a page to a number in [0, 1].

Neither is ever pickled, because a crawl directory may come from somebody else. A classifier is saved as its name, its
parameters and its training rows, and fitted again at load time. A function is saved as its name.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from scenthound.errors import ScenthoundError, SettingError, TopicsError
from scenthound.judge.critic import Critic, Lessons, Page, Probabilities, Telling
from scenthound.judge.modelfile import CALLABLE, Model, read_model, write_model
from scenthound.judge.models.bags import Text, digest_of
from scenthound.judge.models.branches import branches_of, documents, folds_of, log_softmax
from scenthound.judge.models.estimators import Estimator, fitted, recipe_of, scores, takes_sparse
from scenthound.judge.models.features import Features, features_of
from scenthound.judge.models.temperature import temperature
from scenthound.own_code import imported
from scenthound.taxonomy import OTHERS

Floats = NDArray[np.float64]
Labels = NDArray[np.int64]

SKLEARN: Final = "sklearn"
FOLDS: Final = 3
DENSE_TERMS: Final = 2_000  # columns for a classifier without sparse rows: the most frequent terms


@dataclass(frozen=True, slots=True, kw_only=True)
class SklearnLearner:
    """Trains a scikit-learn classifier, given by class name or as an object, over all classes of the tree."""

    estimator: Estimator
    text: Text = "main"

    def fit(self, lessons: Lessons, *, seed: int = 0, before: Critic | None = None) -> "SklearnCritic":
        """Train a critic. All classes learn together, so `before` helps only if no lesson has changed."""
        classes = branches_of(lessons).classes
        recipe = recipe_of(self.estimator)
        digest = _digest(lessons, f"{recipe} {self.text} {classes} {seed}")
        if isinstance(before, SklearnCritic) and before.digest == digest:
            return before
        pages = documents(lessons)
        features = features_of(pages, lessons.at_hand, text=self.text)
        if not takes_sparse(recipe):
            features = _most_frequent(features)
        critic = SklearnCritic(
            classes=classes,
            recipe=recipe,
            features=features,
            rows=features.rows(pages),
            labels=_labels(lessons, classes),
            heat=1.0,
            seed=seed,
            digest=digest,
        )
        return critic.calibrated()


def _digest(lessons: Lessons, settings: str) -> str:
    said = blake2b(settings.encode(), digest_size=16)
    for example in lessons.examples:
        said.update(example.topic.encode() + b"\0" + digest_of(example.page))
    for page in (*lessons.others, *lessons.at_hand):
        said.update(digest_of(page))
    return f"{said.hexdigest()} {len(lessons.others)}"


def _labels(lessons: Lessons, classes: tuple[str, ...]) -> Labels:
    topics = [*(example.topic for example in lessons.examples), *(OTHERS for _ in lessons.others)]
    return np.array([classes.index(topic) for topic in topics], dtype=np.int64)


def _most_frequent(features: Features) -> Features:
    """Keep the terms with the least idf."""
    kept = np.sort(np.argsort(features.idf, kind="stable")[:DENSE_TERMS])
    return Features(terms=tuple(features.terms[i] for i in kept), idf=features.idf[kept], text=features.text)


@dataclass(frozen=True, kw_only=True)
class SklearnCritic:
    """A classifier with its training data. Scores are divided by `heat` before they become probabilities."""

    classes: tuple[str, ...]
    recipe: dict[str, Any]
    features: Features
    rows: csr_array
    labels: Labels
    heat: float
    seed: int
    digest: str

    @property
    def wants_text(self) -> bool:
        return False

    @property
    def _blind(self) -> bool:
        """Whether there are no classes to separate, or no terms to separate them by."""
        return len(self.classes) == 1 or not len(self.features)

    @cached_property
    def _model(self) -> Any:
        return self._fitted(np.ones(len(self.labels), dtype=np.bool_))

    def _fitted(self, some: NDArray[np.bool_]) -> Any:
        return fitted(self.recipe, self.rows[some], self.labels[some], self.seed)

    def calibrated(self) -> Self:
        """Return this critic with the temperature from cross-validation."""
        folds = folds_of(self.labels, FOLDS)
        if self._blind or (folds < 0).all():
            return self
        found = np.zeros((len(self.labels), len(self.classes)))
        for fold in range(FOLDS):
            test = folds == fold
            if test.any():
                found[test] = scores(self._fitted(~test), self.rows[test])
        held = folds >= 0
        return type(self)(**{**self.__dict__, "heat": temperature(found[held], self.labels[held])})

    def judge(self, pages: Sequence[Page]) -> Probabilities:
        if self._blind or not pages:
            return np.full((len(pages), len(self.classes)), 1.0 / len(self.classes))
        return np.exp(log_softmax(scores(self._model, self.features.rows(pages)) / self.heat))

    def telling(self, topic: str, *, most: int = 10) -> tuple[Telling, ...]:
        """Return the terms with the greatest weights, if the classifier has weights for each class."""
        if self._blind or topic not in self.classes:
            return ()
        weights = np.asarray(getattr(self._model, "coef_", ()))
        if weights.shape != (len(self.classes), len(self.features)):
            return ()
        mine = weights[self.classes.index(topic)]
        best = np.argsort(-mine, kind="stable")[:most]
        return tuple(Telling(term=self.features.terms[t], weight=float(mine[t])) for t in best if mine[t] > 0)

    def save(self, folder: Path) -> None:
        facts = {
            "classes": self.classes,
            "recipe": self.recipe,
            "terms": self.features.terms,
            "text": self.features.text,
            "heat": self.heat,
            "seed": self.seed,
            "digest": self.digest,
        }
        rows = self.rows
        arrays = {"data": rows.data, "indices": rows.indices, "indptr": rows.indptr}
        arrays |= {"labels": self.labels, "idf": self.features.idf}
        write_model(folder, Model(kind=SKLEARN, facts=facts, arrays=arrays))

    @classmethod
    def load(cls, folder: Path) -> Self:
        model = read_model(folder)
        facts, arrays = model.facts, model.arrays
        features = Features(terms=tuple(facts["terms"]), idf=arrays["idf"], text=facts["text"])
        shape = (len(arrays["labels"]), len(features))
        return cls(
            classes=tuple(facts["classes"]),
            recipe=facts["recipe"],
            features=features,
            rows=csr_array((arrays["data"], arrays["indices"], arrays["indptr"]), shape=shape),
            labels=arrays["labels"],
            heat=facts["heat"],
            seed=facts["seed"],
            digest=facts["digest"],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class CallableLearner:
    """Makes a critic from a function, given as "module:function" or itself. There is nothing to train."""

    function: "str | Callable[[Page], float]"

    def fit(self, lessons: Lessons, *, seed: int = 0, before: Critic | None = None) -> "CallableCritic":
        """Return a critic for the first good topic: one number cannot choose between several."""
        good = lessons.topics.good
        if not good:
            raise TopicsError(
                "a function as the critic says how relevant a page is: mark the topic that it knows as good"
            )
        function = named(self.function) if isinstance(self.function, str) else self.function
        return CallableCritic(topic=good[0].path, name=_name(self.function), function=function)


@dataclass(frozen=True, slots=True, kw_only=True)
class CallableCritic:
    """A black box that gives a number in [0, 1] for a page; the rest to 1 is OTHERS."""

    topic: str
    name: str
    function: Callable[[Page], float]

    @property
    def classes(self) -> tuple[str, ...]:
        return (self.topic, OTHERS)

    @property
    def wants_text(self) -> bool:
        return True

    def judge(self, pages: Sequence[Page]) -> Probabilities:
        relevance = np.array([self._asked(page) for page in pages], dtype=np.float64)
        return np.stack((relevance, 1.0 - relevance), axis=1)

    def _asked(self, page: Page) -> float:
        try:
            value = float(self.function(page))
        except Exception as error:
            raise ScenthoundError(
                f"critic {self.name} failed on {page.url or 'a page'} ({type(error).__name__}: {error}); "
                "fix it and resume"
            ) from error
        if math.isnan(value) or not 0.0 <= value <= 1.0:
            raise ScenthoundError(
                f"critic {self.name} gave {value} for {page.url or 'a page'}; it must give a number from 0 to 1"
            )
        return value

    def telling(self, topic: str, *, most: int = 10) -> tuple[Telling, ...]:
        return ()

    def save(self, folder: Path) -> None:
        named(self.name)
        write_model(folder, Model(kind=CALLABLE, facts={"function": self.name, "topic": self.topic}, arrays={}))

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Find the function by its name in the user's own installation: no code comes from the folder."""
        facts = read_model(folder).facts
        return cls(topic=facts["topic"], name=facts["function"], function=named(facts["function"]))


def named(name: str) -> Callable[[Page], float]:
    """Return the function that "module:function" names."""
    where, _, what = name.partition(":")
    if not where or not what:
        raise SettingError(f'critic.kind = "{name}" names no function; write it as "module:function"')
    try:
        module = imported(where)
    except ImportError as error:
        raise SettingError(f'critic.kind = "{name}": {error}; install that module, or start from its folder') from error
    function = getattr(module, what, None)
    if not callable(function):
        raise SettingError(f'critic.kind = "{name}": module {where} has no function {what}')
    found: Callable[[Page], float] = function
    return found


def _name(function: "str | Callable[[Page], float]") -> str:
    if isinstance(function, str):
        return function
    return f"{getattr(function, '__module__', '?')}:{getattr(function, '__qualname__', type(function).__name__)}"
