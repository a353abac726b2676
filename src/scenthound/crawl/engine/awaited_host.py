"""For which host a choosy crawl leaves others alone, as the crawl and those who look at it both see it."""

from dataclasses import replace
from typing import Final

from scenthound.crawl.order.note import order_of
from scenthound.frontier.orders import APPRENTICE
from scenthound.store.base import Store
from scenthound.types import Awaited

CHOOSY: Final = "choosy"  # the note that says how choosy the crawl is
COUNTED: Final = 1000  # skipped hosts, at most
_BY_PROMISE: Final = (APPRENTICE, "best-first", "best-first-max")


def awaiting(store: Store, *, now: float) -> Awaited | None:
    """Return the host waited for, with how many others could be asked; None where nothing is held back."""
    choosy, order = float(store.note(CHOOSY) or 0.0), (order_of(store) or "").partition(" ")[0]
    if not choosy or order not in _BY_PROMISE:
        return None
    held = store.held_back(now=now, choosy=choosy, most=COUNTED)
    hope = store.awaited(now=now) if held.hosts else None
    return replace(hope, held=held.hosts) if hope is not None and hope.due > now else None
