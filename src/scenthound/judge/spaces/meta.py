"""The meta critic: a critic of support vector machines for each feature space, and one judgement of all (BINGO §3.5).

    lessons ─► a view of every page ─► a critic for each space ─► votes ─► decision ─► Pr(topic | page)

A page without evidence in a space, such as one that no known page cites, gets no vote there. A space in which the
lessons say too little is left out. If pages of the crawl are at hand, those of which the single terms are sure teach
the other spaces too (Blum and Mitchell, "Combining labeled and unlabeled data with co-training", COLT 1998): examples
are seldom cited by pages that are known, and pages of no topic come without text.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from scenthound.judge.critic import Critic, Example, Lessons, Page, Probabilities, Telling
from scenthound.judge.modelfile import Model, kind_of, read_model, write_model
from scenthound.judge.models.bags import Text
from scenthound.judge.models.svm import Route, SvmCritic, SvmLearner, led
from scenthound.judge.spaces.decisions import ABSTAINED, Decision, decide, undecided
from scenthound.judge.spaces.space_views import NEED_CONTEXT, NEED_TEXT, VECTORS, VIEWS
from scenthound.judge.spaces.vector_critic import KIND as VECTOR_KIND
from scenthound.judge.spaces.vector_critic import VectorCritic, VectorLearner
from scenthound.taxonomy import OTHERS

Floats = NDArray[np.float64]
Places = NDArray[np.int64]

KIND: Final = "meta"
SPACES: Final = tuple(VIEWS)
TERMS: Final = "terms"
CONSERVATIVE: Final = 500  # features of the neighbours' space, where others have 2,000: BINGO §3.4 warns of dilution
_FEWEST: Final = 2  # labelled pages with evidence in a space, for each class
_MOST_BORROWED: Final = 300  # pages of the crawl that teach other spaces


@dataclass(frozen=True, slots=True, kw_only=True)
class MetaLearner:
    """Trains a critic for each space. `spaces` are those that take part, in the order in which they are shown.

    `route` says how a space votes: for the likeliest class, or as in the paper, by the side of the hyperplane. With ten
    examples and 150 others, hardly any page lies on the side of yes.
    """

    text: Text = "main"
    spaces: tuple[str, ...] = SPACES
    decision: Decision = Decision.WEIGHTED
    route: Route = "likeliest"

    @property
    def wants_context(self) -> bool:
        return any(space in (*NEED_TEXT, *NEED_CONTEXT) for space in self.spaces)

    def fit(self, lessons: Lessons, *, seed: int = 0, before: Critic | None = None) -> "MetaCritic":
        known = before.critics if isinstance(before, MetaCritic) else {}
        terms = SvmLearner(text=self.text).fit(lessons, seed=seed, before=known.get(TERMS))
        borrowed, critics = _borrowed(lessons, terms), dict[str, SvmCritic]()
        for space in self.spaces:
            found = terms if space == TERMS else self._fit(space, borrowed, terms.classes, seed, known.get(space))
            if found is not None:
                critics[space] = found
        critics = critics or {TERMS: terms}
        return MetaCritic(
            classes=terms.classes, critics=critics, text=self.text, decision=self.decision, route=self.route
        )

    def _fit(
        self, space: str, lessons: Lessons, classes: tuple[str, ...], seed: int, before: Critic | None
    ) -> SvmCritic | None:
        """Train the critic of a space; None if a class has too few pages with evidence there."""
        seen = _seen(lessons, space, self.text)
        if not _is_enough(seen, classes):
            return None
        critic = self._learner(space).fit(seen, seed=seed, before=before)
        return critic if critic.classes == classes else None

    def _learner(self, space: str) -> SvmLearner | VectorLearner:
        """Return the learner of a space; a view has all of its features in the main text."""
        if space == VECTORS:
            return VectorLearner(text=self.text)
        return SvmLearner(text="main", best=CONSERVATIVE) if space == "neighbours" else SvmLearner(text="main")


@dataclass(frozen=True, kw_only=True)
class MetaCritic:
    """A critic for each space that could learn, and how they decide."""

    classes: tuple[str, ...]
    critics: Mapping[str, SvmCritic]
    text: Text
    decision: Decision
    route: Route = "likeliest"

    @property
    def wants_text(self) -> bool:
        return any(space in NEED_TEXT for space in self._asked)

    @property
    def wants_context(self) -> bool:
        return any(space in NEED_CONTEXT for space in self._asked)

    @cached_property
    def weights(self) -> Mapping[str, float]:
        """The ξα estimate of each space's precision, the mean over all topics."""
        return {space: critic.precision for space, critic in self.critics.items()}

    @property
    def best(self) -> str:
        """The space with the greatest weight; of equals the first."""
        return max(self.weights, key=lambda space: self.weights[space])

    def decided_by(self, decision: Decision) -> "MetaCritic":
        """Return the same critics with another way to decide: that needs no training."""
        return replace(self, decision=decision)

    def judge(self, pages: Sequence[Page]) -> Probabilities:
        heard = self.hear(pages)
        rows = np.zeros((len(pages), len(self.classes)))
        for weight, spoke, said in zip(heard.weights, heard.spoke, heard.rows, strict=True):
            rows += weight * spoke[:, None] * said
        rows /= rows.sum(axis=1, keepdims=True)
        decided = self.decided(heard)
        clear = decided != ABSTAINED
        rows[clear] = led(rows[clear], decided[clear])
        if OTHERS in self.classes:
            rows[~clear] = undecided(rows[~clear], others=self.classes.index(OTHERS))
        return rows

    def decisions(self, pages: Sequence[Page]) -> Places:
        """Return the class of each page, as a place in `classes`, or ABSTAINED where the spaces disagree."""
        return self.decided(self.hear(pages))

    def hear(self, pages: Sequence[Page]) -> "Heard":
        """Return what the critic of each space says of pages."""
        asked = {space: [self.view(space, page) for page in pages] for space in self._asked}
        shape = (len(asked), len(pages))
        spoke = np.array([[bool(len(page.terms)) for page in seen] for seen in asked.values()], dtype=np.float64)
        spoke = spoke.reshape(shape)
        spoke[0, spoke.sum(axis=0) == 0] = 1.0  # a page without any term gets a valid row
        said = [self.critics[space].judge_and_route(seen) for space, seen in asked.items()]
        return Heard(
            spaces=tuple(asked),
            weights=np.array([max(self.weights[space], 0.01) for space in asked]),
            spoke=spoke,
            rows=np.stack([rows for rows, _ in said]),
            votes=np.where(spoke > 0, np.stack([self._vote(rows, routes) for rows, routes in said]), ABSTAINED),
        )

    def _vote(self, rows: Probabilities, routes: Places) -> Places:
        likeliest: Places = rows.argmax(axis=1)
        return routes if self.route == "paper" else likeliest

    def view(self, space: str, page: Page) -> Page:
        """Return a page as the critic of a space sees it."""
        return VIEWS[space](page, self.text)

    def telling(self, topic: str, *, most: int = 10) -> tuple[Telling, ...]:
        return self.critics[self._telling].telling(topic, most=most)

    def save(self, folder: Path) -> None:
        facts: dict[str, Any] = {
            "classes": list(self.classes),
            "spaces": list(self.critics),
            "text": self.text,
            "decision": str(self.decision),
            "route": self.route,
        }

        def save_spaces(within: Path) -> None:
            for space, critic in self.critics.items():
                critic.save(within / space)

        write_model(folder, Model(kind=KIND, facts=facts, arrays={}), inside=save_spaces)

    @classmethod
    def load(cls, folder: Path) -> Self:
        facts = read_model(folder).facts
        spaces = [space for space in facts["spaces"] if space in SPACES]
        return cls(
            classes=tuple(facts["classes"]),
            critics={space: _load(folder / space) for space in spaces},
            text=facts["text"],
            decision=Decision(facts["decision"]),
            route=facts["route"],
        )

    @property
    def _asked(self) -> Sequence[str]:
        """The spaces that judge: all, or the best where speed matters."""
        return (self.best,) if self.decision is Decision.BEST else tuple(self.critics)

    @property
    def _telling(self) -> str:
        return TERMS if TERMS in self.critics else next(iter(self.critics))

    def decided(self, heard: "Heard") -> Places:
        """Return the same of what was heard before."""
        rule = Decision.MAJORITY if self.decision is Decision.BEST else self.decision
        return decide(heard.votes, heard.weights, rule, classes=len(self.classes))


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """What the critics say: `spoke` is 1 where a space has evidence of a page, `votes` are places in the classes.

    Arrays have a row for each space and a column for each page; `rows` has the probabilities.
    """

    spaces: tuple[str, ...]
    weights: Floats
    spoke: Floats
    rows: NDArray[np.float64]
    votes: Places


