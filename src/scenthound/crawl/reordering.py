"""Giving a whole frontier the priorities of another order, as if it had been found under that one.

An order by promise follows from the pages that cite a URL, which the store weighs again. The others give each URL a number of
its own, piece by piece: what is interrupted is begun again, and giving a number twice does no harm.
"""

from collections.abc import Callable, Collection, Iterator
from typing import Final

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
    """Return how many URLs have another priority; None if it stopped halfway, because somebody wants to stop.

    `expected` tells what an apprentice expects of a URL, for orders that ask for it.
    """
    if isinstance(order, Combined):
        return _place(store, order, nofollow=nofollow, now=now, stopping=stopping, expected=expected)
    if not order.by_promise:
        return _number(store, order, nofollow=nofollow, now=now, stopping=stopping)
    moved = store.rescore(by_promise=True, blend=order.blends, nofollow=nofollow, now=now)
    return moved + store.move(dict.fromkeys([*seeds, *_cited_by_none(store)], NAMED), now=now)


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
        moved += store.move(numbers, now=now)
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
        moved += store.move({one.url: order.number(one, expected(one.url)) for one in places}, now=now)
        after = places[-1].id
    return moved


def _links(store: Store, order: Order, url: str, *, nofollow: bool) -> list[Link]:
    """Return the links that lead to a URL, as far as an order looks at them: a function of the user's may read their words.

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
