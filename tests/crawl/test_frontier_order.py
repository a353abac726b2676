"""One order sets the priorities of a crawl: its parts return numbers, and the order makes them count."""

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest

import scenthound
from bench.house import priority_setters
from scenthound.clock import VirtualClock
from scenthound.crawl.critic.at_work import NoCritic
from scenthound.crawl.engine.hooks import Batch
from scenthound.crawl.engine.rulebook import rulebook_of
from scenthound.crawl.hubs.distillation import NO_HUBS, Hubs
from scenthound.crawl.order.fixed import FixedOrder
from scenthound.crawl.order.frontier_order import FrontierOrder
from scenthound.crawl.order.priority_moves import Change, HubScores, Numbers, Promises, move_in_pieces, move_waiting
from scenthound.frontier.guide import UNGUIDED, Guide
from scenthound.frontier.orders import Order
from scenthound.frontier.shares import DomainShares
from scenthound.settings.schema import Settings
from scenthound.store.base import Store
from scenthound.store.indexed.store import IndexedStore
from scenthound.types import Claim, Distillation, Guidance, Outcome, PageScore, Reason, Standing
from tests.store.small_world import back, claim, found, page, put

PAGE, OLD, NEW = "http://a.test/", "http://b.test/old", "http://b.test/new"


class Critic(NoCritic):
    """A critic that is ready, and whose version the test sets."""

    learns = ready = True
    version = 1


class Says:
    """A guide that gives fixed advice."""

    def __init__(self, said: Guidance, *, revised: Sequence[Mapping[str, float]] = ()) -> None:
        self.said = said
        self.revised = revised

    def advise(self, outcomes: Sequence[Outcome]) -> list[Guidance]:
        return [self.said] * len(outcomes)

    def hear(self, found: Distillation) -> Mapping[str, float] | None:
        return {}

    def revise(self, store: Store) -> Iterator[Mapping[str, float]]:
        yield from self.revised


class Raising:
    """Hubs that have raised some URLs, and raise another after the next turn."""

    def __init__(self, raised: Mapping[str, float]) -> None:
        self.raised = raised
        self.reordered: list[bool] = []

    def note_recorded(self, outcomes: Sequence[Outcome]) -> None:
        pass

    def follow(self, guide: Guide, order: Order, *, reordered: bool) -> Iterator[Change]:
        self.reordered.append(reordered)
        yield Numbers(priorities=self.raised)


def order_of(
    store: Store,
    *,
    guide: Guide = UNGUIDED,
    hubs: Hubs = NO_HUBS,
    shares: DomainShares | None = None,
    critic: NoCritic | None = None,
) -> FrontierOrder:
    book, clock, critic = rulebook_of(Settings(), store, only=None), VirtualClock(), critic or NoCritic()
    in_force = FixedOrder(book, store=store, clock=clock, critic=critic, guide=guide)
    return FrontierOrder(in_force, store=store, clock=clock, critic=critic, hubs=hubs, shares=shares)


def taken(store: Store, url: str = PAGE) -> Claim:
    store.add([found(url, 9.0)], now=0.0)
    [one] = claim(store, now=1.0, limit=1)
    return one


def waiting(store: Store) -> dict[str, float]:
    return {one.url: one.priority for one in store.waiting(limit=99)}


def test_a_crawl_without_guide_and_hubs_keeps_the_first_numbers() -> None:
    with IndexedStore() as store:
        outcome = page(taken(store), at=1.0, links=[found(NEW, 0.5)])
        [same] = order_of(store).set_priorities([outcome])
        assert same is outcome


def test_the_advice_of_a_guide_is_recorded_with_the_page() -> None:
    with IndexedStore() as store:
        first = taken(store)
        store.add([found(OLD, 0.1)], now=0.0)
        links = [found(NEW, 0.0), found("http://b.test/locked", 0.0, refusal=Reason.LOCKED)]
        said = Guidance(moves={OLD: 0.7}, links={NEW: 0.4, "http://b.test/locked": 0.4})
        [outcome] = order_of(store, guide=Says(said)).set_priorities([page(first, at=1.0, links=links)])
        assert [one.priority for one in outcome.discoveries] == [0.4, 0.0]  # a refused link keeps its number
        put(store, outcome, now=1.0)
        assert waiting(store) == {OLD: 0.7, NEW: 0.4}


def test_a_link_that_a_hub_has_raised_keeps_its_number_whoever_cites_it() -> None:
    with IndexedStore() as store:
        outcome = page(taken(store), at=1.0, links=[found(NEW, 0.1, cited=0.1), found(OLD, 0.2, cited=0.2)])
        [weighed] = order_of(store, hubs=Raising({NEW: 0.8})).set_priorities([outcome])
        assert [(one.priority, one.cited) for one in weighed.discoveries] == [(0.8, None), (0.2, 0.2)]


