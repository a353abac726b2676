"""Before a crawl: what held-back examples tell about the critic to come, and what the user can do about it."""

import json
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from scenthound.errors import TopicsError
from scenthound.judge.critic import Critic, Example, Lessons, Page
from scenthound.judge.critic_kinds import learner_of
from scenthound.judge.models.bayes import BayesLearner
from scenthound.judge.models.foreign import CallableLearner
from scenthound.judge.quality.hits import average_precision, best_threshold
from scenthound.judge.quality.quality import Quality, TopicQuality, assess
from scenthound.judge.quality.quality_text import as_json, words
from scenthound.judge.quality.trial import deal
from scenthound.settings.schema import CriticSettings
from tests.judge.small_pages import examples, lessons, page

pytestmark = pytest.mark.slow

CYCLING, GOLF, MUSIC, PAINTING = "Sport/Cycling", "Sport/Golf", "Arts/Music", "Arts/Painting"


def test_topics_with_words_of_their_own_will_go_well() -> None:
    quality = tried(*examples(CYCLING, 10), *examples(GOLF, 10), *examples(MUSIC, 10))
    assert quality.relevance is not None
    assert (quality.relevance.there, quality.relevance.right, quality.tested) == (10, 10, 30)
    assert not quality.confusions
    assert not quality.misplaced
    assert not quality.thin
    assert said(quality, "How well").startswith("Well: of 10 pages that it calls on topic, all are;")


def test_a_topic_is_told_by_its_own_words() -> None:
    quality = tried(*examples(CYCLING, 10), *examples(MUSIC, 10))
    terms = [telling.term for telling in of(quality, CYCLING).telling]
    assert {"bicycl", "saddl", "pedal"} & set(terms)
    assert not {"violin", "peopl"} & set(terms)
    assert terms[0] in said(quality, "What you look for")


def test_pages_of_no_topic_take_part() -> None:
    quality = tried(*examples(CYCLING, 10), others=20)
    assert quality.tested == 30
    assert of(quality, "").examples == 20
    assert quality.relevance is not None
    assert quality.relevance.there == 10


def test_an_inner_topic_holds_what_is_below_it() -> None:
    quality = tried(*examples(CYCLING, 6), *examples(GOLF, 6), *examples(MUSIC, 6))
    sport = of(quality, "Sport")
    assert sport.examples == 12
    assert sport.hits is not None
    assert (sport.hits.there, sport.hits.right) == (12, 12)


def test_topics_with_the_same_words_are_confused_and_it_matters() -> None:
    alike = [replace(example, topic="Sport/Touring") for example in examples(CYCLING, 10, first=10)]
    quality = tried(*examples(CYCLING, 10), *alike, *examples(GOLF, 10))
    pairs = {(pair.topic, pair.taken_for): pair for pair in quality.confusions}
    assert {("Sport/Touring", CYCLING), (CYCLING, "Sport/Touring")} & set(pairs)
    assert all(pair.matters and pair.of == 10 and pair.times > 1 for pair in pairs.values())
    first = quality.confusions[0]
    assert f"Of 10 examples of {first.topic}, {first.times} were taken for {first.taken_for}." in said(
        quality, "Confusions"
    )


def test_an_example_under_the_wrong_topic_is_named() -> None:
    lost = Example(topic=CYCLING, name="http://lost.test/", page=page(MUSIC, 99))
    quality = tried(*examples(CYCLING, 10), lost, *examples(MUSIC, 10))
    [misplaced] = quality.misplaced
    assert (misplaced.name, misplaced.topic, misplaced.looks_like) == ("http://lost.test/", CYCLING, MUSIC)
    assert misplaced.probability > 0.8
    assert "http://lost.test/ is an example of Sport/Cycling; judged unseen it looks like Arts/Music" in said(
        quality, "Perhaps under"
    )


def test_an_example_that_repeats_another_is_counted_once() -> None:
    copy = Example(topic=CYCLING, name="http://mirror.test/", page=page(CYCLING, 3))
    quality = tried(*examples(CYCLING, 9), copy, *examples(MUSIC, 9))
    assert of(quality, CYCLING).examples == 9
    assert quality.tested == 18
    assert [(twin.name, twin.same_as) for twin in quality.twins] == [("http://mirror.test/", page(CYCLING, 3).url)]
    assert "it counts once" in said(quality, "Repeated examples")


