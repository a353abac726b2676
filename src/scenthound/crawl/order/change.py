"""Give a whole frontier the priorities of another order, as if its URLs had been found under that order.

An order by promise follows from the pages that cite a URL, and the store works it out. The other orders give each URL a
number of its own, piece by piece. An interrupted change starts again: giving a number twice does no harm.
"""

from collections.abc import Callable, Collection, Iterator
from typing import Final

from scenthound.crawl.order.priority_moves import Numbers, Promises, move_waiting
from scenthound.frontier.orders import Combined, Given, Order
from scenthound.parse.shapes import shape_of
from scenthound.store.base import Store
from scenthound.types import Link, LinkKind, Story

PIECE: Final = 10_000  # URLs moved in one transaction
NAMED: Final = 1.0  # what is promised of an address that the user has named


def reorder(
    store: Store,
    order: Order,
    *,
    seeds: Collection[str],
    nofollow: bool,
    now: float,
    stopping: Callable[[], bool] = lambda: False,
    expected: Callable[[str], float] = lambda _url: 0.0,
) -> int | None:
    """Return how many URLs have another priority, or None if `stopping` stopped it halfway.

    `expected` returns the relevance that an apprentice expects of a URL, for orders that use it.
    """
    if isinstance(order, Combined):
        return _place(store, order, nofollow=nofollow, now=now, stopping=stopping, expected=expected)
    if not order.by_promise:
        return _number(store, order, nofollow=nofollow, now=now, stopping=stopping)
    moved = move_waiting(store, Promises(by_promise=True, blend=order.blends, nofollow=nofollow), now=now)
    named = dict.fromkeys([*seeds, *_cited_by_none(store)], NAMED)
    return moved + move_waiting(store, Numbers(priorities=named), now=now)


def priority_of(
    store: Store,
    order: Order,
    url: str,
    *,
    depth: int,
    promise: float,
    nofollow: bool,
    expected: Callable[[str], float] = lambda _url: 0.0,
) -> float:
    """Return the priority of one URL that was found under another order."""
    if order.by_promise:
        return promise
    if isinstance(order, Combined) and (places := store.bearings_of([url], nofollow=nofollow)):
        return order.number(places[0], expected(url))
    return max(order.priority(link, depth, promise) for link in _links(store, order, url, nofollow=nofollow))


def _cited_by_none(store: Store) -> Iterator[str]:
    """Yield what waits and no page promises anything of: the user has named it, perhaps long ago."""
    after = 0
    while waiting := store.waiting(after=after, limit=PIECE):
        yield from (one.url for one in waiting if one.promise is None)
        after = waiting[-1].id


def _number(store: Store, order: Order, *, nofollow: bool, now: float, stopping: Callable[[], bool]) -> int | None:
    moved = after = 0
    while waiting := store.waiting(after=after, limit=PIECE):
        if stopping():
            return None
        numbers = {
            one.url: priority_of(store, order, one.url, depth=one.depth, promise=one.promise or 0.0, nofollow=nofollow)
            for one in waiting
        }
        moved += move_waiting(store, Numbers(priorities=numbers), now=now)
        after = waiting[-1].id
    return moved


def _place(
    store: Store,
    order: Combined,
    *,
    nofollow: bool,
    now: float,
    stopping: Callable[[], bool],
    expected: Callable[[str], float],
) -> int | None:
    """Give each URL the number that its columns make."""
    moved = after = 0
    while places := store.bearings(nofollow=nofollow, after=after, limit=PIECE):
        if stopping():
            return None
        numbers = {one.url: order.number(one, expected(one.url)) for one in places}
        moved += move_waiting(store, Numbers(priorities=numbers), now=now)
        after = places[-1].id
    return moved


def _links(store: Store, order: Order, url: str, *, nofollow: bool) -> list[Link]:
    """Return the links to a URL, as far as an order looks at them: a function of the user's may read their words.

    The other orders look at the address alone. With its links, a URL of the schools web takes 100 µs and not 20.
    """
    story = store.story(url, now=0.0) if isinstance(order, Given) else None
    return (_found(story, nofollow=nofollow) if story is not None else []) or [Link(url=url)]


def _found(story: Story, *, nofollow: bool) -> list[Link]:
    shape = shape_of(story.url)
    links = [
        Link(url=story.url, kind=one.kind, text=one.text, nofollow=one.nofollow, shape=shape)
        for one in story.citations
        if not (one.nofollow and nofollow)
    ]
    seed = [Link(url=story.url, kind=LinkKind.SEED, shape=shape)] if story.found_by is LinkKind.SEED else []
    return seed + links
