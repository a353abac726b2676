"""Multinomial logistic regression for few examples with many features, with weights shared along a tree of topics.

It works in the space that the examples span (the kernel trick), where 1,000 pages of 40,000 terms have 1,000
coordinates. The weights of a class are the sum of its own and those of all topics above it, each kept small by an L2
penalty. The whole branch teaches what ten examples cannot (hierarchical shrinkage as in McCallum et al., ICML 1998,
here for log-linear models as in Salakhutdinov et al., CVPR 2011).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp

from scenthound.taxonomy import ancestors

Floats = NDArray[np.float64]
Floats32 = NDArray[np.float32]
Labels = NDArray[np.int64]

# A tolerance of a millionth costs no accuracy and takes a third fewer rounds than the default.
_OPTIONS: Final = {"maxiter": 100, "ftol": 1e-6, "maxcor": 5}
_TINY: Final = 1e-6  # directions smaller than this, relative to the greatest, are rounding
_OFFSET_PENALTY: Final = 0.01  # offsets are nearly free, so that the model learns the size of each class


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """Pages in coordinates: a page's products with the landmarks, times `back`."""

    coordinates: Floats32
    back: Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """Weights for each coordinate and class, and an offset for each class."""

    weights: Floats
    offsets: Floats

    def scores(self, coordinates: Floats32) -> Floats:
        found: Floats = coordinates @ self.weights + self.offsets
        return found


def span(products: Floats, landmarks: Labels) -> Span:
    """Find coordinates for pages from their products with each other and with landmarks, which are some of them.

    With all pages as landmarks the products of the coordinates are exact; with fewer they are close (Nyström).

    >>> products = np.array([[2.0, 1.0], [1.0, 2.0]])
    >>> found = span(products, np.array([0, 1])).coordinates
    >>> (found @ found.T).round(4).tolist()
    [[2.0, 1.0], [1.0, 2.0]]
    """
    sizes, directions = np.linalg.eigh(products[landmarks])
    there = sizes > _TINY * max(sizes[-1], _TINY)
    back = directions[:, there] / np.sqrt(sizes[there])
    return Span(coordinates=(products @ back).astype(np.float32), back=back)


def kinship(classes: Sequence[str]) -> Floats:
    """Return which classes share weights (a row for each group): every class itself, and all below one topic.

    >>> kinship(["Arts", "Sport/Golf", "Sport/Chess", ""]).tolist()
    [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0], [0.0, 1.0, 1.0, 0.0]]
    """
    lines = {path: {*ancestors(path), path} for path in classes}
    topics = dict.fromkeys(topic for path in classes for topic in (*ancestors(path), path) if topic)
    groups = dict.fromkeys(tuple(float(topic in lines[path]) for path in classes) for topic in topics)
    alone = [tuple(row) for row in np.eye(len(classes)).tolist()]
    return np.array([*alone, *(group for group in groups if 1 < sum(group) < len(classes))])


def fit(coordinates: Floats32, labels: Labels, groups: Floats, *, strength: Floats) -> Fit:
    """Find the weights with the least log loss, times the `strength` of each page, plus half their squares.

    `groups` says which classes share weights; see `kinship`.
    """
    from scipy.optimize import minimize  # a quarter of a second, and only learning needs it

    pages, size = coordinates.shape
    count, classes = groups.shape
    right = np.zeros((pages, classes))
    right[np.arange(pages), labels] = 1.0

    def loss(flat: Floats) -> tuple[float, Floats]:
        weights, offsets = flat[: size * count].reshape(size, count), flat[size * count :]
        scores = (coordinates @ weights.astype(np.float32) + offsets) @ groups
        norms = logsumexp(scores, axis=1)
        surplus = strength[:, None] * (np.exp(scores - norms[:, None]) - right) @ groups.T
        value = strength @ (norms - scores[np.arange(pages), labels]) + 0.5 * np.vdot(weights, weights)
        slope = coordinates.T @ surplus.astype(np.float32) + weights
        slope_of_offsets = surplus.sum(axis=0) + _OFFSET_PENALTY * offsets
        return (
            float(value + 0.5 * _OFFSET_PENALTY * offsets @ offsets),
            np.concatenate((slope.ravel(), slope_of_offsets)),
        )

    start = np.zeros(size * count + count)
    found = minimize(loss, start, jac=True, method="L-BFGS-B", options=_OPTIONS).x
    return Fit(weights=found[: size * count].reshape(size, count) @ groups, offsets=found[size * count :] @ groups)
