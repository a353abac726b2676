"""The links of a world, between pages by number: an address is found under either scheme, and redirects are followed.

Archives mix http and https: a page was captured under one of them, and others link to it under the other. A world uses
the address of the capture in all links, so no crawl takes it for two pages.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scenthound.parse.urls import canonical

_NONE = -1


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Numbered:
    """The targets of everything, as numbers.

    `leads` has, for each exchange, the final page, -1 for none. Page n links to `targets[starts[n] : starts[n + 1]]`,
    in page order, each once, without itself.
    """

    leads: NDArray[np.int32]
    starts: NDArray[np.int64]
    targets: NDArray[np.int32]


def under_both_schemes(urls: Sequence[str]) -> dict[str, int]:
    """Return the number of each address, also under the other scheme if nothing else has that address.

    >>> under_both_schemes(["http://a.test/", "https://a.test/", "https://b.test/"])["http://b.test/"]
    2
    """
    numbers = {url: number for number, url in enumerate(urls)}
    for number, url in enumerate(urls):
        scheme, _, rest = url.partition("://")
        numbers.setdefault(f"{'http' if scheme == 'https' else 'https'}://{rest}", number)
    return numbers


def number_links(
    *,
    urls: Sequence[str],
    pages: Sequence[int],
    locations: Mapping[int, str],
    addresses: Sequence[str],
    links: Sequence[Sequence[int]],
) -> Numbered:
    """Number the links of pages.

    `urls` are the addresses of all exchanges, `pages` the exchanges that are pages, `locations` the targets of
    redirects, `addresses` all targets of links, and `links` says which of these each page links to.
    """
    known = under_both_schemes(urls)
    leads = _leads(urls, pages, locations, known)
    page_at = [leads[known[address]] if address in known else _NONE for address in addresses]
    starts, targets = [0], list[int]()
    for page, linked in enumerate(links):
        targets += dict.fromkeys(page_at[number] for number in linked if page_at[number] not in (page, _NONE))
        starts.append(len(targets))
    return Numbered(
        leads=np.array(leads, dtype=np.int32),
        starts=np.array(starts, dtype=np.int64),
        targets=np.array(targets, dtype=np.int32),
    )


def _leads(
    urls: Sequence[str], pages: Sequence[int], locations: Mapping[int, str], known: Mapping[str, int]
) -> list[int]:
    page_of = {exchange: page for page, exchange in enumerate(pages)}
    leads = []
    for exchange in range(len(urls)):
        passed: set[int] = set()
        at: int | None = exchange
        while at is not None and at in locations and at not in passed:
            passed.add(at)
            at = known.get(canonical(locations[at], urls[at]) or "")
        leads.append(_NONE if at is None else page_of.get(at, _NONE))
    return leads
