"""The default critic: multinomial logistic regression on words and word vectors, calibrated.

A page is a tf·idf row beside a word vector. `multinomial` shares weights along the tree of topics. A temperature,
fitted on held-out examples, turns scores into probabilities (Guo et al., ICML 2017).
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final, Literal, Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import softmax
from threadpoolctl import threadpool_limits

from scenthound.judge.canonical.canon import LANGUAGE, canon
from scenthound.judge.critic import Critic, Lessons, Page, Probabilities, Telling
from scenthound.judge.modelfile import Model, read_model, write_model
from scenthound.judge.models.bags import Text, digest_of
from scenthound.judge.models.branches import branches_of, documents
from scenthound.judge.models.features import Features, features_of
from scenthound.judge.models.multinomial import kinship
from scenthound.judge.models.study import Learnt, Study
from scenthound.judge.models.vectors import DIMENSIONS, Vectors
from scenthound.taxonomy import OTHERS, ancestors

Labels = NDArray[np.int64]

KIND: Final = "logistic"
# More pages at hand do not improve the vectors: average precision .636 with none, .649 with 300, .654 with 2,000, .653
# with 3,000 (twenty topics of the schools web, ten examples and 150 others each). A random choice leaves out the rest.
_MOST_AT_HAND: Final = 2_000
_REFUSED: Final = 3.0  # a refusal by the reader counts for more than a background page
_FEW: Final = 10  # up to so many examples of a topic are held out one at a time
_FEWEST_TO_SHARE: Final = 40  # examples in all, above which repeated training would take too long
_BATCH: Final = 256  # pages judged at a time, to keep memory small


@dataclass(frozen=True, slots=True, kw_only=True)
class LogisticLearner:
    """Trains logistic critics.

    `strength` is the weight of the examples against the penalty (scikit-learn's C). `kin` shares weights along the
    tree. `vectors` are the "known" ones of the canonical tree, if it reads the examples' language and its pages are the
    negatives, or the crawl's "own", learnt from labelled pages and those at hand; `dimensions` is their length, 0 for
    none. `folds` are for calibration, 0 for none.

    On half of the schools web's categories: accuracy .688, .691, .688 with a strength of 3, 10, 100 (words alone, no
    kin), so a search for each critic is not worth its time; .742 with kin and .735 without. A regression for each inner
    topic, with the chain rule, came between (.694 against .702 and .685, words alone). Estimating the frequency of each
    class from pages at hand (Saerens et al. 2002) gained nothing: accuracy fell in three draws of four.
    """

    text: Text = "main"
    strength: float = 10.0
    kin: bool = True
    vectors: Literal["known", "own"] = "known"
    dimensions: int = DIMENSIONS
    folds: int = 3

    def fit(self, lessons: Lessons, *, seed: int = 0, before: Critic | None = None) -> "LogisticCritic":
        """Train a critic. All classes learn together, so `before` helps only if no lesson has changed."""
        classes = branches_of(lessons).classes
        digest = _digest(lessons, f"{self} {classes} {seed}")
        if isinstance(before, LogisticCritic) and before.digest == digest:
            return before
        # One thread for matrix products: on a busy machine the threads of OpenBLAS wait for each other, and training
        # took ten times the processor time. Also, rounding and therefore the critic would depend on the number of
        # cores.
        with threadpool_limits(1, user_api="blas"):
            at_hand = _some(lessons.at_hand, seed)
            features = features_of(documents(lessons), at_hand, text=self.text)
            study = self._study(lessons, classes, features, at_hand, seed)
            held_back = study.held_back(self._folds(lessons), _sites(lessons))
            heat = study.temperature(held_back)
            return LogisticCritic(
                classes=classes,
                features=features,
                learnt=study.learn(np.ones(len(study.labels), dtype=np.bool_)),
                temperature=heat,
                held_back=softmax(held_back / heat, axis=1).astype(np.float32),
                digest=digest,
            )

    def _folds(self, lessons: Lessons) -> int:
        """Return the number of folds: few examples are held out one by one, if a background replaces other topics.

        Eight examples less a third say little about all eight: the best border between on and off topic lay up to .9 of
        the span above held-out examples, and nowhere above .5 with one held out at a time (20 crawls, by a script that
        was not kept).
        """
        few = min(Counter(one.topic for one in lessons.examples).values(), default=0)
        one_by_one = lessons.others and few <= _FEW and len(lessons.examples) <= _FEWEST_TO_SHARE
        return max(self.folds, few) if one_by_one and self.folds else self.folds

    def _study(
        self, lessons: Lessons, classes: tuple[str, ...], features: Features, at_hand: Sequence[Page], seed: int
    ) -> Study:
        return Study(
            rows=features.rows(documents(lessons)),
            at_hand=features.rows(at_hand),
            labels=_labels(lessons, classes),
            groups=kinship(classes) if self.kin else np.eye(len(classes)),
            strength=self.strength * _weights(lessons),
            dimensions=self.dimensions,
            seed=seed,
            vectors=self._known_vectors(lessons, features),
        )

    def _known_vectors(self, lessons: Lessons, features: Features) -> Vectors | None:
        known = self.vectors == "known" and self.dimensions and lessons.others and is_read(lessons)
        return canon().vectors(features.terms) if known else None


@dataclass(frozen=True, slots=True, kw_only=True)
class LogisticCritic:
    """A trained logistic critic. `features` and `vectors` can read other texts into the same numbers.

    `held_back` has Pr(class | page) of each labelled page, from a model trained without it; NaN where training cannot
    spare the page. `adaptation.adapted` finds the border between on and off topic with it.
    """

    classes: tuple[str, ...]
    features: Features
    learnt: Learnt
    temperature: float
    held_back: NDArray[np.float32]
    digest: str

    @property
    def wants_text(self) -> bool:
        return False

    def judge(self, pages: Sequence[Page]) -> Probabilities:
        """Return Pr(class | page); see `critic.Critic`."""
        batches = [pages[start : start + _BATCH] for start in range(0, len(pages), _BATCH)]
        return np.concatenate([np.zeros((0, len(self.classes))), *map(self._judged, batches)])

    def _judged(self, pages: Sequence[Page]) -> Probabilities:
        scores = self.learnt.scores(self.features.rows(pages))
        likely: Probabilities = softmax(scores / self.temperature, axis=1)
        return likely

    def telling(self, topic: str, *, most: int = 10) -> tuple[Telling, ...]:
        """Return the terms that speak most for a topic against its siblings; see `critic.Critic`."""
        own, rivals = _sides(self.classes, topic)
        if not own or not rivals:
            return ()
        words = self.learnt.words
        lead = words[:, own].mean(axis=1) - words[:, rivals].mean(axis=1)
        best = [int(column) for column in np.argsort(-lead, kind="stable")[:most] if lead[column] > 0]
        return tuple(Telling(term=self.features.terms[column], weight=float(lead[column])) for column in best)

    def save(self, folder: Path) -> None:
        """Write the critic into a new folder, as data only."""
        facts = {
            "classes": list(self.classes),
            "terms": list(self.features.terms),
            "text": self.features.text,
            "temperature": self.temperature,
            "digest": self.digest,
        }
        arrays: dict[str, NDArray[Any]] = {
            "idf": self.features.idf,
            "vectors": self.learnt.vectors.table,
            "words": self.learnt.words,
            "meanings": self.learnt.meanings,
            "offsets": self.learnt.offsets,
            "held_back": self.held_back,
        }
        write_model(folder, Model(kind=KIND, facts=facts, arrays=arrays))

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Load the result of `save`."""
        model = read_model(folder)
        facts, arrays = model.facts, model.arrays
        return cls(
            classes=tuple(facts["classes"]),
            features=Features(terms=tuple(facts["terms"]), idf=arrays["idf"], text=facts["text"]),
            learnt=Learnt(
                vectors=Vectors(table=arrays["vectors"]),
                words=arrays["words"],
                meanings=arrays["meanings"],
                offsets=arrays["offsets"],
            ),
            temperature=facts["temperature"],
            held_back=arrays["held_back"]
            if "held_back" in arrays
            else np.zeros((0, len(facts["classes"])), np.float32),
            digest=facts["digest"],
        )


