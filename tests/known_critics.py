"""Critics that are trained once for all tests.

Many tests crawl the same small web from the same examples, and training is most of what such a crawl costs. The same
learner, lessons and seed give the same critic (`Learner.fit`), and a critic never changes: a second training on the
same lessons gets the critic of the first. Tests of training itself train `each_time`.

Workers and the processes that they start find each other's critics in a folder (`critics_folder` in
`made_once.py`), except with THOROUGH=1 and in processes that start as a user starts them (`nursery.at_length`).
"""

import hashlib
import os
import pickle
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

import pytest

from scenthound.judge.critic import Critic, Lessons
from scenthound.judge.models.bayes import BayesLearner
from scenthound.judge.models.logistic import LogisticLearner
from scenthound.judge.models.svm import SvmLearner
from tests.made_once import CRITICS

_KEPT: Final = 100  # a critic of a small web takes about a megabyte
_TRAINING: Final[dict[type, Callable[..., Critic]]] = {
    learner: learner.fit for learner in (BayesLearner, LogisticLearner, SvmLearner)
}


class _Known:
    """The critics that this process has trained or found."""

    def __init__(self) -> None:
        self._critics: dict[str, Critic] = {}

    def fit(self, learner: Any, lessons: Lessons, *, seed: int = 0, before: Critic | None = None) -> Critic:
        key = hashlib.sha256(pickle.dumps((learner, lessons, seed))).hexdigest()
        if key not in self._critics:
            while len(self._critics) >= _KEPT:
                del self._critics[next(iter(self._critics))]
            if (critic := _found(key)) is None:
                critic = _TRAINING[type(learner)](learner, lessons, seed=seed, before=before)
                _keep(key, critic)
            self._critics[key] = critic
        return self._critics[key]


def _found(key: str) -> Critic | None:
    if folder := os.environ.get(CRITICS):
        with suppress(FileNotFoundError):
            found: Critic = pickle.loads((Path(folder) / key).read_bytes())
            return found
    return None


def _keep(key: str, critic: Critic) -> None:
    if folder := os.environ.get(CRITICS):
        with suppress(FileNotFoundError):  # the run may be over
            part = Path(folder) / f"{key}.{os.getpid()}"
            part.write_bytes(pickle.dumps(critic))
            part.rename(part.with_suffix(""))


@contextmanager
def once() -> Iterator[None]:
    """Train no critic twice, as long as the `with` lasts."""
    with pytest.MonkeyPatch.context() as patch:
        known = _Known()
        for learner in _TRAINING:
            patch.setattr(learner, "fit", _bound(known))
        yield


def train_once() -> None:
    """Train no critic twice in this process and those forked from it, to their end."""
    known = _Known()
    for learner in _TRAINING:
        learner.fit = _bound(known)  # type: ignore[attr-defined]


def _bound(known: _Known) -> Callable[..., Critic]:
    def fit(learner: Any, lessons: Lessons, *, seed: int = 0, before: Critic | None = None) -> Critic:
        return known.fit(learner, lessons, seed=seed, before=before)

    return fit


@contextmanager
def each_time() -> Iterator[None]:
    """Train every critic, as long as the `with` lasts."""
    with pytest.MonkeyPatch.context() as patch:
        for learner, training in _TRAINING.items():
            patch.setattr(learner, "fit", training)
        yield
