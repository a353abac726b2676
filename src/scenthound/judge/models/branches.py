"""The tree as critics learn it: at each inner topic a choice between its children, combined by the chain rule.

Pr(c | d) = Pr(parent(c) | d) · Pr(c | d, parent(c)) from the root, where it is 1 (FOCUS §3.1). An inner topic with its
own examples has one more choice, "here, and none below", with the topic's own path; at the root that is OTHERS.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from scenthound.errors import TopicsError
from scenthound.judge.critic import Lessons, Page, Probabilities
from scenthound.judge.models.bags import digest_of
from scenthound.taxonomy import OTHERS, ancestors, parent

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One way down from an inner topic, and its documents, as indices into `documents(lessons)`."""

    path: str
    documents: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Branch:
    """An inner topic (or the root, "") and its choices; one with the branch's own path means "here, and none below"."""

    path: str
    choices: tuple[Choice, ...]

    @property
    def documents(self) -> NDArray[np.int64]:
        return np.array([number for choice in self.choices for number in choice.documents], dtype=np.int64)

    @property
    def labels(self) -> NDArray[np.int64]:
        """The choice of each of `documents`."""
        return np.repeat(np.arange(len(self.choices)), [len(choice.documents) for choice in self.choices])

    @property
    def here(self) -> int | None:
        """The choice "here, and none below", if there is one."""
        return next((number for number, choice in enumerate(self.choices) if choice.path == self.path), None)


@dataclass(frozen=True, kw_only=True)
class Branches:
    """All branches of a tree, parents before children, including those with a single choice.

    >>> tree = Branches.of([("", ("Sport", "")), ("Sport", ("Sport/Golf", "Sport/Chess", "Sport"))])
    >>> tree.classes
    ('Sport/Golf', 'Sport/Chess', 'Sport', '')
    >>> at_root, in_sport = np.log([[0.8, 0.2]]), np.log([[0.5, 0.25, 0.25]])
    >>> tree.chain([at_root, in_sport]).round(6).tolist()
    [[0.4, 0.2, 0.2, 0.2]]
    """

    branches: tuple[Branch, ...]

    @classmethod
    def of(cls, shape: Iterable[tuple[str, Iterable[str]]]) -> "Branches":
        """Make a tree without documents from its `shape`."""
        return cls(
            branches=tuple(
                Branch(path=path, choices=tuple(Choice(path=choice) for choice in choices)) for path, choices in shape
            )
        )

    @property
    def shape(self) -> list[tuple[str, list[str]]]:
        return [(branch.path, [choice.path for choice in branch.choices]) for branch in self.branches]

    @cached_property
    def classes(self) -> tuple[str, ...]:
        """The paths where a way down may end, in the tree's order with OTHERS last."""
        return tuple(self._ends(self.branches[0]))

    @cached_property
    def _by_path(self) -> dict[str, Branch]:
        return {branch.path: branch for branch in self.branches}

    def _ends(self, branch: Branch) -> Iterable[str]:
        for choice in branch.choices:
            below = self._by_path.get(choice.path)
            if below is None or below is branch:
                yield choice.path
            else:
                yield from self._ends(below)

    def chain(self, conditionals: Sequence[Floats]) -> Probabilities:
        """Return Pr(class | page) from log Pr(choice | page, branch) of each branch."""
        reached = {"": np.zeros(len(conditionals[0]))}
        ended: dict[str, Floats] = {}
        for branch, logs in zip(self.branches, conditionals, strict=True):
            above = reached[branch.path]
            for number, choice in enumerate(branch.choices):
                ends = choice.path == branch.path or choice.path not in self._by_path
                (ended if ends else reached)[choice.path] = above + logs[:, number]
        return np.exp(np.stack([ended[path] for path in self.classes], axis=1))

    def deciding(self, topic: str) -> tuple[int, int] | None:
        """Return the branch where a topic has siblings, and the choice there that leads to the topic.

        That is the branch right above it, or the nearest higher one with more than one choice.

        >>> tree = Branches.of([("", ("Arts", "")), ("Arts", ("Arts/Film",))])
        >>> tree.deciding("Arts/Film"), tree.deciding(""), tree.deciding("Golf")
        ((0, 0), (0, 1), None)
        """
        numbers = {branch.path: number for number, branch in enumerate(self.branches)}
        for step in (topic, *reversed(ancestors(topic))):
            number = numbers.get(parent(step), -1)
            paths = [choice.path for choice in self.branches[number].choices] if number >= 0 else []
            if step not in paths:
                return None
            if len(paths) > 1:
                return number, paths.index(step)
        return None