def _load(folder: Path) -> SvmCritic:
    return VectorCritic.load(folder) if kind_of(folder) == VECTOR_KIND else SvmCritic.load(folder)


def _seen(lessons: Lessons, space: str, text: Text) -> Lessons:
    """Return the lessons as a space shows them, without pages that have no evidence there."""
    view = VIEWS[space]
    examples = [replace(one, page=view(one.page, text)) for one in lessons.examples]
    return replace(
        lessons,
        examples=tuple(one for one in examples if len(one.page.terms)),
        others=tuple(page for page in (view(page, text) for page in lessons.others) if len(page.terms)),
        at_hand=tuple(view(page, text) for page in lessons.at_hand) if space == VECTORS else (),
    )


def _is_enough(lessons: Lessons, classes: Sequence[str]) -> bool:
    """Tell whether a space has evidence of every topic, and of something else."""
    own = [one.topic for one in lessons.examples]
    return all(own.count(path) >= _FEWEST for path in classes if path != OTHERS) and (
        len(classes) > 2 or len(lessons.others) >= _FEWEST
    )


def _borrowed(lessons: Lessons, critic: SvmCritic) -> Lessons:
    """Add pages of the crawl of which a critic is as sure as it is of its examples on the average.

    They join the class that it gives them. Pages that belong nowhere join those of no topic, as many as there are
    others.
    """
    pages = lessons.at_hand[:_MOST_BORROWED]
    if not pages or not critic.hyperplanes:
        return lessons
    sure, routes = critic.distances(pages), critic.routes(pages)
    own = critic.distances([one.page for one in lessons.examples])
    topics = np.array([one.topic for one in lessons.examples])
    examples, others = list(lessons.examples), list(lessons.others)
    for page, distances, route in zip(pages, sure, routes.tolist(), strict=True):
        path = critic.classes[route]
        if path == OTHERS:
            others += [page] if distances.max() <= -_mean_distance(own, topics, critic) else []
        elif path in critic.hyperplanes:
            column = critic.hyperplanes.index(path)
            if distances[column] >= own[topics == path, column].mean():
                examples.append(Example(topic=path, name=page.url, page=page))
    return replace(lessons, examples=tuple(examples), others=tuple(others))


def _mean_distance(distances: Floats, topics: NDArray[np.str_], critic: SvmCritic) -> float:
    """Return how sure a critic is of its examples on the average."""
    columns = {path: column for column, path in enumerate(critic.hyperplanes)}
    own = [distances[row, columns[path]] for row, path in enumerate(topics.tolist()) if path in columns]
    return float(np.mean(own)) if own else 0.0