def test_a_new_critic_lets_the_guide_revise_and_the_hubs_raise_again() -> None:
    with IndexedStore() as store:
        store.add([found(OLD, 0.1), found(NEW, 0.1)], now=0.0)
        critic, hubs = Critic(), Raising({NEW: 0.8})
        order = order_of(store, guide=Says(Guidance(), revised=[{OLD: 0.3}, {NEW: 0.2}]), hubs=hubs, critic=critic)
        order.after_turn(Batch(rules=order))
        assert waiting(store) == {OLD: 0.1, NEW: 0.8}
        store.move({NEW: 0.1}, now=0.0)
        critic.version = 2
        order.after_turn(Batch(rules=order))
        assert waiting(store) == {OLD: 0.3, NEW: 0.8}  # the hubs come last
        order.after_turn(Batch(rules=order))
        assert hubs.reordered == [False, True, False]


def test_hubs_wait_for_the_first_critic() -> None:
    with IndexedStore() as store:
        hubs = Raising({NEW: 0.8})
        order = order_of(store, hubs=hubs)
        order.after_turn(Batch(rules=order))
        assert hubs.reordered == []


def test_a_domain_that_has_had_its_share_is_put_behind_once_unless_a_guide_sees_to_it() -> None:
    with IndexedStore() as store:
        shares = DomainShares(0.2, given=[], taken={"a.test": 90, "b.test": 20})
        first = taken(store)
        held = order_of(store, shares=shares).hold_back(first)
        assert held is not None
        assert (held.behind, held.asked) == (1, False)
        assert order_of(store, shares=shares, guide=Says(Guidance())).hold_back(first) is None
        put(store, held, now=1.0)
        [again] = claim(store, now=2.0, limit=1)
        assert (again.url, again.demoted) == (PAGE, 1)
        assert order_of(store, shares=shares).hold_back(again) is None


def test_pieces_are_moved_one_after_another() -> None:
    """A guide may note that all is told when its last piece is taken: the earlier ones must be in the store by then."""
    with IndexedStore() as store:
        store.add([found(OLD, 0.1), found(NEW, 0.1)], now=0.0)
        seen = list[dict[str, float]]()

        def pieces() -> Iterator[Mapping[str, float]]:
            yield {OLD: 0.5}
            seen.append(waiting(store))
            yield {NEW: 0.6}
            seen.append(waiting(store))

        assert move_in_pieces(store, pieces(), now=0.0) == 2
        assert seen == [{OLD: 0.5, NEW: 0.1}, {OLD: 0.5, NEW: 0.6}]


def test_the_three_changes_of_what_waits() -> None:
    with IndexedStore() as store:
        first = taken(store)
        put(store, page(first, at=1.0, links=[found(NEW, 0.2)], relevance=0.4, standing=Standing(promise=0.4)), now=1.0)
        assert move_waiting(store, Numbers(priorities={NEW: 0.9}), now=1.0) == 1
        assert waiting(store) == {NEW: 0.9}
        assert move_waiting(store, Promises(by_promise=True, blend=False, nofollow=True), now=1.0) == 1
        assert waiting(store) == {NEW: 0.4}
        hubs = (PageScore(url=PAGE, hub=1.0),)
        news = HubScores(found=Distillation(version=1, at=1.0, hubs=hubs), scores=hubs, priorities={NEW: 0.7})
        assert move_waiting(store, news, now=1.0) == 1
        assert waiting(store) == {NEW: 0.7}
        last = store.last_distillation()
        assert last is not None
        assert last.hubs == hubs


def test_a_claim_that_comes_back_under_the_same_order_has_its_number() -> None:
    with IndexedStore() as store:
        put(store, *order_of(store).set_priorities([back(taken(store), at=1.0)]), now=1.0)
        assert waiting(store) == {PAGE: pytest.approx(9.0)}


@pytest.mark.slow
def test_only_three_functions_make_a_number_count() -> None:
    """docs/explanation/priorities.md names them. A fourth belongs into one of these, or onto that page."""
    package = Path(scenthound.__file__).parent
    may = re.compile(rb"\b(priority|moves) *=|\b(move|rescore|distilled)\(")  # all that does it is written so
    texts = {file: file.read_bytes() for file in sorted(package.rglob("*.py"))}
    trees = {file: ast.parse(text) for file, text in texts.items() if may.search(text)}
    assert priority_setters(package, trees) == [
        "crawl/engine/steps.py:_weigh",
        "crawl/order/frontier_order.py:with_priorities",
        "crawl/order/priority_moves.py:move_waiting",
    ]