def test_one_page_under_two_topics_is_a_contradiction() -> None:
    both = Example(topic=MUSIC, name=page(CYCLING, 3).url, page=page(CYCLING, 3))
    quality = tried(*examples(CYCLING, 9), both, *examples(MUSIC, 9))
    assert of(quality, MUSIC).examples == 10
    assert "is an example of both Sport/Cycling and Arts/Music: keep it in one of them" in said(
        quality, "Repeated examples"
    )


def test_a_page_under_two_topics_is_held_back_from_both_at_once() -> None:
    """Otherwise the critic would be asked about a page that it has been told about."""
    shared = [Example(topic=MUSIC, name=page(CYCLING, n).url, page=page(CYCLING, n)) for n in range(5)]
    noting = Noting()
    assess(noting, lessons(*examples(CYCLING, 9), *shared, *examples(MUSIC, 9)), seed=1)
    for taught in noting.taught[1:]:
        times = Counter(example.name for example in taught.examples)
        assert all(times[example.name] in (0, 2) for example in shared)


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 9)), max_size=30), st.integers(2, 5))
def test_twins_are_held_back_together_so_that_none_is_known_when_asked(
    pairs: list[tuple[str, int]], folds: int
) -> None:
    dealt = deal([topic for topic, _ in pairs], [group for _, group in pairs], folds=folds, seed=0)
    folds_of_group: dict[int, set[int | None]] = {}
    for (_, group), fold in zip(pairs, dealt, strict=True):
        folds_of_group.setdefault(group, set()).add(fold)
    assert all(len(folds) == 1 for folds in folds_of_group.values())


def test_a_topic_with_few_examples_is_named_with_what_to_add() -> None:
    quality = tried(*examples(CYCLING, 3), *examples(MUSIC, 10))
    [thin] = quality.thin
    assert (thin.topic, thin.examples, thin.wanted) == (CYCLING, 3, 5)
    assert thin.like[0] in {example.name for example in examples(CYCLING, 3)}
    assert "Sport/Cycling has 3 examples; with fewer than 8 its judgements vary: add 5 or more like http" in said(
        quality, "Too few"
    )


def test_one_example_cannot_be_tried_but_does_not_stop_the_rest() -> None:
    quality = tried(*examples(CYCLING, 1), *examples(MUSIC, 10), *examples(GOLF, 10))
    assert of(quality, CYCLING).hits is None
    assert quality.relevance is None
    assert quality.tested == 20
    assert "not tested" in said(quality, "What you look for")
    assert "mark one as good, with at least two examples" in said(quality, "How well")


def test_a_good_topic_without_examples_is_named() -> None:
    quality = assess(BayesLearner(), lessons(*examples(MUSIC, 9), *examples(GOLF, 9), good=(CYCLING,)), seed=0)
    assert [(thin.topic, thin.examples) for thin in quality.thin] == [(CYCLING, 0)]
    assert "Sport/Cycling has no examples, so no page will be put there" in said(quality, "Too few")


def test_what_stands_for_words_is_not_called_an_example() -> None:
    """The pages of the tree, and the words themselves, have names that mean nothing to the user."""
    said_in_words = [replace(example, assumed=True) for example in examples(CYCLING, 5)]
    quality = tried(*said_in_words, others=30)
    assert quality.by_words
    assert "of 10 pages that stand for your words that it has not seen" in said(quality, "How well")
    assert "Sport/Cycling, 5 pages that stand for its words: " in said(quality, "What you look for")
    assert [(thin.examples, thin.like, thin.by_words) for thin in quality.thin] == [(0, (), True)]
    assert said(quality, "Too few").startswith("Sport/Cycling has words and no example: crawl a little")
    assert not tried(*said_in_words, *examples(CYCLING, 3, first=5), others=30).by_words


def test_with_one_topic_and_nothing_else_nothing_can_be_said() -> None:
    quality = tried(*examples(CYCLING, 10))
    assert (quality.tested, quality.folds, quality.relevance, quality.calibration_error) == (0, 0, None, None)
    assert "there is nothing to compare it with" in said(quality, "How well")


def test_one_example_for_each_topic_is_too_little_to_try() -> None:
    quality = tried(*examples(CYCLING, 1), *examples(GOLF, 1))
    assert "no topic has two different examples" in said(quality, "How well")


