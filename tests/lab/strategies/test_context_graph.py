"""A web in which lists lead to birds: the links of a list come before those of a page about rocks, once that is
learnt.
"""

from collections.abc import Mapping

import numpy as np
import pytest
from scipy.sparse import csr_array

from scenthound.lab.strategies.context_graph import ContextGraph
from scenthound.lab.strategies.layers import Bags, fit_layers
from scenthound.parse.words.page_terms import terms_of_text
from tests.lab.strategies.small_pages import briefing, seen

BIRD, LIST, ROCK = "wren robin nest", "index species checklist", "granite basalt quartz"


def _taught(strategy: ContextGraph, rounds: int = 2) -> dict[str, float]:
    """Show lists that link to birds, the birds, and rocks that link nowhere; return what was said in all."""
    said: dict[str, float] = {}
    for n in range(rounds):
        said |= strategy.see(seen(f"list{n}", [f"bird{n}", f"more{n}"], relevance=0.1, text=LIST))
        said |= strategy.see(seen(f"bird{n}", [f"next{n}"], relevance=0.9, text=BIRD))
        said |= strategy.see(seen(f"rock{n}", [f"stone{n}"], relevance=0.2, text=ROCK))
    return said


def _queue(said: Mapping[str, float], url: str, queues: int) -> int:
    return int(said[url] * queues)


def test_before_anything_is_learnt_the_relevance_of_the_citing_page_counts() -> None:
    said = _taught(ContextGraph(briefing(), every=100))
    assert (said["next0"], said["stone0"], said["more0"]) == (0.9, 0.2, 0.1)


def test_links_of_pages_near_to_relevant_ones_come_first() -> None:
    strategy = ContextGraph(briefing(), layers=2, every=6, least=2)
    said = _taught(strategy)
    # Layers 0 and 1 are known: birds, and lists that link to them. Queues are counted from the last, that of no layer.
    assert [_queue(said, url, 4) for url in ("next0", "more0")] == [3, 2]
    new = {**strategy.see(seen("list9", ["x"], text=LIST)), **strategy.see(seen("bird9", ["y"], text=BIRD))}
    assert [_queue(new, url, 4) for url in ("y", "x")] == [3, 2]


def test_a_page_of_which_no_layer_is_likely_comes_last() -> None:
    strategy = ContextGraph(briefing(), layers=2, every=6, least=2)
    _taught(strategy)
    said = strategy.see(seen("odd", ["x"], relevance=0.4, text="wren checklist"))  # a word of either
    assert said == {"x": pytest.approx(0.4 / 4)}


def test_too_few_pages_of_a_layer_teach_nothing() -> None:
    strategy = ContextGraph(briefing(), layers=2, every=6, least=3)
    assert _taught(strategy)["next0"] == 0.9


def test_the_best_citing_page_counts() -> None:
    strategy = ContextGraph(briefing(), layers=2, every=6, least=2)
    _taught(strategy)
    best = strategy.see(seen("bird9", ["x"], text=BIRD))["x"]
    assert strategy.see(seen("list9", ["x"], text=LIST))["x"] == best


def test_only_the_strongest_terms_of_a_page_are_kept() -> None:
    bags = Bags(most=1)
    bags.add(terms_of_text("wren wren wren nest nest song", language="en"))
    bags.add(terms_of_text("wren wren wren wren song song reed", language="en"))  # a word of all pages says nothing
    assert bags.matrix().toarray().tolist() == [[3, 0, 0, 0], [0, 0, 0, 1]]


def test_odds_by_hand() -> None:
    learnt = fit_layers(csr_array(np.array([[3.0, 0.0], [0.0, 1.0]])), np.array([0, 1]), [0, 1])
    # P(term 0 | layer) is 4/5 and 1/3: twice that word gives odds of (12/5)², and their inverse for the other layer.
    odds = learnt.log_odds(csr_array(np.array([[2.0, 0.0, 7.0]])))
    assert np.exp(odds[0]) == pytest.approx([(12 / 5) ** 2, (5 / 12) ** 2])
