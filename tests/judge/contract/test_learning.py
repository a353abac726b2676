"""What every learner promises, whatever the lessons look like."""

from dataclasses import replace
from time import process_time

import numpy as np
import pytest

from scenthound.errors import TopicsError
from scenthound.judge.critic import Example, Learner, Lessons, Page
from scenthound.judge.models.bayes import BayesLearner
from scenthound.judge.relevance import judgements
from scenthound.taxonomy import OTHERS, Topic, Topics
from tests.judge.small_pages import SAYINGS, examples, lessons, page

CYCLING, GOLF, MUSIC, PAINTING = "Sport/Cycling", "Sport/Golf", "Arts/Music", "Arts/Painting"


def fresh(topic: str, count: int = 20) -> list[Page]:
    """Pages of a topic that nobody was taught with."""
    return [page(topic, number) for number in range(1000, 1000 + count)]


def found(learner: Learner, taught: Lessons, pages: list[Page]) -> list[str]:
    critic = learner.fit(taught, seed=1)
    return [one.topic for one in judgements(critic.judge(pages), critic.classes, taught.topics)]


def test_topics_with_words_of_their_own_are_learnt(learner: Learner) -> None:
    taught = lessons(*(one for topic in SAYINGS if topic for one in examples(topic, 10)), others=20)
    critic = learner.fit(taught, seed=1)
    assert set(critic.classes) == set(SAYINGS)
    for topic in SAYINGS:
        rows = critic.judge(fresh(topic))
        right = [critic.classes[best] == topic for best in rows.argmax(axis=1)]
        assert np.mean(right) >= 0.9, topic
        assert rows[:, critic.classes.index(topic)].mean() > 0.6, topic


def test_a_single_class_has_all_the_probability(learner: Learner) -> None:
    critic = learner.fit(lessons(*examples(CYCLING, 5)), seed=1)
    assert critic.classes == (CYCLING,)
    assert critic.judge([*fresh(GOLF, 2), Page()]).tolist() == [[1.0]] * 3


@pytest.mark.slow
def test_one_topic_against_others(learner: Learner) -> None:
    critic = learner.fit(lessons(*examples(CYCLING, 8), others=30), seed=1)
    assert critic.classes == (CYCLING, OTHERS)
    assert critic.judge(fresh(CYCLING))[:, 0].mean() > 0.6
    assert critic.judge(fresh(OTHERS))[:, 0].mean() < 0.3


def test_a_topic_with_one_example_is_a_class_too(learner: Learner) -> None:
    taught = lessons(*examples(CYCLING, 1), *examples(GOLF, 8), *examples(MUSIC, 8), others=8)
    critic = learner.fit(taught, seed=1)
    cycling = critic.classes.index(CYCLING)
    assert critic.judge(fresh(CYCLING))[:, cycling].mean() > critic.judge(fresh(GOLF))[:, cycling].mean()


def test_one_example_of_each_is_enough_to_begin(learner: Learner) -> None:
    taught = lessons(*examples(CYCLING, 1), *examples(GOLF, 1))
    rows = learner.fit(taught, seed=1).judge([*fresh(CYCLING, 10), *fresh(GOLF, 10)])
    assert rows[:10, 0].mean() > rows[10:, 0].mean()


@pytest.mark.slow
def test_a_small_topic_is_not_swallowed_by_a_large_one(learner: Learner) -> None:
    taught = lessons(*examples(CYCLING, 6), others=120)
    critic = learner.fit(taught, seed=1)
    assert np.mean(critic.judge(fresh(CYCLING))[:, 0] > critic.judge(fresh(OTHERS))[:, 0].max()) >= 0.9


@pytest.mark.slow
def test_an_inner_topic_with_examples_means_here_and_none_below(learner: Learner) -> None:
    here = [replace(one, topic="Sport") for one in examples(PAINTING, 8)]
    taught = lessons(*examples(CYCLING, 8), *examples(GOLF, 8), *here, *examples(MUSIC, 8), others=8)
    assert found(learner, taught, fresh(PAINTING)).count("Sport") >= 16
    assert found(learner, taught, fresh(CYCLING)).count(CYCLING) >= 16


