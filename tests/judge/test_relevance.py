"""From probabilities to relevance, most likely topic and the two focus rules (FOCUS §3.1)."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.judge.relevance import judgements, path_probabilities
from scenthound.taxonomy import OTHERS, Topic, Topics

CLASSES = ("Sport/Cycling", "Sport/Cycling/Touring", "Sport", "Arts", OTHERS)
TOPICS = Topics(
    topics=(Topic(path="Sport/Cycling", good=True), Topic(path="Sport/Cycling/Touring"), Topic(path="Arts"))
)
ROWS = st.lists(st.floats(0.01, 1), min_size=5, max_size=5).map(lambda row: np.array([row]) / np.sum(row))


@given(rows=ROWS)
def test_relevance_is_the_probability_of_a_good_topic_or_one_below(rows: np.ndarray) -> None:
    [judged] = judgements(rows, CLASSES, TOPICS)
    assert judged.relevance == pytest.approx(rows[0, 0] + rows[0, 1])
    assert judged.topic == CLASSES[rows[0].argmax()]
    assert TOPICS.is_good(judged.topic) == judged.topic.startswith("Sport/Cycling")


def test_a_page_may_be_relevant_in_sum_and_yet_of_another_class() -> None:
    """Why the soft rule does not stagnate: two good halves outweigh the best single class."""
    [judged] = judgements(np.array([[0.3, 0.3, 0.0, 0.4, 0.0]]), CLASSES, TOPICS)
    assert judged.relevance == pytest.approx(0.6)
    assert judged.topic == "Arts"
    assert not TOPICS.is_good(judged.topic)


def test_without_good_topics_nothing_is_relevant() -> None:
    [judged] = judgements(np.array([[0.2] * 5]), CLASSES, Topics(topics=(Topic(path="Sport"),)))
    assert judged.relevance == 0.0


def test_no_pages_no_judgements() -> None:
    assert judgements(np.zeros((0, 5)), CLASSES, TOPICS) == []


@given(rows=ROWS)
def test_a_node_has_the_sum_of_all_below(rows: np.ndarray) -> None:
    found = path_probabilities(rows[0], CLASSES)
    assert found["Sport"] == pytest.approx(rows[0, :3].sum())
    assert found["Sport/Cycling"] == pytest.approx(rows[0, :2].sum())
    assert found["Sport"] + found["Arts"] + found[OTHERS] == pytest.approx(1.0)
    assert list(found)[:3] == ["Sport", "Sport/Cycling", "Sport/Cycling/Touring"], "parents before children"


@given(rows=ROWS)
def test_the_topics_told_are_the_likeliest_first(rows: np.ndarray) -> None:
    [judged] = judgements(rows, CLASSES, TOPICS)
    chances = [rows[0, CLASSES.index(path)] for path in judged.topics]
    assert judged.topics[0] == judged.topic
    assert chances == sorted(chances, reverse=True)
    assert len(chances) == min(3, max(1, int((rows[0] > 1 / 5).sum())))


def test_of_two_topics_one_is_told() -> None:
    both = Topics(topics=(Topic(path="Sport", good=True), Topic(path="Arts")))
    rows = np.array([[0.6, 0.4], [0.5, 0.5]])
    assert [judged.topics for judged in judgements(rows, ("Sport", "Arts"), both)] == [("Sport",), ("Sport",)]


def test_leads_count_for_the_order_of_the_crawl_and_not_for_relevance() -> None:
    rows = np.array([[0.1, 0.1, 0.4, 0.2, 0.2]])
    [plain] = judgements(rows, CLASSES, TOPICS, lead_weight=0.5)
    assert (plain.with_leads, plain.worth) == (None, plain.relevance)
    wider = Topics(topics=(*TOPICS.topics, Topic(path="Sport", lead=True)))
    [judged] = judgements(rows, CLASSES, wider, lead_weight=0.5)
    assert judged.relevance == plain.relevance == pytest.approx(0.2)
    assert judged.worth == pytest.approx(0.2 + 0.5 * 0.4)
