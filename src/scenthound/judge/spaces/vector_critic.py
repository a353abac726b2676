"""Support vector machines on word vectors: the same tree as `models.svm`, in a space of a hundred dimensions.

The vectors are those of the default critic: the canonical tree's where it reads the language and its pages stand for
what is not wanted, else learnt from the pages at hand (`models.vectors`). There is nothing to select in this space.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, vstack
from sklearn.svm import LinearSVC
from threadpoolctl import threadpool_limits

from scenthound.judge.canonical.canon import canon
from scenthound.judge.critic import Critic, Lessons, Page, Telling
from scenthound.judge.modelfile import Model, read_model, write_model
from scenthound.judge.models.bags import Text
from scenthound.judge.models.branches import Branch, branches_of, digests, documents, folds_of, with_none
from scenthound.judge.models.features import Features, features_of
from scenthound.judge.models.logistic import is_read
from scenthound.judge.models.svm import SvmCritic, hyperplanes_of
from scenthound.judge.models.svm_node import COST, FOLDS, UNSEEN, Node, Plane, doubts, fit_sigmoid
from scenthound.judge.models.tree_critic import tree_of
from scenthound.judge.models.vectors import DIMENSIONS, Vectors, learn_vectors

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

KIND: Final = "vectors"


@dataclass(frozen=True, slots=True, kw_only=True)
class VectorLearner:
    """Trains support vector machines on word vectors."""

    text: Text = "main"

    def fit(self, lessons: Lessons, *, seed: int = 0, before: Critic | None = None) -> "VectorCritic":
        tree, pages = with_none(branches_of(lessons)), documents(lessons)
        with threadpool_limits(1, user_api="blas"):  # see LogisticLearner: the result must not depend on the cores
            features = features_of(pages, lessons.at_hand, text=self.text)
            vectors = self._vectors(lessons, features, seed)
            rows = csr_array(vectors(features.rows(pages)).astype(np.float64))
            marks = digests(tree, pages, f"{KIND} {self.text} {vectors.dimensions}")
            nodes = [
                _fit_node(rows[branch.documents], branch, digest)
                for branch, digest in zip(tree.branches, marks, strict=True)
            ]
        return VectorCritic(tree=tree, nodes=tuple(nodes), text=self.text, features=features, vectors=vectors)

    def _vectors(self, lessons: Lessons, features: Features, seed: int) -> Vectors:
        if lessons.others and is_read(lessons):
            return canon().vectors(features.terms)
        seen = vstack((features.rows(documents(lessons)), features.rows(lessons.at_hand)), format="csr")
        return learn_vectors(seen, dimensions=DIMENSIONS, seed=seed)


@dataclass(frozen=True, kw_only=True)
class VectorCritic(SvmCritic):
    """A trained tree over word vectors; its nodes have a weight for each dimension, and no terms."""

    features: Features
    vectors: Vectors

    def telling(self, topic: str, *, most: int = 10) -> tuple[Telling, ...]:
        """Return nothing: a dimension has no name."""
        return ()

    def _values(self, pages: Sequence[Page]) -> Floats:
        rows = self.vectors(self.features.rows(pages)).astype(np.float64)
        # Row by row: a product of matrices has other last bits than each of its rows.
        products = [row @ self._planes for row in rows]
        biases = np.concatenate([node.biases for node in self.nodes])
        values: Floats = (np.stack(products) if products else np.zeros((0, len(biases)))) + biases
        return values

    @cached_property
    def _planes(self) -> Floats:
        """The weights of all hyperplanes, a column each."""
        columns = [node.weights.reshape(self.vectors.dimensions, node.hyperplanes) for node in self.nodes]
        return np.concatenate(columns, axis=1)

    def save(self, folder: Path) -> None:
        arrays: dict[str, NDArray[Any]] = {"idf": self.features.idf, "vectors": self.vectors.table}
        for number, node in enumerate(self.nodes):
            arrays |= {f"{number}.{name}": array for name, array in node.arrays({}).items()}
        facts = {
            "text": self.text,
            "shape": self.tree.shape,
            "vocabulary": [],
            "digests": [node.digest for node in self.nodes],
            "terms": list(self.features.terms),
        }
        write_model(folder, Model(kind=KIND, facts=facts, arrays=arrays))

    @classmethod
    def load(cls, folder: Path) -> Self:
        model = read_model(folder)
        tree, nodes = tree_of(model, Node)
        text = model.facts["text"]
        features = Features(terms=tuple(model.facts["terms"]), idf=model.arrays["idf"], text=text)
        vectors = Vectors(table=model.arrays["vectors"])
        return cls(tree=tree, nodes=nodes, text=text, features=features, vectors=vectors)


def _fit_node(rows: csr_array, branch: Branch, digest: str) -> Node:
    """Learn the hyperplanes of one branch."""
    labels, hyperplanes = branch.labels, hyperplanes_of(branch)
    planes = [_plane(rows, labels == number) for number in range(hyperplanes)]
    weights = np.stack([plane.weights for plane in planes], axis=1) if planes else np.zeros((rows.shape[1], 0))
    places = np.indices(weights.shape).reshape(2, -1)
    return Node(
        digest=digest,
        terms=np.zeros(0, dtype=object),
        idf=np.zeros(0),
        stranger=0.0,
        rows=places[0],
        columns=places[1],
        weights=weights.ravel(),
        biases=np.array([plane.bias for plane in planes]),
        sigmoid=fit_sigmoid(*_held_out_values(rows, labels, hyperplanes)),
        doubts=np.array([plane.doubts for plane in planes], dtype=np.int64).reshape(-1, 4),
        none=0.0 if (labels >= hyperplanes).any() else float(np.log(UNSEEN)),
    )


def _plane(rows: csr_array, mine: Flags) -> Plane:
    machine = LinearSVC(C=COST, class_weight="balanced", dual=False, tol=1e-4, max_iter=5_000).fit(rows, mine)
    weights, bias = machine.coef_[0], float(machine.intercept_[0])
    return Plane(weights=weights, bias=bias, doubts=doubts(rows, mine, rows @ weights + bias))


def _held_out_values(rows: csr_array, labels: NDArray[np.int64], hyperplanes: int) -> tuple[Floats, Flags]:
    """Return the values of held-out documents, and whether each belongs to the hyperplane."""
    folds = folds_of(labels, FOLDS) if hyperplanes else np.zeros(0, dtype=np.int64)
    values, truths = [np.zeros(0)], [np.zeros(0, dtype=np.bool_)]
    for fold in range(FOLDS):
        test = folds == fold
        for number in range(hyperplanes) if test.any() else ():
            mine = labels == number
            if mine[~test].any() and not mine[~test].all():
                plane = _plane(rows[~test], mine[~test])
                values.append(rows[test] @ plane.weights + plane.bias)
                truths.append(mine[test])
    return np.concatenate(values), np.concatenate(truths)