def _digest(lessons: Lessons, settings: str) -> str:
    """Return a digest of everything that training depends on."""
    said = blake2b(settings.encode("utf-8", "surrogatepass"), digest_size=16)
    for example in lessons.examples:
        said.update(example.topic.encode("utf-8", "surrogatepass") + b"\0" + digest_of(example.page))
    for zone in (lessons.others, lessons.at_hand):
        said.update(b"pages" + b"".join(map(digest_of, zone)))
    return said.hexdigest()


def _sites(lessons: Lessons) -> list[str]:
    """Return the site of each labelled page; none if other topics compete, whose examples share the sites."""
    return [page.site if lessons.others else "" for page in documents(lessons)]


def _weights(lessons: Lessons) -> NDArray[np.float64]:
    """Return the weight of each labelled page: a web page without a topic was refused by a reader."""
    refused = [_REFUSED if page.site else 1.0 for page in lessons.others]
    return np.array([*(1.0 for _ in lessons.examples), *refused], dtype=np.float64)


def is_read(lessons: Lessons) -> bool:
    """Tell whether the canonical tree, whose word vectors are English, can read most of the examples."""
    spoken = [example.page.terms.language or example.page.language for example in lessons.examples]
    return 2 * sum(language in (LANGUAGE, "") for language in spoken) > len(spoken)


def _labels(lessons: Lessons, classes: tuple[str, ...]) -> Labels:
    """Return the class of each labelled page, in the order of `documents`."""
    number = {path: place for place, path in enumerate(classes)}
    topics = [*(example.topic for example in lessons.examples), *(OTHERS for _ in lessons.others)]
    return np.array([number[topic] for topic in topics], dtype=np.int64)


def _some(pages: Sequence[Page], seed: int) -> Sequence[Page]:
    if len(pages) <= _MOST_AT_HAND:
        return pages
    return [
        pages[place] for place in np.sort(np.random.default_rng(seed).choice(len(pages), _MOST_AT_HAND, replace=False))
    ]


def _sides(classes: Sequence[str], topic: str) -> tuple[list[int], list[int]]:
    """Return the classes at or below a topic, and its rivals: the others below the nearest ancestor that has any."""
    own = _below(classes, topic) if topic else [place for place, path in enumerate(classes) if not path]
    for above in (*reversed(ancestors(topic)), ""):
        rivals = sorted(set(_below(classes, above)) - set(own))
        if rivals:
            return own, rivals
    return own, []


def _below(classes: Sequence[str], topic: str) -> list[int]:
    """Return the classes that are a topic or below it; for "" all."""
    return [place for place, path in enumerate(classes) if not topic or path == topic or path.startswith(topic + "/")]
