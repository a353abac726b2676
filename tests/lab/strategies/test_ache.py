"""Links with "wren" in them lead to birds, those with "list" to pages that link to birds: that is what there is to be
learnt.
"""

import pytest

from scenthound.lab.strategies.ache import Ache
from scenthound.lab.strategies.link_matrix import LinkWords
from scenthound.types import Link, Reading
from tests.lab.strategies.small_pages import briefing, seen


def _link(url: str, text: str) -> Link:
    return Link(url=f"http://a.test/{url}", text=text, first_leaf=0, last_leaf=0)


def _taught(strategy: Ache, rounds: int = 12) -> dict[str, float]:
    """Show hubs with links to birds, to lists of birds and to rocks, and then what these lead to."""
    said: dict[str, float] = {}
    for n in range(rounds):
        links = [_link(f"b{n}", "wren"), _link(f"l{n}", "list"), _link(f"r{n}", "granite")]
        said |= strategy.see(seen(f"http://a.test/hub{n}", links, relevance=0.3))
        said |= strategy.see(seen(f"http://a.test/l{n}", [_link(f"b{n}", "wren")], relevance=0.2))
        said |= strategy.see(seen(f"http://a.test/b{n}", [_link(f"stone{n}", "granite")], relevance=0.9))
        said |= strategy.see(
            seen(f"http://a.test/r{n}", [_link(f"w{n}", "wren"), _link(f"m{n}", "list")], relevance=0.1)
        )
    return said


def test_before_the_first_training_the_relevance_of_the_citing_page_counts() -> None:
    said = _taught(Ache(briefing(), every=1_000))
    assert (said["http://a.test/stone0"], said["http://a.test/w0"], said["http://a.test/b0"]) == (0.9, 0.1, 0.3)


def test_waiting_links_are_scored_again_level_by_level() -> None:
    said = _taught(Ache(briefing(), every=48))
    bird, listing, stone = (said[f"http://a.test/{name}0"] for name in ("w", "m", "stone"))
    assert bird > 3 / 4 > listing > 2 / 4  # leads to a bird; leads to a page that does
    assert stone < 1 / 4  # leads away


def test_new_links_are_read_in_the_light_of_what_was_learnt() -> None:
    strategy = Ache(briefing(), every=48)
    _taught(strategy)
    said = strategy.see(seen("http://a.test/new", [_link("x", "Wrens!"), _link("y", "granite")], relevance=0.0))
    assert said["http://a.test/x"] > 3 / 4
    assert said["http://a.test/y"] < 1 / 4


def test_of_several_links_to_a_url_the_best_counts() -> None:
    strategy = Ache(briefing(), every=48)
    _taught(strategy)
    best = strategy.see(seen("http://a.test/one", [_link("x", "wren")]))["http://a.test/x"]
    assert strategy.see(seen("http://a.test/two", [_link("x", "granite")]))["http://a.test/x"] == best


def test_nothing_followed_is_nothing_learnt() -> None:
    strategy = Ache(briefing(), every=1)
    assert strategy.see(seen("http://a.test/", [_link("x", "wren")], relevance=0.7)) == {"http://a.test/x": 0.7}


def test_the_same_word_is_another_in_anchor_surroundings_and_url() -> None:
    words = LinkWords(reach=1, most=5)
    leaves = ("gulls", "and the gulls", "gull")
    words.add(
        [Link(url="http://gulls/", text="gulls", first_leaf=0, last_leaf=0)], Reading(leaves=leaves, language="en")
    )
    words.add([Link(url="http://b/", text="gull", first_leaf=2, last_leaf=2)], Reading(leaves=leaves, language="en"))
    assert words.rows().toarray().tolist() == [[1, 1, 1], [1, 1, 0]]  # stop words and single letters are none
    assert words.rows(1).toarray().tolist() == [[1, 1, 0]]


@pytest.mark.parametrize("sample", [10, 1_000])
def test_the_seed_decides_which_links_are_drawn(sample: int) -> None:
    one, again, other = (_taught(Ache(briefing(seed=seed), every=48, sample=sample)) for seed in (1, 1, 2))
    assert one == again
    assert (one == other) == (sample == 1_000)  # all are drawn, or some
