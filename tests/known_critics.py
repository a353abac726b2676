"""Critics that are trained once for all tests.

Many tests crawl the same small web from the same examples, and training is most of what such a crawl costs. The same
learner, lessons and seed give the same critic (`Learner.fit`), and a critic never changes: a second training on the
same lessons gets the critic of the first. Tests of training itself train `each_time`.
"""

import hashlib
import pickle
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

import pytest

from scenthound.judge.critic import Critic, Lessons
from scenthound.judge.models.bayes import BayesLearner
from scenthound.judge.models.logistic import LogisticLearner
from scenthound.judge.models.svm import SvmLearner

_KEPT: Final = 100  # a critic of a small web takes about a megabyte
_TRAINING: Final[dict[type, Callable[..., Critic]]] = {
    learner: learner.fit for learner in (BayesLearner, LogisticLearner, SvmLearner)
}


@contextmanager
def once() -> Iterator[None]:
    """Train no critic twice, as long as the `with` lasts."""
    known: dict[str, Critic] = {}

    def fit(learner: Any, lessons: Lessons, *, seed: int = 0, before: Critic | None = None) -> Critic:
        key = hashlib.sha256(pickle.dumps((learner, lessons, seed))).hexdigest()
        if key not in known:
            while len(known) >= _KEPT:
                del known[next(iter(known))]
            known[key] = _TRAINING[type(learner)](learner, lessons, seed=seed, before=before)
        return known[key]

    with pytest.MonkeyPatch.context() as patch:
        for learner in _TRAINING:
            patch.setattr(learner, "fit", fit)
        yield


@contextmanager
def each_time() -> Iterator[None]:
    """Train every critic, as long as the `with` lasts."""
    with pytest.MonkeyPatch.context() as patch:
        for learner, training in _TRAINING.items():
            patch.setattr(learner, "fit", training)
        yield