@pytest.mark.slow
def test_a_tree_three_deep(learner: Learner) -> None:
    deep = {"World/Sport/Cycling": CYCLING, "World/Sport/Golf": GOLF, "World/Arts": MUSIC, "Home": PAINTING}
    taught = lessons(
        *(replace(one, topic=path) for path, topic in deep.items() for one in examples(topic, 8)),
        good=("World/Sport",),
        others=8,
    )
    critic = learner.fit(taught, seed=1)
    assert set(critic.classes) == {*deep, OTHERS}
    for path, topic in deep.items():
        judged = judgements(critic.judge(fresh(topic)), critic.classes, taught.topics)
        assert sum(one.topic == path for one in judged) >= 16, path
        relevance = np.mean([one.relevance for one in judged])
        assert relevance > 0.6 if path.startswith("World/Sport/") else relevance < 0.4, path


@pytest.mark.slow
def test_topics_without_examples_are_no_classes(learner: Learner) -> None:
    taught = lessons(*examples(CYCLING, 4), *examples(GOLF, 4), others=4)
    bare = replace(taught, topics=Topics(topics=(*taught.topics.topics, Topic(path="Empty/Deep"))))
    assert learner.fit(bare, seed=1).classes == learner.fit(taught, seed=1).classes


def test_no_example_at_all_is_said(learner: Learner) -> None:
    with pytest.raises(TopicsError, match="add examples"):
        learner.fit(lessons(), seed=1)


@pytest.mark.slow
def test_an_example_without_words_does_no_harm(learner: Learner) -> None:
    blank = Example(topic=CYCLING, name="blank.html", page=Page(url="http://blank.test/"))
    taught = lessons(*examples(CYCLING, 8), blank, *examples(GOLF, 8), others=8)
    assert found(learner, taught, fresh(CYCLING)).count(CYCLING) >= 16


def test_examples_without_any_words_at_all_still_make_a_critic(learner: Learner) -> None:
    blank = tuple(
        Example(topic=topic, name=f"{topic}{number}", page=Page()) for topic in (CYCLING, GOLF) for number in range(3)
    )
    rows = learner.fit(lessons(*blank), seed=1).judge([Page(), page(CYCLING, 1)])
    assert rows.sum(axis=1) == pytest.approx(1.0)


@pytest.mark.slow
def test_what_was_learnt_before_changes_nothing(learner: Learner) -> None:
    before = learner.fit(lessons(*examples(CYCLING, 6), *examples(GOLF, 6), *examples(MUSIC, 6), others=6), seed=1)
    more = lessons(*examples(CYCLING, 6), *examples(GOLF, 6), *examples(MUSIC, 6), *examples(PAINTING, 6), others=6)
    pages = [page(topic, number) for topic in SAYINGS for number in range(60, 64)]
    fresh, after = learner.fit(more, seed=1), learner.fit(more, seed=1, before=before)
    assert after.classes == fresh.classes
    assert np.array_equal(after.judge(pages), fresh.judge(pages))
    assert np.array_equal(learner.fit(more, seed=1, before=fresh).judge(pages), fresh.judge(pages))


@pytest.mark.slow
def test_a_critic_of_another_kind_as_before_is_of_no_use_and_no_harm(learner: Learner) -> None:
    taught = lessons(*examples(CYCLING, 4), *examples(GOLF, 4), others=4)
    other = BayesLearner(features=7, text="all").fit(taught)
    pages = fresh(CYCLING, 3)
    assert np.array_equal(
        learner.fit(taught, seed=1, before=other).judge(pages), learner.fit(taught, seed=1).judge(pages)
    )


@pytest.mark.slow
def test_renaming_a_topic_changes_names_only(learner: Learner) -> None:
    taught = lessons(*examples(CYCLING, 5), *examples(GOLF, 5), *examples(MUSIC, 5), others=5)
    new = {CYCLING: "Sport/Bikes", GOLF: GOLF, MUSIC: MUSIC}
    renamed = Lessons(
        topics=Topics(topics=tuple(replace(topic, path=new[topic.path]) for topic in taught.topics.topics)),
        examples=tuple(replace(one, topic=new[one.topic]) for one in taught.examples),
        others=taught.others,
    )
    old_critic, new_critic = learner.fit(taught, seed=1), learner.fit(renamed, seed=1)
    assert new_critic.classes == tuple(new.get(path, path) for path in old_critic.classes)
    assert np.array_equal(new_critic.judge(fresh(CYCLING)), old_critic.judge(fresh(CYCLING)))


@pytest.mark.slow
def test_judging_is_no_bottleneck(learner: Learner) -> None:
    critic = learner.fit(lessons(*examples(CYCLING, 8), *examples(GOLF, 8), others=16), seed=1)
    pages = fresh(CYCLING, 300)
    critic.judge(pages[:2])
    start = process_time()
    critic.judge(pages)
    assert (process_time() - start) / len(pages) < 0.005, "ten times slower than any critic should be on a busy machine"