def documents(lessons: Lessons) -> tuple[Page, ...]:
    """Return the labelled pages, examples first; branches use these indices."""
    return (*(example.page for example in lessons.examples), *lessons.others)


def branches_of(lessons: Lessons) -> Branches:
    """Sort the lessons into a tree; leave out topics without examples at or below them."""
    own = _own(lessons)
    if not own:
        raise TopicsError("there is nothing to learn from: no topic has an example that could be read; add examples")
    nodes = _nodes(lessons, own)
    below: dict[str, list[str]] = {"": []}
    for path in nodes:
        below.setdefault(parent(path), []).append(path)
    gathered = _gather_documents(nodes, own)
    return Branches(
        branches=tuple(
            Branch(path=path, choices=_choices(path, below[path], own, gathered))
            for path in ("", *nodes)
            if path in below
        )
    )


def _own(lessons: Lessons) -> dict[str, list[int]]:
    """Return the documents of each path itself."""
    own: dict[str, list[int]] = {}
    for number, example in enumerate(lessons.examples):
        own.setdefault(example.topic, []).append(number)
    for number in range(len(lessons.examples), len(lessons.examples) + len(lessons.others)):
        own.setdefault(OTHERS, []).append(number)
    return own


def _nodes(lessons: Lessons, own: dict[str, list[int]]) -> list[str]:
    """Return the topics with examples at or below them, in the order of the taxonomy, parents first."""
    used = dict.fromkeys(node for path in own for node in (*ancestors(path), path) if node)
    known = [path for path in lessons.topics.nodes if path in used]
    return [*known, *(path for path in used if path not in set(known))]


def _gather_documents(nodes: list[str], own: dict[str, list[int]]) -> dict[str, tuple[int, ...]]:
    """Return the documents at or below each topic."""
    found: dict[str, list[int]] = {path: [] for path in nodes}
    for path, numbers in own.items():
        for node in (*ancestors(path), path):
            if node:
                found[node].extend(numbers)
    return {path: tuple(sorted(numbers)) for path, numbers in found.items()}


def _choices(
    path: str, below: list[str], own: dict[str, list[int]], gathered: dict[str, tuple[int, ...]]
) -> tuple[Choice, ...]:
    here = (Choice(path=path, documents=tuple(own[path])),) if path in own else ()
    return (*(Choice(path=child, documents=gathered[child]) for child in below), *here)


def with_none(tree: Branches) -> Branches:
    """Return a tree whose root has the choice OTHERS, even without pages of that class."""
    root = tree.branches[0]
    if root.here is not None or len(root.choices) < 2:
        return tree
    return Branches(branches=(replace(root, choices=(*root.choices, Choice(path=OTHERS))), *tree.branches[1:]))


def digests(tree: Branches, pages: Sequence[Page], settings: str) -> list[str]:
    """Return for each branch a digest of everything that its training depends on.

    Names do not count, so renaming or moving a topic with its subtree costs no training.
    """
    of_pages = [digest_of(page) for page in pages]
    return [_digest(branch, of_pages, settings) for branch in tree.branches]


def _digest(branch: Branch, of_pages: list[bytes], settings: str) -> str:
    said = blake2b(f"{settings}|{branch.here}".encode(), digest_size=16)
    for choice in branch.choices:
        said.update(len(choice.documents).to_bytes(8, "little"))
        for number in choice.documents:
            said.update(of_pages[number])
    return said.hexdigest()


def folds_of(labels: NDArray[np.int64], folds: int) -> NDArray[np.int64]:
    """Deal documents into folds for cross-validation, choice by choice; -1 (always a lesson) for a single document.

    The deal follows the order, not chance: the same lessons get the same folds with any seed.

    >>> folds_of(np.array([0, 0, 0, 1, 1, 2]), 3).tolist()
    [0, 1, 2, 0, 1, -1]
    """
    dealt = np.full(len(labels), -1, dtype=np.int64)
    for label in np.unique(labels):
        members = np.flatnonzero(labels == label)
        if len(members) > 1:
            dealt[members] = np.arange(len(members)) % folds
    return dealt


def log_softmax(scores: Floats) -> Floats:
    """Return logarithms of probabilities in proportion to exp(scores), row by row.

    >>> np.exp(log_softmax(np.log([[2.0, 6.0]]))).round(6).tolist()
    [[0.25, 0.75]]
    """
    shifted = np.ascontiguousarray(scores) - scores.max(axis=-1, keepdims=True)
    logs: Floats = shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))
    return logs
