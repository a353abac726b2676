"""The common part of critics that decide at each inner topic of the tree: their nodes, and saving and loading."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, Protocol, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from scenthound.judge.critic import Telling
from scenthound.judge.modelfile import Model, write_model
from scenthound.judge.models.bags import Text
from scenthound.judge.models.branches import Branches


class Deciding(Protocol):
    """The decision at one inner topic."""

    @property
    def digest(self) -> str: ...

    @property
    def terms(self) -> Iterable[str]: ...

    def telling(self, choice: int, most: int, /) -> tuple[Telling, ...]: ...

    def arrays(self, vocabulary: Mapping[str, int]) -> dict[str, NDArray[Any]]: ...

    @classmethod
    def of_arrays(cls, digest: str, vocabulary: NDArray[Any], arrays: Mapping[str, NDArray[Any]]) -> Self: ...


N = TypeVar("N", bound=Deciding)


@dataclass(frozen=True, kw_only=True)
class TreeCritic(Generic[N]):
    """A trained tree: one node for each branch, in the same order."""

    tree: Branches
    nodes: tuple[N, ...]
    text: Text

    @property
    def classes(self) -> tuple[str, ...]:
        return self.tree.classes

    @property
    def wants_text(self) -> bool:
        return False

    @property
    def by_digest(self) -> Mapping[str, N]:
        """The nodes by the digest of their training data."""
        return {node.digest: node for node in self.nodes}

    def telling(self, topic: str, *, most: int = 10) -> tuple[Telling, ...]:
        place = self.tree.deciding(topic)
        return self.nodes[place[0]].telling(place[1], most) if place else ()

    def write(self, folder: Path, kind: str, **facts: Any) -> None:
        """Write the tree as a model of this kind, with additional facts."""
        vocabulary = vocabulary_of_nodes(self.nodes)
        common: dict[str, Any] = {"text": self.text, "shape": self.tree.shape, "vocabulary": list(vocabulary)}
        common["digests"] = [node.digest for node in self.nodes]
        arrays: dict[str, NDArray[Any]] = {}
        for number, node in enumerate(self.nodes):
            arrays |= {f"{number}.{name}": array for name, array in node.arrays(vocabulary).items()}
        write_model(folder, Model(kind=kind, facts=common | facts, arrays=arrays))


def tree_of(model: Model, node: type[N]) -> tuple[Branches, tuple[N, ...]]:
    """Return the tree and the nodes of a model that `TreeCritic.write` wrote."""
    facts, vocabulary = model.facts, np.array(model.facts["vocabulary"], dtype=object)
    nodes = [node.of_arrays(digest, vocabulary, model.numbered(n)) for n, digest in enumerate(facts["digests"])]
    return Branches.of((path, choices) for path, choices in facts["shape"]), tuple(nodes)


def vocabulary_of_nodes(nodes: Sequence[Deciding]) -> dict[str, int]:
    """Number the terms of all nodes."""
    terms = dict.fromkeys(term for node in nodes for term in node.terms)
    return dict(zip(terms, range(len(terms)), strict=True))
