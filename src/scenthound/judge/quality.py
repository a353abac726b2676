"""How well a critic will do, found out before the crawl: examples are held back in turn and judged unseen.

Cross-validated quality of each topic and of relevance (R, the sum over good topics: FOCUS §3.1), what is confused with
what, and which examples are too few, said twice or perhaps misplaced. `quality_words` says it in plain words.
"""

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from scenthound.judge.base import Critic, Learner, Lessons, Telling
from scenthound.judge.calibration import calibration_error
from scenthound.judge.distinct import Distinct, Twin, distinct
from scenthound.judge.hits import Hits, best_threshold, count
from scenthound.judge.places import holding, nodes_over
from scenthound.judge.trial import Trial, hold_back
from scenthound.taxonomy import OTHERS, Topics, ancestors

# Examples with which a topic's judgements begin to be steady. Naive Bayes on 20 topics of the schools web, five draws of
# examples: F1 varied from draw to draw with a standard deviation of .19 for 2 examples, .14 for 3, .09 for 8, .06 for 12.
ENOUGH: Final = 8
_SURE: Final = 0.8  # a held-back example that is another topic's with more than this is perhaps misplaced


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicQuality:
    """How well pages of a topic, or of one below it, are told from all others. `hits` is None if it could not be tried."""

    path: str
    good: bool
    examples: int
    hits: Hits | None
    telling: tuple[Telling, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Confusion:
    """Of `of` held-back pages of a topic, so many were taken for another. `matters` if one is good and the other not."""

    topic: str
    taken_for: str
    times: int
    of: int
    matters: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Misplaced:
    """An example that looks like another topic's when it is judged unseen."""

    topic: str
    name: str
    looks_like: str
    probability: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Thin:
    """A topic with too few examples, and the names of its most typical ones: more pages like these are wanted."""

    topic: str
    good: bool
    examples: int
    wanted: int
    like: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Quality:
    """What is to be expected of a critic trained on these lessons.

    `relevance` is how well pages of good topics are told from the rest when relevance from `accept` on counts as on
    topic; None if that could not be tried. `best` is the same for `best_accept`, the threshold that would have divided
    these very pages best. `calibration_error` is the mean gap between how sure the critic is and how
    often it is right. Precision depends on the mix of pages: it is that of the examples and pages of no topic.
    """

    topics: tuple[TopicQuality, ...]
    relevance: Hits | None
    accept: float
    best: Hits | None
    best_accept: float | None
    tested: int
    near: int  # of these, examples of topics that are not wanted
    right: int
    calibration_error: float | None
    confusions: tuple[Confusion, ...]
    misplaced: tuple[Misplaced, ...]
    thin: tuple[Thin, ...]
    twins: tuple[Twin, ...]
    empty: tuple[str, ...]
    folds: int
    folds_wanted: int

    @property
    def accuracy(self) -> float:
        return self.right / self.tested if self.tested else 0.0


def assess(
    learner: Learner,
    lessons: Lessons,
    *,
    seed: int,
    folds: int = 5,
    accept: float = 0.5,
    progress: Callable[[int, int], None] | None = None,
    budget: float = 30.0,
    clock: Callable[[], float] = time.process_time,
) -> Quality:
    """Train a critic on all lessons and one for each fold, and tell how well the held-back examples were judged.

    `progress` is told how many trainings of how many are done. If they would together take more than `budget` seconds
    of processor time, fewer folds are made, at least two; apart from that, lessons and seed alone decide the outcome.
    """
    taught = distinct(lessons)
    started = clock()
    critic = learner.fit(taught.lessons, seed=seed)
    made = _affordable(folds, clock() - started, budget) if _can_be_tried(taught.lessons) else 0
    steps = iter(range(1, made + 2))

    def done() -> None:
        step = next(steps)
        if progress is not None:
            progress(step, made + 1)

    done()
    trial = hold_back(
        learner,
        taught.lessons,
        groups=_by_site(taught, made),
        classes=critic.classes,
        folds=made,
        seed=seed,
        done=done,
    )
    return _report(critic, taught, trial, accept=accept, folds_wanted=folds)


def _by_site(taught: Distinct, folds: int) -> list[int]:
    """Let pages of one site be held back together where a topic has examples of several: who knows a site by its template
    only is seen to fail. Twins stay together in any case.
    """
    sites: dict[str, set[str]] = {}
    for example in taught.lessons.examples:
        sites.setdefault(example.topic, set()).add(example.page.site)
    keys = [
        f"{example.topic} {example.page.site}" if example.page.site and len(sites[example.topic]) >= folds else group
        for example, group in zip(taught.lessons.examples, taught.groups, strict=True)
    ]
    numbers = {key: number for number, key in enumerate(dict.fromkeys(keys))}
    return [numbers[key] for key in keys]


def _affordable(folds: int, seconds: float, budget: float) -> int:
    """Return how many trainings, each at most as long as the first, fit into what it has left of the budget."""
    return max(2, int(min(folds, (budget - seconds) / seconds))) if seconds > 0 else folds


def _can_be_tried(lessons: Lessons) -> bool:
    """Tell whether there are two classes to be told apart, one of which at least can lose a page and still be taught."""
    sizes = Counter(example.topic for example in lessons.examples)
    sizes[OTHERS] += len(lessons.others)
    return sum(size > 0 for size in sizes.values()) > 1 and max(sizes.values()) > 1


def _report(critic: Critic, taught: Distinct, trial: Trial, *, accept: float, folds_wanted: int) -> Quality:
    topics = taught.lessons.topics
    truth = [_class_of(example.topic, critic.classes, topics) for example in trial.held]
    right = np.array([true == said for true, said in zip(truth, trial.said, strict=True)], dtype=np.bool_)
    there = np.array([topics.is_good(example.topic) for example in trial.held], dtype=np.bool_)
    relevance = trial.probabilities[:, [topics.is_good(each) for each in trial.classes]].sum(axis=1)
    best_accept = best_threshold(there, relevance) if there.any() else accept
    return Quality(
        topics=_topics(critic, taught.lessons, trial, truth),
        relevance=count(there, relevance >= accept, relevance),
        accept=accept,
        best=count(there, relevance >= best_accept, relevance),
        best_accept=best_accept if there.any() else None,
        tested=len(truth),
        near=sum(one.topic != OTHERS and not topics.is_good(one.topic) for one in trial.held),
        right=int(right.sum()),
        calibration_error=calibration_error(trial.sureness, right) if truth else None,
        confusions=_confusions(trial, truth, topics),
        misplaced=_misplaced(trial, truth),
        thin=_thin(taught.lessons, trial),
        twins=taught.twins,
        empty=taught.empty,
        folds=trial.folds,
        folds_wanted=folds_wanted,
    )


def _class_of(topic: str, classes: Sequence[str], topics: Topics) -> str:
    """Return the class that a page of this topic ought to be put into.

    It is the topic itself, unless the critic is a black box that knows only one good class and the rest.
    """
    known = [path for path in (*ancestors(topic), topic) if path in classes]
    if known or not topics.is_good(topic):
        return known[-1] if known else OTHERS
    return next((each for each in classes if topics.is_good(each)), OTHERS)


def _topics(critic: Critic, lessons: Lessons, trial: Trial, truth: Sequence[str]) -> tuple[TopicQuality, ...]:
    nodes = nodes_over(critic.classes)
    there, called = holding(truth, nodes), holding(trial.said, nodes)
    scores = trial.probabilities @ holding(trial.classes, nodes)
    taught = [_class_of(example.topic, critic.classes, lessons.topics) for example in lessons.examples]
    sizes = holding([*taught, *[OTHERS] * len(lessons.others)], nodes).sum(axis=0)
    return tuple(
        TopicQuality(
            path=node,
            good=lessons.topics.is_good(node),
            examples=int(sizes[place]),
            hits=count(there[:, place], called[:, place], scores[:, place]),
            telling=critic.telling(node) if node != OTHERS else (),
        )
        for place, node in enumerate(nodes)
    )


def _confusions(trial: Trial, truth: Sequence[str], topics: Topics) -> tuple[Confusion, ...]:
    """Return what happened more than once, first what would let a page in or keep it out, and then by how often."""
    sizes = Counter(truth)
    pairs = Counter(pair for pair in zip(truth, trial.said, strict=True) if pair[0] != pair[1])
    found = [
        Confusion(
            topic=true,
            taken_for=said,
            times=times,
            of=sizes[true],
            matters=topics.is_good(true) != topics.is_good(said),
        )
        for (true, said), times in pairs.items()
        if times > 1
    ]
    return tuple(sorted(found, key=lambda pair: (not pair.matters, -pair.times, pair.of, pair.topic, pair.taken_for)))


def _misplaced(trial: Trial, truth: Sequence[str]) -> tuple[Misplaced, ...]:
    found = [
        Misplaced(topic=example.topic, name=example.name, looks_like=said, probability=float(sure))
        for example, true, said, sure in zip(trial.held, truth, trial.said, trial.sureness, strict=True)
        if example.topic != OTHERS and true != said and sure > _SURE
    ]
    return tuple(sorted(found, key=lambda example: (-example.probability, example.name)))


def _thin(lessons: Lessons, trial: Trial) -> tuple[Thin, ...]:
    """Return topics with some, but few examples of their own, and those at the end of a branch without any; good first."""
    sizes = Counter(example.topic for example in lessons.examples)
    found = [
        Thin(
            topic=path,
            good=lessons.topics.is_good(path),
            examples=sizes[path],
            wanted=ENOUGH - sizes[path],
            like=_typical(path, lessons, trial),
        )
        for path in lessons.topics.nodes
        if sizes[path] < ENOUGH and (sizes[path] or not lessons.topics.children(path))
    ]
    return tuple(sorted(found, key=lambda thin: (not thin.good, thin.examples)))


def _typical(topic: str, lessons: Lessons, trial: Trial, *, most: int = 2) -> tuple[str, ...]:
    """Return the names of the examples that were most surely recognised unseen; if none was held back, any."""
    if topic in trial.classes:
        sure = trial.probabilities[:, trial.classes.index(topic)]
        order = [trial.held[place] for place in np.argsort(-sure, kind="stable") if trial.held[place].topic == topic]
    else:
        order = []
    names = [example.name for example in order or lessons.examples if example.topic == topic]
    return tuple(names[:most])
