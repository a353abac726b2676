"""BINGO's critic: at each inner topic one linear support vector machine for each child, against its competing siblings.

BINGO §2.3–2.4 and 3.1. Platt's sigmoid turns distances into probabilities, together with "none", and a page belongs to
the likeliest topic. `routes` are the paper's own way: down to the child whose hyperplane is surest of its yes. If all
say no, the page belongs to none of them: to the inner topic itself if that has its own examples, at the root to OTHERS.
`distances` are the paper's confidences, `estimates` its forecast of precision.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final, Literal, Self

import numpy as np
from numpy.typing import NDArray

from scenthound.judge.critic import Critic, Lessons, Page, Probabilities
from scenthound.judge.modelfile import read_model
from scenthound.judge.models.bags import Text, bags, vocabulary_of
from scenthound.judge.models.branches import Branch, branches_of, digests, documents, log_softmax, with_none
from scenthound.judge.models.stack import Layout, Matrix, matrix_of, times
from scenthound.judge.models.svm_node import Estimate, Node, Selection, fit_node
from scenthound.judge.models.tree_critic import TreeCritic, tree_of

Floats = NDArray[np.float64]

Places = NDArray[np.int64]
Route = Literal["likeliest", "paper"]

KIND: Final = "svm"


@dataclass(frozen=True, slots=True, kw_only=True)
class SvmLearner:
    """Trains SVM critics as in BINGO §2.3: with the 2,000 best of the 5,000 most frequent terms of a topic."""

    text: Text = "main"
    frequent: int = 5_000
    best: int = 2_000
    route: Route = "likeliest"

    def fit(self, lessons: Lessons, *, seed: int = 0, before: Critic | None = None) -> "SvmCritic":
        """Train a critic. Nothing is random, so `seed` has no effect."""
        tree, pages = with_none(branches_of(lessons)), documents(lessons)
        vocabulary = vocabulary_of(pages)
        counts = bags(pages, vocabulary, text=self.text).matrix()
        terms = np.array(list(vocabulary), dtype=object)
        known = before.by_digest if isinstance(before, SvmCritic) else {}
        marks = digests(tree, pages, f"{KIND} {self.text} {self.frequent} {self.best}")
        selection = Selection(frequent=self.frequent, best=self.best)
        nodes = [
            known.get(digest)
            or fit_node(
                counts[branch.documents],
                branch.labels,
                terms,
                digest=digest,
                hyperplanes=hyperplanes_of(branch),
                selection=selection,
            )
            for branch, digest in zip(tree.branches, marks, strict=True)
        ]
        return SvmCritic(tree=tree, nodes=tuple(nodes), text=self.text, route=self.route)


def hyperplanes_of(branch: Branch) -> int:
    """Return the number of machines of a branch: one for each choice but "none"; none for a single choice."""
    return len(branch.choices) - (branch.here is not None) if len(branch.choices) > 1 else 0


@dataclass(frozen=True, kw_only=True)
class SvmCritic(TreeCritic[Node]):
    """A trained tree. The root has the choice OTHERS even without any page of that class.

    With the `route` "paper", the topic of a page is that of `routes`: its probability and the greatest change places.
    """

    route: Route = "likeliest"

    def judge(self, pages: Sequence[Page]) -> Probabilities:
        values = self._values(pages)
        rows = self._chained(values)
        return led(rows, self._routes(values)) if self.route == "paper" else rows

    def judge_and_route(self, pages: Sequence[Page]) -> tuple[Probabilities, Places]:
        """Return probabilities and routes at once: each alone takes as long."""
        values = self._values(pages)
        return self._chained(values), self._routes(values)

    def routes(self, pages: Sequence[Page]) -> Places:
        """Return the class of each page as BINGO §2.4 finds it, as a place in `classes`."""
        return self._routes(self._values(pages))

    def _chained(self, values: Floats) -> Probabilities:
        triples = zip(self.tree.branches, self.nodes, self._split(values), strict=True)
        return self.tree.chain([_log_conditionals(branch, node, block) for branch, node, block in triples])

    def _routes(self, values: Floats) -> Places:
        numbers = {path: number for number, path in enumerate(self.classes)}
        below = {branch.path: number for number, branch in enumerate(self.tree.branches)}
        blocks = self._split(values / np.where(self._lengths > 0, self._lengths, 1.0))
        found = np.zeros(len(values), dtype=np.int64)
        reached = {0: np.arange(len(values))}
        for number, branch in enumerate(self.tree.branches):
            pages = reached.pop(number, np.zeros(0, dtype=np.int64))
            for place, choice in enumerate(branch.choices):
                going = pages[_chosen(branch, blocks[number][pages]) == place]
                deeper = below.get(choice.path, 0)
                if deeper > number:
                    reached[deeper] = going
                else:
                    found[going] = numbers[choice.path]
        return found

    def _split(self, values: Floats) -> list[Floats]:
        """Return the columns of each branch."""
        return np.split(values, np.cumsum([node.hyperplanes for node in self.nodes])[:-1], axis=1)

    @cached_property
    def _lengths(self) -> Floats:
        return np.concatenate([node.lengths for node in self.nodes])

    @cached_property
    def hyperplanes(self) -> tuple[str, ...]:
        """The topics with a hyperplane, in the order of the columns of `distances`."""
        pairs = zip(self.tree.branches, self.nodes, strict=True)
        return tuple(choice.path for branch, node in pairs for choice in branch.choices[: node.hyperplanes])

    def distances(self, pages: Sequence[Page]) -> Floats:
        """Return the distance of pages to each hyperplane: BINGO's confidence of its yes, or (negative) no."""
        return self._values(pages) / self._lengths

    def estimates(self) -> Mapping[str, Estimate]:
        """Return the expected quality of each hyperplane, estimated by ξα from training alone."""
        found = [node.estimate(number) for node in self.nodes for number in range(node.hyperplanes)]
        return dict(zip(self.hyperplanes, found, strict=True))

    @property
    def precision(self) -> float:
        """The ξα estimate of precision, the mean over all hyperplanes; 0 if there are none."""
        found = [estimate.precision for estimate in self.estimates().values()]
        return float(np.mean(found)) if found else 0.0

    def _values(self, pages: Sequence[Page]) -> Floats:
        """Return w · x + b of all hyperplanes; x has length 1 in the space of the hyperplane's branch.

        Terms unknown to a branch lengthen a page too: one that shares only a few words with the examples lies close to
        the origin, where all say no.
        """
        found, stack = bags(pages, self._stack.layout.vocabulary, text=self.text), self._stack
        damped = 1.0 + np.log(found.counts)
        squares = np.bincount(found.rows, weights=damped**2, minlength=found.pages)[:, None] * stack.strangers**2
        squares = squares + times(found.matrix(damped**2), stack.familiar)
        lengths = np.sqrt(np.maximum(squares, 1e-300))[:, stack.layout.branch_of]
        values: Floats = times(found.matrix(damped), stack.weights) / lengths + stack.biases
        return values

    @cached_property
    def _stack(self) -> "_Stack":
        return _Stack.of(self.nodes)

    def save(self, folder: Path) -> None:
        self.write(folder, KIND, **({"route": self.route} if self.route != "likeliest" else {}))

    @classmethod
    def load(cls, folder: Path) -> Self:
        model = read_model(folder)
        tree, nodes = tree_of(model, Node)
        return cls(tree=tree, nodes=nodes, text=model.facts["text"], route=model.facts.get("route", "likeliest"))


