"""The simple orders of a frontier: each gives a link a number, and the greatest number is fetched first.

An order sees the link, the depth at which it was found, and what the page that it stands on promises (`focus`). It has
no state of its own, so that a resumed crawl continues with the numbers that an uninterrupted one would have given.
"""

from collections.abc import Callable
from hashlib import blake2b
from typing import Protocol

from scenthound.errors import SettingError
from scenthound.own_code import imported
from scenthound.parse.urls import domain_of, host_of
from scenthound.settings.order_columns import Combination, fault, is_combination, parsed
from scenthound.settings.sections.crawl_section import ORDERS
from scenthound.types import Bearings, Link, LinkKind

APPRENTICE = "apprentice"

_GIVEN = frozenset({LinkKind.SEED, LinkKind.REDIRECT, LinkKind.BACKWARD})


class Order(Protocol):
    @property
    def by_promise(self) -> bool:
        """Whether priorities are promises, so that they change when pages are judged again."""
        ...

    @property
    def blends(self) -> bool:
        """Whether all pages that cite a URL have their say, and not only the one that promises most."""
        ...

    def priority(self, link: Link, depth: int, promise: float) -> float: ...


class BestFirst:
    """Links of the most relevant pages first (FOCUS §3.3).

    With `blends`, half of a URL's priority is the mean relevance of all pages that cite it: a page that all sites cite,
    such as a licence, falls behind. Without, the best page alone counts, as in the papers.
    """

    by_promise = True

    def __init__(self, *, blends: bool = True) -> None:
        self.blends = blends

    def priority(self, link: Link, depth: int, promise: float) -> float:
        return promise


class Guided:
    """The apprentice's expectation of a URL. Before it has one, only URLs that the user gave have a priority."""

    by_promise = True
    blends = False

    def priority(self, link: Link, depth: int, promise: float) -> float:
        return promise if link.kind in _GIVEN else 0.0


class Breadth:
    """Fewest steps from the seeds first, and among these the one found first."""

    by_promise = False
    blends = False

    def priority(self, link: Link, depth: int, promise: float) -> float:
        return -float(depth)


class Depth:
    """Most steps from the seeds first."""

    by_promise = False
    blends = False

    def priority(self, link: Link, depth: int, promise: float) -> float:
        return float(depth)


class Near:
    """Near the examples first, and there the links of the most relevant pages; all the rest far behind (BINGO §2.6).

    The paper goes depth-first there. On the schools web that found archetypes of which .60 and .67 were right, and this
    order .89 (by a script that was not kept). All that is near has nearly the same number, so that a host
    that rests keeps no other one waiting (`crawl.choosy`).

    >>> order = Near(frozenset({"a.test"}), depth=4)
    >>> [order.priority(Link(url=url), 2, 0.5) for url in ("http://www.a.test/", "http://b.test/")]
    [1.005, 0.005]
    """

    by_promise = False
    blends = False

    def __init__(self, domains: frozenset[str], *, depth: int) -> None:
        self._domains = domains
        self._depth = depth

    def priority(self, link: Link, depth: int, promise: float) -> float:
        near = depth <= self._depth and domain_of(host_of(link.url)) in self._domains
        return promise / 100 + near


class Random:
    """A number drawn for each URL from the crawl's seed: the same crawl twice draws the same.

    >>> order = Random(seed=1)
    >>> link = Link(url="http://a.test/")
    >>> order.priority(link, 0, 0.5) == Random(seed=1).priority(link, 5, 0.9)
    True
    """

    by_promise = False
    blends = False

    def __init__(self, seed: int) -> None:
        self._salt = b"order:%d:" % seed

    def priority(self, link: Link, depth: int, promise: float) -> float:
        digest = blake2b(self._salt + link.url.encode(), digest_size=8).digest()
        return int.from_bytes(digest) / 2**64


class Combined:
    """Columns compared one after another, as one number (`combination`).

    A link alone does not have all columns. The number from `priority` holds only until the turn in which the URL is
    recorded, when the order takes the columns from the store. The numbers are no promises, so half of the best one
    means nothing (`crawl.choosy`).
    """

    by_promise = False
    blends = False

    def __init__(self, combination: Combination) -> None:
        self.combination = combination

    def priority(self, link: Link, depth: int, promise: float) -> float:
        return self.number(Bearings(id=0, url=link.url, host="", depth=depth, relevance=promise))

    def number(self, place: Bearings, expected: float = 0.0) -> float:
        """Return the number of a URL by all of its columns."""
        return self.combination.number(values_of(place, expected))


def values_of(place: Bearings, expected: float = 0.0) -> dict[str, float]:
    """Return all columns of a URL. If only the user names it, its relevance is taken to be 1."""
    return {
        "tries": place.tries,
        "relevance": 1.0 if place.relevance is None else place.relevance,
        "expected": expected,
        "server_load": place.server_load,
        "last_visited": place.last_visited,
        "visits": place.visits,
        "depth": place.depth,
        "found": place.id,
        "hub": place.hub,
        "authority": place.authority,
    }


class Given:
    """A number from the user's own function of a link."""

    by_promise = False
    blends = False

    def __init__(self, name: str, function: Callable[[Link], float]) -> None:
        self._name = name
        self._function = function

    def priority(self, link: Link, depth: int, promise: float) -> float:
        number = self._function(link)
        if not isinstance(number, int | float) or number != number:
            raise SettingError(f"crawl.order: {self._name} returned {number!r} for {link.url}; return a number")
        return float(number)


def order_by_name(name: str, *, seed: int) -> Order:
    """Return the order that `crawl.order` names."""
    if name == APPRENTICE:
        return Guided()
    if name == "best-first":
        return BestFirst()
    if name == "best-first-max":
        return BestFirst(blends=False)
    if name == "breadth":
        return Breadth()
    if name == "depth":
        return Depth()
    if name == "random":
        return Random(seed)
    if ":" in name:
        return Given(name, _load(name))
    if is_combination(name) and not fault(name):
        return Combined(parsed(name))
    raise SettingError(f'crawl.order: "{name}" is not an order; use {", ".join(ORDERS)}, columns or module:function')


def _load(name: str) -> Callable[[Link], float]:
    module_name, _, attribute = name.partition(":")
    try:
        function = getattr(imported(module_name), attribute)
    except (ImportError, AttributeError) as error:
        raise SettingError(f"crawl.order: {name} cannot be loaded ({error}); give a module on the path") from error
    if not callable(function):
        raise SettingError(f"crawl.order: {name} is not a function of a link")
    return function  # type: ignore[no-any-return]  # what the user wrote; its answers are checked when they come
