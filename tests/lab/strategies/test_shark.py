import pytest

from scenthound.lab.strategies.shark import Shark
from scenthound.lab.strategies.strategy import Briefing
from scenthound.types import Link
from tests.lab.strategies.small_pages import Vocabulary, briefing, seen

WORDS = {"wren": 0.9, "nest": 0.4}
LEAVES = ("the", "wren", "", "sits", "elsewhere", "on its nest")
WREN = Link(url="wren", text="wren", first_leaf=1, last_leaf=1)
MORE = Link(url="more", text="elsewhere", first_leaf=4, last_leaf=4)


def test_potential_is_inherited_and_read() -> None:
    said = Shark(briefing(WORDS), reach=1).see(seen("a", [WREN, MORE], relevance=0.8, leaves=LEAVES))
    assert said == {
        # γ · δ · .8 + (1 - γ) · (β · .9 + (1 - β) · 1), the anchor being relevant
        "wren": pytest.approx(0.5 * 0.5 * 0.8 + 0.5 * (0.8 * 0.9 + 0.2 * 1.0)),
        # the anchor says nothing, but "nest" stands beside it
        "more": pytest.approx(0.5 * 0.5 * 0.8 + 0.5 * (0.8 * 0.0 + 0.2 * 0.4)),
    }


def test_a_page_off_topic_hands_down_what_it_inherited_itself() -> None:
    strategy = Shark(briefing(), gamma=1.0)
    assert strategy.see(seen("a", ["b"], relevance=0.8)) == {"b": pytest.approx(0.4)}
    assert strategy.see(seen("b", ["c"], relevance=0.1)) == {"c": pytest.approx(0.2)}
    assert strategy.see(seen("c", ["d"], relevance=0.1)) == {"d": pytest.approx(0.1)}
    assert strategy.see(seen("d", ["e"], relevance=0.6)) == {"e": pytest.approx(0.3)}


def test_words_farther_away_are_not_read() -> None:
    page = seen("a", [MORE], leaves=LEAVES)
    read = [Shark(briefing(WORDS), gamma=0.0, beta=0.0, reach=reach).see(page)["more"] for reach in (1, 3)]
    assert read == pytest.approx([0.4, 0.9])


def test_of_several_citing_pages_the_best_counts() -> None:
    strategy = Shark(briefing())
    first = strategy.see(seen("a", ["x"], relevance=0.9))["x"]
    assert strategy.see(seen("b", ["x"], relevance=0.6)) == {"x": first}


def test_the_critic_is_asked_once_a_page() -> None:
    critic = Vocabulary(words=WORDS)
    strategy = Shark(Briefing(seed=1, words=critic))
    strategy.see(seen("a", [WREN, MORE], leaves=LEAVES))
    strategy.see(seen("b", []))
    assert critic.asked == 1