def test_an_example_without_text_is_left_out_and_named() -> None:
    blank = Example(topic=CYCLING, name="http://blank.test/", page=Page(url="http://blank.test/"))
    quality = tried(*examples(CYCLING, 8), blank, *examples(MUSIC, 8))
    assert quality.empty == ("http://blank.test/",)
    assert of(quality, CYCLING).examples == 8
    with pytest.raises(TopicsError, match="add pages"):
        tried(blank)


def test_a_better_threshold_is_proposed() -> None:
    taught = [*examples(CYCLING, 10), *examples(MUSIC, 10)]
    quality = assess(BayesLearner(), lessons(*taught), seed=0, accept=0.0)
    assert quality.relevance is not None
    assert quality.best is not None
    assert quality.best.f1 == 1.0
    assert quality.relevance.f1 < 0.9
    assert f"With crawl.accept = {quality.best_accept:.2f} instead of 0 it would go better" in said(quality, "How well")


def test_the_same_seed_gives_the_same_report() -> None:
    taught = lessons(*examples(CYCLING, 9), *examples(GOLF, 9), *examples(MUSIC, 4), others=7)
    assert assess(BayesLearner(), taught, seed=5) == assess(BayesLearner(), taught, seed=5)


def test_trainings_are_told_as_they_are_done() -> None:
    told: list[tuple[int, int]] = []
    taught = lessons(*examples(CYCLING, 6), *examples(MUSIC, 6))
    assess(BayesLearner(), taught, seed=0, folds=3, progress=lambda done, total: told.append((done, total)))
    assert told == [(1, 4), (2, 4), (3, 4), (4, 4)]


@pytest.mark.parametrize(("seconds", "folds"), [(1.0, 5), (5.0, 5), (9.0, 2), (100.0, 2)])
def test_a_slow_learner_is_tried_in_fewer_rounds(seconds: float, folds: int) -> None:
    """The whole stays near half a minute: the first training, then as many as fit."""
    moments = iter([0.0, seconds])
    taught = lessons(*examples(CYCLING, 6), *examples(MUSIC, 6))
    quality = assess(BayesLearner(), taught, seed=0, clock=lambda: next(moments))
    assert quality.folds == folds
    assert ("instead of 5, to save time" in said(quality, "How well")) == (folds < 5)


@pytest.mark.parametrize("kind", ["logistic", "bayes", "svm", "LinearSVC"])
def test_every_kind_of_critic_can_be_tried(kind: str) -> None:
    taught = lessons(*examples(CYCLING, 8), *examples(GOLF, 8), *examples(MUSIC, 8), others=8)
    quality = assess(learner_of(CriticSettings(kind=kind)), taught, seed=0, folds=2)
    assert quality.tested == 32
    assert quality.accuracy > 0.9
    assert quality.relevance is not None
    assert quality.relevance.average_precision > 0.9


def test_a_black_box_knows_only_what_is_good_and_the_rest() -> None:
    """This one finds those who say "pedal", and nobody else."""
    learner = CallableLearner(function=lambda page: 0.9 if "pedal" in page.terms.terms else 0.1)
    taught = lessons(*examples(CYCLING, 10), *examples(GOLF, 3), *examples(MUSIC, 7), good=(CYCLING, GOLF))
    quality = assess(learner, taught, seed=0)
    with_pedal = sum("pedal" in example.page.terms.terms for example in examples(CYCLING, 10))
    assert quality.relevance is not None
    assert (quality.relevance.there, quality.relevance.called) == (13, with_pedal)
    assert quality.relevance.precision == 1.0
    assert [topic.path for topic in quality.topics] == ["Sport", CYCLING, ""]
    assert of(quality, "").examples == 7


def test_a_report_fits_a_terminal_of_100_columns() -> None:
    lost = Example(topic=CYCLING, name="http://lost.test/" + "long/" * 12, page=page(MUSIC, 99))
    quality = tried(*examples(CYCLING, 3), lost, *examples(GOLF, 5), *examples(MUSIC, 5), others=5)
    assert max(len(line) for line in words(quality)) <= 100


def test_a_long_report_shows_the_first_lines_and_counts_the_rest() -> None:
    taught = [replace(example, topic=f"T{n}") for n in range(20) for example in examples(MUSIC, 1, first=n)]
    lines = words(assess(BayesLearner(), lessons(*taught, *examples(CYCLING, 9)), seed=0))
    assert "  … and 8 more." in lines


