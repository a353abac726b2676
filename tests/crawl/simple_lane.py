"""A lane with an order that stays as it is and no archive, for tests that play a crawl by hand."""

from scenthound.clock import Clock
from scenthound.crawl.critic.at_work import CriticAtWork
from scenthound.crawl.engine.exchange_archive import UnarchivedExchanges
from scenthound.crawl.engine.lane import Lane
from scenthound.crawl.engine.steps import Rulebook
from scenthound.crawl.order.fixed import FixedOrder
from scenthound.crawl.order.frontier_order import FrontierOrder
from scenthound.store.base import Store


def simple_lane(book: Rulebook, *, store: Store, clock: Clock, critic: CriticAtWork) -> Lane:
    """Return a lane that judges with a critic and follows the order of a rulebook."""
    in_force = FixedOrder(book, store=store, clock=clock, critic=critic)
    order = FrontierOrder(in_force, store=store, clock=clock, critic=critic)
    return Lane(
        store=store,
        exchanges=UnarchivedExchanges(store),
        clock=clock,
        owner="me",
        critic=critic,
        order=order,
        hooks=(critic, order),
    )