def led(rows: Probabilities, routes: Places) -> Probabilities:
    """Let a class be the likeliest of each row: its probability and the greatest change places.

    >>> led(np.array([[0.5, 0.3, 0.2]]), np.array([2])).tolist()
    [[0.2, 0.3, 0.5]]
    """
    rows, pages = rows.copy(), np.arange(len(rows))
    first = rows.argmax(axis=1)
    rows[pages, first], rows[pages, routes] = rows[pages, routes], rows[pages, first].copy()
    return rows


def _chosen(branch: Branch, distances: Floats) -> Places:
    """Return the choice of each page at one branch: the surest yes, else "here, and none below", else the surest."""
    if not distances.shape[1]:
        return np.zeros(len(distances), dtype=np.int64)
    surest: Places = distances.argmax(axis=1)
    if branch.here is None:
        return surest
    return np.where(distances.max(axis=1) > 0, surest, branch.here)


def _log_conditionals(branch: Branch, node: Node, values: Floats) -> Floats:
    """Return log Pr(choice | page, branch): in proportion to each machine's odds, and to the node's for "none"."""
    odds = node.sigmoid[0] * values + node.sigmoid[1]
    none = np.full((len(values), len(branch.choices) - node.hyperplanes), node.none)
    return log_softmax(np.concatenate((odds, none), axis=1))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Stack:
    """The numbers of all nodes side by side, so that two products judge a batch of pages."""

    layout: Layout
    weights: Matrix  # terms × hyperplanes of all branches: idf · w
    familiar: Matrix  # terms × branches: idf² of the branch's terms, less that of an unknown term
    strangers: Floats
    biases: Floats

    @classmethod
    def of(cls, nodes: tuple[Node, ...]) -> Self:
        layout = Layout.of(nodes, [node.hyperplanes for node in nodes])
        rows, starts, terms = layout.rows, layout.starts, len(layout.vocabulary)
        weights = [(rows[i][n.rows], n.columns + starts[i], n.weights * n.idf[n.rows]) for i, n in enumerate(nodes)]
        familiar = [(rows[i], np.full(len(n.idf), i), n.idf**2 - n.stranger**2) for i, n in enumerate(nodes)]
        return cls(
            layout=layout,
            weights=matrix_of(weights, (terms, int(layout.ends[-1]))),
            familiar=matrix_of(familiar, (terms, len(nodes))),
            strangers=np.array([node.stranger for node in nodes]),
            biases=np.concatenate([node.biases for node in nodes]),
        )
