"""The note in the store about the frontier's order: its name, what its priorities depend on, and whether it still
holds.

breadth; critic 3        apprentice scent links=500000 sample=0.01 seed=0        best-first; reconsidered
tries,-relevance,server_load; critic 1        -expected scent links=500000 sample=0 seed=0; critic 1
"""

from collections.abc import Callable
from typing import Final

from scenthound.frontier.orders import APPRENTICE, BestFirst, Order, order_by_name
from scenthound.settings.order_columns import is_combination
from scenthound.store.base import Store

ORDERED: Final = "order"  # the key of the note
UNFINISHED: Final = ""  # its value while the frontier is moved
RANDOM: Final = "random"


def order_of(store: Store) -> str | None:
    """Return the order that the frontier has; an empty text while it is changed, None if it was never noted."""
    noted = store.note(ORDERED)
    return None if noted is None else order_in(noted)


def order_in(noted: str) -> str:
    """Return what a note says of the order itself.

    >>> order_in("random 7; critic 3")
    'random 7'
    """
    return noted.partition(";")[0]


def note_reconsidered(store: Store) -> None:
    """Note that URLs are back with old priorities, so that the frontier is put in order again."""
    noted = store.note(ORDERED)
    if noted:
        store.note(ORDERED, f"{order_in(noted)}; reconsidered")


def in_columns(store: Store) -> bool:
    """Tell whether the frontier has an order of columns."""
    return is_combination((order_of(store) or "").partition(" ")[0])


def former(noted: str, *, may_run: Callable[[str], bool] = lambda _function: False) -> Order:
    """Return the order that a frontier has, by its note; best-first if there is no such order.

    The note lies in the database, which may come from anyone: `may_run` decides whether a function that it names is
    loaded.

    >>> from scenthound.types import Link
    >>> former("breadth; critic 3").priority(Link(url="http://a.test/"), 2, 0.7), former("").by_promise
    (-2.0, True)
    """
    name, _, detail = order_in(noted).partition(" ")
    if ":" in name and not may_run(name):
        return BestFirst()
    try:
        order = order_by_name(name, seed=int(detail) if name == RANDOM else 0)
    except Exception:  # of a module of the user's that is gone, or broken by now, or of no order at all
        return BestFirst()
    return BestFirst() if name == APPRENTICE else order
