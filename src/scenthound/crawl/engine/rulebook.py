"""Making the rules of one crawl from its settings, for a live crawl and for the lab alike."""

from scenthound.crawl.engine.steps import Rulebook
from scenthound.frontier.bounds import Bounds, Fence
from scenthound.frontier.orders import order_by_name
from scenthound.frontier.traps import Traps
from scenthound.settings.schema import Settings
from scenthound.store.base import Store


def rulebook_of(settings: Settings, store: Store, *, only: Fence | None) -> Rulebook:
    """Return the rules; with `only`, nothing is followed that it does not match."""
    return Rulebook(
        settings=settings,
        order=order_by_name(settings.crawl.order, seed=settings.crawl.seed),
        bounds=Bounds(
            locked=settings.fetch.locked,
            only=only,
            max_url=settings.fetch.max_url,
            max_host=settings.fetch.max_host,
        ),
        traps=Traps(store.shape_yields),
    )
