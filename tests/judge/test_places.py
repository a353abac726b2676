"""Where an interest belongs: pages in, topics to be marked good out."""

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.judge.canonical.topic_places import place_words, places
from scenthound.judge.critic import Critic, Page
from scenthound.judge.models.bayes import BayesLearner
from tests.judge.small_pages import SAYINGS, examples, lessons, page

CYCLING, GOLF, MUSIC, PAINTING, NOTHING = SAYINGS


@pytest.mark.slow
def test_pages_of_one_topic_belong_there_and_not_above() -> None:
    found = places(critic(), pages(CYCLING, 5))
    assert (found[0].path, found[0].holds, found[0].of, found[0].mark) == (CYCLING, 5, 5, True)
    assert [place.path for place in found[1:]] == ["Sport"]
    assert not found[1].mark
    assert found[0].probability > 0.8
    assert place_words(found)[0].startswith("Sport/Cycling: 5 of 5 pages fall here, with a probability of ")
    assert place_words(found)[0].endswith("Mark it good.")
    assert "Mark it instead of what is proposed below it if you want more" in place_words(found)[1]


def test_pages_spread_over_the_topics_below_belong_above_them() -> None:
    found = places(critic(), [*pages(CYCLING, 3), *pages(GOLF, 3)])
    assert [place.path for place in found if place.mark] == ["Sport"]
    assert found[0].share == 1.0
    assert "Mark it instead of the topic above if you want less" in place_words(found)[1]


def test_two_interests_are_two_places() -> None:
    found = places(critic(), [*pages(CYCLING, 6), *pages(MUSIC, 4)])
    assert [(place.path, place.holds) for place in found if place.mark] == [(CYCLING, 6), (MUSIC, 4)]


def test_a_stray_page_is_shown_and_not_proposed() -> None:
    found = places(critic(), [*pages(CYCLING, 9), *pages(MUSIC, 1)])
    assert [place.path for place in found if place.mark] == [CYCLING]
    [stray] = [place for place in found if place.path == MUSIC]
    assert stray.urls == (page(MUSIC, 100).url,)
    assert place_words([stray, found[0]])[0].endswith("Mark it too if you want such pages.")


def test_pages_of_no_topic_need_a_topic_of_their_own() -> None:
    found = places(critic(), pages(NOTHING, 4))
    assert not any(place.mark for place in found)
    assert found[0].path == ""
    assert place_words(found)[0].startswith("No topic: 4 of 4 pages fall here.")
    assert "give them a topic of their own" in place_words(found)[-1]


def test_pages_without_text_are_left_out() -> None:
    blank = Page(url="http://blank.test/")
    assert places(critic(), [blank]) == ()
    assert places(critic(), [blank, *pages(GOLF, 2)])[0].of == 2


def test_no_more_places_are_shown_than_asked_for() -> None:
    assert len(places(critic(), [page(topic, 100) for topic in SAYINGS], most=2)) == 2


@given(st.lists(st.tuples(st.sampled_from(list(SAYINGS)), st.integers(100, 103)), min_size=1, max_size=12))
def test_no_proposed_topic_stands_above_another(asked: list[tuple[str, int]]) -> None:
    """Good topics never stand above one another, whatever the pages; and the best-filled topic comes first."""
    found = places(critic(), [page(topic, number) for topic, number in asked], most=20)
    marked = [place.path for place in found if place.mark]
    assert not any(one.startswith(other + "/") for one in marked for other in marked)
    assert all(place.share == len(place.urls) / len(asked) for place in found)
    assert [place.mark for place in found] == sorted((place.mark for place in found), reverse=True)


@cache
def critic() -> Critic:
    taught = [example for topic in (CYCLING, GOLF, MUSIC, PAINTING) for example in examples(topic, 10)]
    return BayesLearner().fit(lessons(*taught, others=10), seed=0)


def pages(topic: str, count: int) -> list[Page]:
    """Write pages that the critic has not seen."""
    return [page(topic, 100 + number) for number in range(count)]