def test_the_report_for_programs_is_plain_json_with_stable_keys() -> None:
    report = as_json(tried(*examples(CYCLING, 4), *examples(MUSIC, 4)))
    assert json.loads(json.dumps(report)) == report
    assert sorted(report) == KEYS
    assert sorted(report["relevance"]) == ["average_precision", "called", "f1", "precision", "recall", "right", "there"]
    assert sorted(report["topics"][0]) == ["examples", "good", "hits", "path", "telling"]


KEYS = [
    "accept",
    "accuracy",
    "best",
    "best_accept",
    "by_words",
    "calibration_error",
    "confusions",
    "empty",
    "folds",
    "folds_wanted",
    "misplaced",
    "near",
    "relevance",
    "right",
    "tested",
    "thin",
    "topics",
    "twins",
]


@given(st.lists(st.sampled_from("abcd"), min_size=1, max_size=60), st.integers(2, 6), st.integers(0, 9))
def test_every_class_is_spread_evenly_and_is_never_wholly_held_back(topics: list[str], folds: int, seed: int) -> None:
    dealt = deal(topics, range(len(topics)), folds=folds, seed=seed)
    for topic, size in Counter(topics).items():
        parts = [sum(t == topic and d == fold for t, d in zip(topics, dealt, strict=True)) for fold in range(folds)]
        assert sum(parts) == (size if size > 1 else 0)
        assert max(parts) - min(parts) <= 1
        assert max(parts) < size


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 5)), min_size=2, max_size=30))
def test_average_precision_and_threshold_agree_with_the_plain_way(pairs: list[tuple[bool, int]]) -> None:
    there = np.array([true for true, _ in pairs])
    scores = np.array([score / 5 for _, score in pairs])
    if there.any():
        precisions = [there[scores >= score].mean() for score in scores[there]]
        assert average_precision(there, scores) == pytest.approx(np.mean(precisions))
        best = max(f1(there, scores >= threshold) for threshold in scores)
        assert f1(there, scores >= best_threshold(there, scores)) == pytest.approx(best)


def f1(there: NDArray[np.bool_], called: NDArray[np.bool_]) -> float:
    return float(2 * (there & called).sum() / (there.sum() + called.sum()))


class Noting:
    """Naive Bayes that notes what it was taught."""

    def __init__(self) -> None:
        self.taught: list[Lessons] = []

    def fit(self, lessons: Lessons, *, seed: int, before: Critic | None = None) -> Critic:
        self.taught.append(lessons)
        return BayesLearner().fit(lessons, seed=seed, before=before)


def tried(*taught: Example, others: int = 0) -> Quality:
    return assess(BayesLearner(), lessons(*taught, others=others), seed=0)


def of(quality: Quality, path: str) -> TopicQuality:
    [topic] = [topic for topic in quality.topics if topic.path == path]
    return topic


def said(quality: Quality, title: str) -> str:
    """Return what the report says under a title, without its line breaks."""
    sections = "\n".join(words(quality)).split("\n\n")
    [section] = [section for section in sections if section.startswith(title)]
    return " ".join(section.partition("\n")[2].split())


def test_one_topic_alone_is_never_said_to_go_well() -> None:
    """Nothing is known of what is near: only pages of no topic stand against the examples."""
    quality = tried(*examples(CYCLING, 10), others=30)
    assert quality.near == 0
    assert "is unknown: no example shows what is near and not wanted" in said(quality, "How well")


def test_examples_of_several_sites_are_held_back_site_by_site() -> None:
    """A critic that knows sites by what they repeat, and not by their topic, is asked about a site that it has not
    seen.
    """
    known = [
        replace(one, page=replace(one.page, url=f"http://site{number % 6}.test/{number}"))
        for number, one in enumerate(examples(CYCLING, 18))
    ]
    taught = list[list[str]]()

    class Watched:
        def fit(self, lessons: Lessons, *, seed: int, before: Critic | None = None) -> Critic:
            taught.append([one.page.site for one in lessons.examples if one.topic == CYCLING])
            return BayesLearner().fit(lessons, seed=seed)

    assess(Watched(), lessons(*known, *examples(GOLF, 18)), seed=1)
    whole, *folds = taught
    sizes = Counter(whole)
    assert len(folds) == 5
    assert all(Counter(sites)[site] in (0, size) for sites in folds for site, size in sizes.items())
