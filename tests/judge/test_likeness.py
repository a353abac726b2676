"""Looking around: pages near the examples that resemble them, and pages that say the same."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.judge.critic import Page
from scenthound.judge.distinct import SAME, jaccard, sayings, twins
from scenthound.judge.likeness import alike
from scenthound.judge.models.bayes import BayesLearner
from tests.judge.small_pages import SAYINGS, examples, lessons, page, spoken_page
from tests.often import often

CYCLING, GOLF, MUSIC, PAINTING, NOTHING = SAYINGS


def test_pages_like_the_examples_come_first_before_any_counter_example_exists() -> None:
    found = alike(pages(CYCLING, 5), mixed(), topic=CYCLING)
    assert {likeness.page.url for likeness in found[:4]} == {near.url for near in pages(CYCLING, 4, first=100)}
    assert all(likeness.probability is None for likeness in found)
    assert [likeness.likeness for likeness in found] == sorted((each.likeness for each in found), reverse=True)


def test_the_reason_is_what_a_page_shares_with_the_examples() -> None:
    [found] = alike(
        [spoken_page("http://otters.test/", "Otters eat fish and live in a holt by the river.")],
        [spoken_page("http://river.test/", "Where the river bends, otters sleep in their holt."), page(MUSIC, 1)],
        topic="Otters",
    )
    assert found.page.url == "http://river.test/"
    assert found.nearest == "http://otters.test/"
    assert set(found.shared) == {"otter", "holt", "river"}


def test_what_the_whole_neighbourhood_says_is_no_reason() -> None:
    """Every page says the same dozen common words, so these are shared with all and speak for none."""
    best = alike(pages(CYCLING, 5), mixed(), topic=CYCLING)[0]
    assert set(best.shared) <= set(spoken_page("", SAYINGS[CYCLING]).terms.terms)


def test_a_critic_has_its_say() -> None:
    """A page of golf that speaks of cycling too is like the examples; the critic knows golf and is not taken in."""
    half = spoken_page("http://half.test/", f"{SAYINGS[GOLF]} {SAYINGS[GOLF]} {SAYINGS[CYCLING]}")
    near = [half, spoken_page("http://short.test/", "Mind your saddle and helmet: lunch is at noon, dinner at eight.")]
    critic = BayesLearner().fit(lessons(*examples(CYCLING, 10), *examples(GOLF, 10)), seed=0)
    assert alike(pages(CYCLING, 5), near, topic=CYCLING)[0].page is half
    judged = alike(pages(CYCLING, 5), near, topic=CYCLING, critic=critic)
    mine = judged[1]
    assert mine.page is half
    assert mine.probability is not None
    assert mine.probability < 0.2
    assert mine.likeness == pytest.approx((mine.cosine + mine.probability) / 2)


@pytest.mark.slow
def test_a_critic_that_knows_the_topics_below_is_asked_for_them_together() -> None:
    critic = BayesLearner().fit(lessons(*examples(CYCLING, 9), *examples(GOLF, 9), *examples(MUSIC, 9)), seed=0)
    found = alike([*pages(CYCLING, 3), *pages(GOLF, 3)], mixed(), topic="Sport", critic=critic)
    assert {likeness.page.url.rpartition("/")[0] for likeness in found[:8]} == {
        "http://sport/cycling.test",
        "http://sport/golf.test",
    }
    assert all(likeness.probability is not None and likeness.probability > 0.9 for likeness in found[:8])


def test_a_critic_that_does_not_know_the_topic_is_not_asked() -> None:
    critic = BayesLearner().fit(lessons(*examples(GOLF, 5), *examples(MUSIC, 5)), seed=0)
    assert alike(pages(CYCLING, 5), mixed(), topic=CYCLING, critic=critic)[0].probability is None


def test_examples_and_what_says_the_same_are_left_out() -> None:
    known = pages(CYCLING, 5)
    fresh = page(CYCLING, 100)
    mirrors = [
        Page(url="http://mirror.test/known", terms=known[2].terms),
        Page(url="http://mirror.test/fresh", terms=fresh.terms),
    ]
    found = alike(known, [known[0], mirrors[0], fresh, mirrors[1]], topic=CYCLING)
    assert [likeness.page.url for likeness in found] == [fresh.url]


def test_pages_without_words_in_common_are_not_alike() -> None:
    strangers = [Page(url="http://blank.test/"), spoken_page("http://far.test/", "nothing whatsoever resembles")]
    assert alike([spoken_page("http://near.test/", SAYINGS[CYCLING])], strangers, topic=CYCLING) == ()
    assert alike([], strangers, topic=CYCLING) == ()
    assert alike(pages(CYCLING, 2), [], topic=CYCLING) == ()


def test_no_more_are_returned_than_asked_for() -> None:
    assert len(alike(pages(CYCLING, 5), mixed(), topic=CYCLING, most=3)) == 3


def test_a_page_with_a_few_words_changed_is_a_twin_and_another_page_is_not() -> None:
    words = " ".join(SAYINGS.values()).split()
    changed = ["replaced", *words[1:]]
    assert twins([spoken_page("", " ".join(words)), spoken_page("", " ".join(changed)), page(MUSIC, 1)]) == (0, 0, 2)


@often(50)
@given(st.integers(0, 10**6), st.integers(2, 12))
def test_twins_are_those_that_comparing_every_pair_finds(seed: int, count: int) -> None:
    """Pages are written by changing a few words of others, so that many pairs lie near the border."""
    rng = random.Random(seed)
    texts = [rng.choices("abcdefghijklmnopqrstuvwxyz", k=40)]
    while len(texts) < count:
        text = list(rng.choice(texts))
        for _ in range(rng.randint(0, 4)):
            text[rng.randrange(len(text))] = rng.choice("abcdefghijklmnopqrstuvwxyz")
        texts.append(text)
    written = [spoken_page(str(n), " ".join(f"w{letter}x" for letter in text)) for n, text in enumerate(texts)]
    assert twins(written) == every_pair(written)


def every_pair(written: list[Page]) -> tuple[int, ...]:
    said = [sayings(page.terms) for page in written]
    firsts: list[int] = []
    for place, its in enumerate(said):
        earlier = (n for n in range(place) if firsts[n] == n and jaccard(said[n], its) >= SAME)
        firsts.append(next(earlier, place))
    return tuple(firsts)


def pages(topic: str, count: int, *, first: int = 0) -> list[Page]:
    return [page(topic, number) for number in range(first, first + count)]


def mixed() -> list[Page]:
    """Return four pages of each topic, in turn, as a neighbourhood might have them."""
    return [page(topic, 100 + number) for number in range(4) for topic in SAYINGS]
