import pytest

from scenthound.lab.strategies.best_n_first import BestNFirst
from scenthound.lab.strategies.strategy import Seen
from tests.lab.strategies.small_pages import Leaf, Web, briefing, crawl, made_up_web, seen


def test_the_best_n_are_fetched_before_anything_that_they_bring() -> None:
    web = Web(
        pages={
            "seed": Leaf(links=("a", "b", "c"), relevance=0.6),
            "a": Leaf(links=("great",), relevance=0.9),
            "b": Leaf(),
            "c": Leaf(),
            "great": Leaf(relevance=1.0),
        }
    )
    assert crawl(web, BestNFirst(briefing(), n=2), ["seed"]) == ["a", "b", "great", "c"]
    assert crawl(web, BestNFirst(briefing(), n=1), ["seed"]) == ["a", "great", "b", "c"]
    assert crawl(web, BestNFirst(briefing(), n=3), ["seed"]) == ["a", "b", "c", "great"]


def test_a_url_is_as_good_as_the_best_page_that_cites_it() -> None:
    strategy = BestNFirst(briefing(), n=1)
    strategy.see(seen("s", ["first", "x"], relevance=0.5, example=True))
    said = strategy.see(seen("t", ["x"], relevance=0.7, example=True))
    assert said == {"first": 0.5, "x": 2.0}  # the one chosen before is given back


def test_those_chosen_stand_above_all_scores_in_the_order_of_theirs() -> None:
    strategy = BestNFirst(briefing(), n=2)
    assert strategy.see(seen("s", ["x", "y", "z"], relevance=1.0)) == {"x": 3.0, "y": 2.0, "z": 1.0}


def test_nobody_waits_for_a_url_that_gives_no_page() -> None:
    web = Web(
        pages={
            "seed": Leaf(links=("dead", "a", "b", "c"), relevance=0.6),
            "a": Leaf(links=("great",), relevance=0.9),
            "b": Leaf(),
            "c": Leaf(),
            "great": Leaf(links=("greater",), relevance=1.0),
            "greater": Leaf(),
        }
    )
    # The first two are "dead" and "a"; with "a" they are done, and the next two are "great" and "b".
    assert crawl(web, BestNFirst(briefing(), n=2), ["seed"]) == ["a", "great", "b", "greater", "c"]


def test_a_batch_of_dead_links_does_not_end_the_crawl() -> None:
    web = Web(pages={"seed": Leaf(links=("dead", "gone", "a", "b")), "a": Leaf(links=("x",)), "b": Leaf(), "x": Leaf()})
    assert crawl(web, BestNFirst(briefing(), n=2), ["seed"]) == ["a", "b", "x"]


@pytest.mark.parametrize("seed", range(5))
def test_one_at_a_time_is_best_first(seed: int) -> None:
    web = made_up_web(seed)

    class BestFirst:
        def __init__(self) -> None:
            self.best: dict[str, float] = {}

        def see(self, page: Seen) -> dict[str, float]:
            self.best |= {link.url: max(page.relevance, self.best.get(link.url, 0.0)) for link in page.links}
            return {link.url: self.best[link.url] for link in page.links}

    assert crawl(web, BestNFirst(briefing(), n=1), ["rock-1"]) == crawl(web, BestFirst(), ["rock-1"])
