"""A made-up collection for the classifier: a taxonomy of three levels, a trained critic, and pages to judge.

Words fall off as in language (Zipf). Each topic of each level has words of its own, which its pages use besides those
of everybody; a page also says some things that no example said. As in the paper, DOCUMENT holds all words of a page,
also those that the critic does not know: it is made when pages are fetched, whatever they are judged by later.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from scenthound.judge.critic import Example, Lessons, Page
from scenthound.judge.models.bayes import BayesCritic, BayesLearner
from scenthound.judge.models.tree_critic import vocabulary_of_nodes
from scenthound.judge.probe.probe_critic import Prober, probing
from scenthound.parse.words.terms import Terms
from scenthound.taxonomy import Topic, Topics

Whole = NDArray[np.int64]

ANYBODYS = 0.6  # of the words of a page
OWN_WORDS = 300  # of each topic
EXAMPLES = 4  # of each leaf


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """How large a collection is. `fewest` and `most` bound how many topics are below another."""

    top: int = 8
    fewest: int = 3
    most: int = 9
    words: int = 60_000
    length: int = 700
    pages: int = 400
    features: int = 500


SMALL = Size(top=3, fewest=2, most=3, words=2_000, length=80, pages=24, features=100)


@dataclass(frozen=True, kw_only=True)
class Collection:
    """A critic and pages, made by chance from a seed. Nothing is made before it is asked for."""

    size: Size
    seed: int = 7

    @cached_property
    def leaves(self) -> list[str]:
        chance = np.random.default_rng(self.seed)

        def below(path: str) -> list[str]:
            return [f"{path}/{number}" for number in range(chance.integers(self.size.fewest, self.size.most + 1))]

        return [leaf for top in range(self.size.top) for middle in below(str(top)) for leaf in below(middle)]

    @cached_property
    def critic(self) -> BayesCritic:
        author = _Author(self.size, self.seed + 1, drawn=0)
        examples = [
            Example(topic=leaf, name="", page=author.page(leaf)) for leaf in self.leaves for _ in range(EXAMPLES)
        ]
        topics = Topics(topics=tuple(Topic(path=leaf) for leaf in self.leaves))
        return BayesLearner(features=self.size.features).fit(Lessons(topics=topics, examples=tuple(examples)))

    @cached_property
    def pages(self) -> list[Page]:
        author = _Author(self.size, self.seed + 1, drawn=1)
        chance = np.random.default_rng(self.seed + 2)
        return [author.page(self.leaves[chance.integers(len(self.leaves))]) for _ in range(self.size.pages)]

    @contextmanager
    def probing(self, file: Path | None = None) -> Iterator[Prober]:
        """Open a database with the critic, whose pages are written with all their words."""
        with probing(self.critic, file=file) as probe:
            vocabulary = vocabulary_of_nodes(self.critic.nodes)
            for page in self.pages:
                for term in page.terms.terms:
                    vocabulary.setdefault(term, len(vocabulary))
            yield Prober(con=probe.con, numbers=probe.numbers, vocabulary=vocabulary, text=probe.text)


class _Author:
    """Writes pages about topics. With one seed and another `drawn`, other pages are written with the same words."""

    def __init__(self, size: Size, seed: int, *, drawn: int) -> None:
        self._size = size
        self._seed = seed
        self._chance = np.random.default_rng([seed, drawn])
        weights = 1.0 / np.arange(1, size.words + 1)
        self._upto = np.cumsum(weights / weights.sum())
        self._own: dict[str, Whole] = {}

    def page(self, leaf: str) -> Page:
        """Write a page: mostly common words, the rest from the leaf and the two topics above it, and random ones."""
        length = self._size.length
        share = int(length * (1 - ANYBODYS) / 4)
        common = np.searchsorted(self._upto, self._chance.random(length - 4 * share))
        own = [words[(OWN_WORDS * self._chance.random(share) ** 2).astype(np.int64)] for words in self.own_words(leaf)]
        stray = self._chance.integers(0, self._size.words, share)
        tids, counts = np.unique(np.concatenate([common, *own, stray]), return_counts=True)
        none = np.zeros(len(tids), dtype=np.uint16)
        terms = tuple(f"w{tid}" for tid in tids.tolist())
        return Page(terms=Terms(terms=terms, title=none, main=counts.astype(np.uint16), rest=none))

    def own_words(self, leaf: str) -> list[Whole]:
        """Return the words of a leaf and of the topics above it; they depend on nothing but the topic and the seed."""
        top, middle, _ = leaf.split("/")
        return [self._of(path) for path in (top, f"{top}/{middle}", leaf)]

    def _of(self, path: str) -> Whole:
        if path not in self._own:
            seed = [self._seed, *map(int, path.split("/")), path.count("/")]
            self._own[path] = np.random.default_rng(seed).integers(0, self._size.words, OWN_WORDS)
        return self._own[path]
