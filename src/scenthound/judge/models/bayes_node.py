"""One inner topic of the naive Bayes tree: the terms that separate its children, θ by formula (1), and its temperature.

Fisher's index ranks the terms, as in the classifier that RELATIONAL §2.1.1 cites for feature selection (Chakrabarti,
Dom, Agrawal, Raghavan: VLDB Journal 7, 1998): the distance between the children's mean rates of a term, against the
variance of the rate within them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array, csr_array

from scenthound.judge.critic import Telling
from scenthound.judge.models.branches import folds_of, log_softmax

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]

FOLDS: Final = (
    10  # with 5, critics that lack a fifth of the examples made the whole one too modest: error .067, not .054
)
GRID: Final = np.geomspace(1.0, 500.0, 37)  # temperatures to try, in steps of 19 %; never below the papers' value
UNTRIED: Final = 12.0  # temperature without held-out documents: the best for the schools web and WebKB
LONG: Final = 100.0  # words at which a word is worth half as much evidence as on a very short page
BALANCING: Final = 20  # rounds; on the schools web the offsets then change by a hundredth at most
AT_ONCE: Final = 1_000_000  # numbers processed together, for several temperatures: 8 MB
POOLED: Final = 5.0  # weight of the whole tree's losses in each node's, in documents


@dataclass(frozen=True, kw_only=True)
class Node:
    """What one branch has learnt. `log_counts` are log(1 + Σ n(d, t)) where that is not 0, at (`rows`, `columns`)."""

    digest: str
    terms: tuple[str, ...]
    rows: Numbers
    columns: Numbers
    log_counts: Floats
    log_denominators: Floats
    log_priors: Floats
    losses: Floats  # Σ −log Pr(true choice) over held-out documents, for each temperature of the grid
    offsets: Floats  # added to the log priors, for each temperature of the grid
    held_out: int

    @property
    def choices(self) -> int:
        return len(self.log_priors)

    def telling(self, choice: int, most: int) -> tuple[Telling, ...]:
        """Return the terms that add most to the divergence of a choice from its siblings' mean: θ · log(θ / θ')."""
        if self.choices < 2:
            return ()
        logs = np.zeros((len(self.terms), self.choices))
        logs[self.rows, self.columns] = self.log_counts
        theta = np.exp(logs - self.log_denominators)
        mine, rest = theta[:, choice], np.delete(theta, choice, axis=1).mean(axis=1)
        weights = mine * np.log(mine / rest)
        best = np.argsort(-weights, kind="stable")[:most]
        return tuple(Telling(term=self.terms[t], weight=float(weights[t])) for t in best if weights[t] > 0)

    def arrays(self, vocabulary: Mapping[str, int]) -> dict[str, NDArray[Any]]:
        """Return the node as arrays, its terms as columns of a vocabulary."""
        return {
            "columns": np.array([vocabulary[term] for term in self.terms], dtype=np.int64),
            "rows": self.rows,
            "choices": self.columns,
            "log_counts": self.log_counts,
            "log_denominators": self.log_denominators,
            "log_priors": self.log_priors,
            "losses": self.losses,
            "offsets": self.offsets,
            "held_out": np.array(self.held_out),
        }

    @classmethod
    def of_arrays(cls, digest: str, vocabulary: NDArray[Any], arrays: Mapping[str, NDArray[Any]]) -> Self:
        """Undo `arrays`."""
        return cls(
            digest=digest,
            terms=tuple(vocabulary[arrays["columns"]]),
            rows=arrays["rows"],
            columns=arrays["choices"],
            log_counts=arrays["log_counts"],
            log_denominators=arrays["log_denominators"],
            log_priors=arrays["log_priors"],
            losses=arrays["losses"],
            offsets=arrays["offsets"],
            held_out=int(arrays["held_out"]),
        )


def fit_node(
    counts: csr_array, labels: Numbers, terms: NDArray[Any], *, digest: str, features: int, calibrated: bool
) -> Node:
    """Learn to separate the choices of one branch, from the counts n(d, t) of its documents and their labels."""
    used = np.unique(counts.indices)
    local = csr_array(counts[:, used])
    choices = int(labels[-1]) + 1
    estimates = Estimates.of(local, labels, choices, features if choices > 1 else 0)
    trial = Trial.of(local, labels, choices, features) if calibrated and choices > 1 else Trial.none(choices)
    log_counts = coo_array(estimates.log_counts)
    return Node(
        digest=digest,
        terms=tuple(terms[used[estimates.chosen]]),
        rows=log_counts.coords[0].astype(np.int64),
        columns=log_counts.coords[1].astype(np.int64),
        log_counts=log_counts.data,
        log_denominators=estimates.log_denominators,
        log_priors=estimates.log_priors,
        losses=trial.losses,
        offsets=trial.offsets,
        held_out=trial.held_out,
    )


@dataclass(frozen=True, kw_only=True)
class Estimates:
    """F(c0), and the logarithms of θ and of the priors."""

    chosen: Numbers
    log_counts: csr_array
    log_denominators: Floats
    log_priors: Floats

    @classmethod
    def of(cls, counts: csr_array, labels: Numbers, choices: int, features: int) -> Self:
        """Estimate θ(ci, t) = (1 + Σ n(d, t)) / (|terms in D(c0)| + Σ Σ n(d, t)): formula (1), sums over D(ci)."""
        members = membership(labels, choices)
        totals = csr_array(members @ counts)
        chosen = best_terms(counts, labels, choices, features)
        universe = np.count_nonzero(totals.sum(axis=0))
        with np.errstate(divide="ignore"):  # a choice without documents (in a fold) has no prior: −inf, never chosen
            priors = np.log(np.bincount(labels, minlength=choices) / len(labels))
        return cls(
            chosen=chosen,
            log_counts=csr_array(totals[:, chosen].T).log1p(),
            log_denominators=np.log(np.maximum(universe + totals.sum(axis=1), 1.0)),
            log_priors=priors,
        )

    def likelihoods(self, counts: csr_array) -> tuple[Floats, Floats]:
        """Return log Pr(d | ci) of documents, up to a constant in each row, and their numbers of words in F(c0)."""
        seen = counts[:, self.chosen]
        lengths = seen.sum(axis=1)[:, None]
        return (seen @ self.log_counts).toarray() - lengths * self.log_denominators, lengths


def heat(lengths: Floats, temperature: Floats | float) -> Floats:
    """Return the divisor of the log likelihoods of documents with so many words.

    It grows with the document, because more words repeat each other more. Cross-validated loss at the root of the
    schools web (1,400 words a page) and on WebKB (50 words): 1.31, 1.49 with a constant divisor, 1.17, 1.37 with the
    root of the length, 1.10, 1.44 with the length, and 1.10, 1.35 with this.
    """
    return temperature * (1.0 + lengths / LONG)


def membership(labels: Numbers, choices: int) -> csr_array:
    """Return choices × documents: 1 where a document belongs to a choice."""
    return csr_array((np.ones(len(labels)), (labels, np.arange(len(labels)))), shape=(choices, len(labels)))


def best_terms(counts: csr_array, labels: Numbers, choices: int, features: int) -> Numbers:
    """Return the columns of the terms that separate the choices best, in order of columns."""
    if features >= counts.shape[1]:
        return np.arange(counts.shape[1])
    index = fisher(counts, labels, choices)
    return np.sort(np.argsort(-index, kind="stable")[:features])


def fisher(counts: csr_array, labels: Numbers, choices: int) -> Floats:
    """Return Fisher's index of each term, from its rate x(d, t) = n(d, t) / n(d) in each document.

    The variance of each choice grows by μ² / |D|, the possible error of the mean. With the bare formula every word of a
    topic with a single example has no variance and so an infinite index, and such words crowd out all others.

    >>> rates = csr_array(np.array([[2.0, 1.0, 1.0], [2.0, 2.0, 0.0], [0.0, 2.0, 2.0], [0.0, 1.0, 3.0]]))
    >>> fisher(rates, np.array([0, 0, 1, 1]), 2).round(3).tolist()
    [2.0, 0.0, 1.067]
    """
    sizes = np.maximum(np.bincount(labels, minlength=choices), 1.0)
    lengths = np.maximum(counts.sum(axis=1), 1.0)
    rates = csr_array(counts.multiply(1.0 / lengths[:, None]))
    members = membership(labels, choices).multiply(1.0 / sizes[:, None])
    means = csr_array(members @ rates)
    squares = means.multiply(means)
    between = choices * squares.sum(axis=0) - means.sum(axis=0) ** 2
    within = (members @ rates.multiply(rates)).sum(axis=0) - squares.multiply(1.0 - 1.0 / sizes[:, None]).sum(axis=0)
    index: Floats = between / np.maximum(within, np.finfo(np.float64).tiny)
    return index


@dataclass(frozen=True, kw_only=True)
class Trial:
    """Result of the cross-validation of a node at each temperature of the grid: its loss, and the best offsets."""

    losses: Floats
    offsets: Floats
    held_out: int

    @classmethod
    def none(cls, choices: int) -> Self:
        return cls(losses=np.zeros(len(GRID)), offsets=np.zeros((len(GRID), choices)), held_out=0)

    @classmethod
    def of(cls, counts: csr_array, labels: Numbers, choices: int, features: int) -> Self:
        folds = folds_of(labels, FOLDS)
        held = folds >= 0
        if not held.any():
            return cls.none(choices)
        likelihoods, lengths = np.zeros((len(labels), choices)), np.zeros((len(labels), 1))
        for fold in range(FOLDS):
            test = folds == fold
            if test.any():
                estimates = Estimates.of(counts[~test], labels[~test], choices, features)
                likelihoods[test], lengths[test] = estimates.likelihoods(counts[test])
        priors = np.log(np.bincount(labels, minlength=choices) / len(labels))
        at_once = max(1, AT_ONCE // likelihoods.size)
        parts = np.split(GRID, range(at_once, len(GRID), at_once))
        tried = [
            balance(likelihoods[held] / heat(lengths[held], part[:, None, None]) + priors, labels[held])
            for part in parts
        ]
        losses, offsets = (np.concatenate(found) for found in zip(*tried, strict=True))
        return cls(losses=losses, offsets=offsets, held_out=int(held.sum()))


def balance(scores: Floats, labels: Numbers) -> tuple[Floats, Floats]:
    """Return the loss of scores with offsets that give each choice as much total probability as it has documents.

    Formula (1) adds as much to each count of a choice with few words as of one with many, and so disadvantages the
    small. Without the offsets the accuracy on the schools web is .51 instead of .61. The first axis is the temperature.
    """
    counts = np.bincount(labels, minlength=scores.shape[2]) + 1.0
    offsets = np.zeros((len(scores), 1, scores.shape[2]))
    for _ in range(BALANCING):
        offsets += np.log(counts / (np.exp(log_softmax(scores + offsets)).sum(axis=1, keepdims=True) + 1.0))
    logs = log_softmax(scores + offsets)
    # As in Platt's targets, one in n + 2 goes to all choices alike: a perfect separation of few documents proves
    # little.
    doubt = 1.0 / (len(labels) + 2.0)
    right = logs[:, np.arange(len(labels)), labels]
    losses: Floats = -((1.0 - doubt) * right + doubt * logs.mean(axis=2)).sum(axis=1)
    return losses, (offsets - offsets.mean(axis=2, keepdims=True))[:, 0, :]


@dataclass(frozen=True, kw_only=True)
class Temperatures:
    """The temperatures of a tree's nodes.

    A node with few documents leans on the others: its own losses alone would often ask for the hottest or coldest of
    the grid.
    """

    nodes: tuple[Node, ...]

    @cached_property
    def pooled(self) -> Floats:
        """The whole tree's mean loss per document."""
        held_out = sum(node.held_out for node in self.nodes)
        losses: Floats = sum((node.losses for node in self.nodes), np.zeros(len(GRID)))
        return losses / max(held_out, 1)

    def chosen(self) -> tuple[float, ...]:
        """Return the temperature of each node."""
        if not self.pooled.any():
            return (UNTRIED,) * len(self.nodes)
        return tuple(float(GRID[place]) for place in self.places)

    @cached_property
    def places(self) -> tuple[int, ...]:
        """The index of each node's temperature in the grid."""
        return tuple(int(np.argmin(node.losses + POOLED * self.pooled)) for node in self.nodes)

    def offsets(self) -> Floats:
        """Return the offsets of the log priors of all choices of all nodes."""
        return np.concatenate([node.offsets[place] for node, place in zip(self.nodes, self.places, strict=True)])
