"""The expected quality of a critic, measured before the crawl: examples are held out in turn and judged unseen.

It reports the cross-validated quality of each topic and of relevance (R, the sum over good topics: FOCUS §3.1), the
confusions, and the examples that are too few, repeated or perhaps misplaced. `quality_text` puts it into words.
"""

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from scenthound.judge.canonical.topic_places import holding, nodes_over
from scenthound.judge.critic import Critic, Learner, Lessons, Telling
from scenthound.judge.distinct import Distinct, Twin, distinct
from scenthound.judge.models.temperature import calibration_error
from scenthound.judge.quality.hits import Hits, best_threshold, count
from scenthound.judge.quality.trial import Trial, hold_back
from scenthound.taxonomy import OTHERS, Topics, ancestors

# Examples at which a topic's judgements become steady. Naive Bayes on 20 topics of the schools web, five draws of
# examples: F1 varied from draw to draw with a standard deviation of .19 for 2 examples, .14 for 3, .09 for 8, .06 for
# 12.
ENOUGH: Final = 8
_SURE: Final = 0.8  # a held-out example with more than this for another topic is perhaps misplaced


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicQuality:
    """How well the critic separates pages of a topic (or below) from all others; `hits` is None if untested."""

    path: str
    good: bool
    examples: int
    hits: Hits | None
    telling: tuple[Telling, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Confusion:
    """Of `of` held-out pages of a topic, so many were taken for another. `matters` if one is good and the other not."""

    topic: str
    taken_for: str
    times: int
    of: int
    matters: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Misplaced:
    """An example that looks like another topic's when judged unseen."""

    topic: str
    name: str
    looks_like: str
    probability: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Thin:
    """A topic with too few examples, and the names of its most typical ones.

    One `by_words` has none, only words.
    """

    topic: str
    good: bool
    examples: int
    wanted: int
    like: tuple[str, ...]
    by_words: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Quality:
    """The expected quality of a critic trained on these lessons.

    `relevance` is how well it separates pages of good topics from the rest at the threshold `accept`; None if this was
    not tested. `best` is the same at `best_accept`, the best threshold for these very pages. `calibration_error` is the
    mean gap between the critic's confidence and its accuracy. Precision depends on the mix of pages: here the examples
    and pages without a topic.
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
    by_words: bool = False  # whether no good page was tested that the user has named

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
    """Train a critic on all lessons and one for each fold, and measure how well it judges the held-out examples.

    `progress` gets the number of finished trainings and their total. If they would together take more than `budget`
    seconds of processor time, there are fewer folds, at least two. Apart from that, lessons and seed alone decide the
    result.
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
    """Hold out pages of one site together if a topic has examples of several sites.

    This exposes a critic that knows a site only by its template. Twins stay together in any case.
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
    """Return how many trainings, each as long as the first, fit into the rest of the budget."""
    return max(2, int(min(folds, (budget - seconds) / seconds))) if seconds > 0 else folds


def _can_be_tried(lessons: Lessons) -> bool:
    """Tell whether there are two classes to separate, at least one of which can spare a page."""
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
        misplaced=_find_misplaced(trial, truth),
        thin=_thin(taught.lessons, trial),
        twins=taught.twins,
        empty=taught.empty,
        folds=trial.folds,
        folds_wanted=folds_wanted,
        by_words=bool(there.any()) and all(one.assumed for one in trial.held if topics.is_good(one.topic)),
    )


def _class_of(topic: str, classes: Sequence[str], topics: Topics) -> str:
    """Return the right class for a page of this topic.

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
    """Return repeated confusions: first those that would let a page in or keep it out, then by count."""
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


def _find_misplaced(trial: Trial, truth: Sequence[str]) -> tuple[Misplaced, ...]:
    found = [
        Misplaced(topic=example.topic, name=example.name, looks_like=said, probability=float(sure))
        for example, true, said, sure in zip(trial.held, truth, trial.said, trial.sureness, strict=True)
        if example.topic != OTHERS and true != said and sure > _SURE
    ]
    return tuple(sorted(found, key=lambda example: (-example.probability, example.name)))


def _thin(lessons: Lessons, trial: Trial) -> tuple[Thin, ...]:
    """Return topics with few examples of the user's, and leaves without any; good ones first."""
    sizes = Counter(example.topic for example in lessons.examples if not example.assumed)
    in_words = {example.topic for example in lessons.examples if example.assumed}
    found = [
        Thin(
            topic=path,
            good=lessons.topics.is_good(path),
            examples=sizes[path],
            wanted=ENOUGH - sizes[path],
            like=_typical(path, lessons, trial),
            by_words=not sizes[path] and path in in_words,
        )
        for path in lessons.topics.nodes
        if sizes[path] < ENOUGH and (sizes[path] or path in in_words or not lessons.topics.children(path))
    ]
    return tuple(sorted(found, key=lambda thin: (not thin.good, thin.examples)))


def _typical(topic: str, lessons: Lessons, trial: Trial, *, most: int = 2) -> tuple[str, ...]:
    """Return the names of the examples recognised most surely unseen; if none was held out, any."""
    if topic in trial.classes:
        sure = trial.probabilities[:, trial.classes.index(topic)]
        order = [trial.held[place] for place in np.argsort(-sure, kind="stable") if trial.held[place].topic == topic]
    else:
        order = []
    names = [one.name for one in order or lessons.examples if one.topic == topic and not one.assumed]
    return tuple(names[:most])
