"""The share of a crawl that one registered domain gets while others wait, whatever the order.

Without a limit, a farm of pages that look good would take all fetches: a domain with endless subdomains is endless. An
apprentice keeps to the share by its expectations. Under all other orders, a claim beyond the share goes behind the
rest.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

# A domain has had its share at this part of it: some requests bring no page, and the share is one of pages.
FULL: Final = 0.9
LEAST: Final = 100  # pages before anything is put behind: of few, many are of one domain


class DomainShares:
    """Counts the pages of each domain. `given` are the domains of the user's own examples: a domain has at least their
    share.

    >>> shares = DomainShares(0.2, given=["a.test"], taken={"a.test": 90, "b.test": 25, "c.test": 5})
    >>> shares.is_beyond("a.test"), shares.is_beyond("b.test"), shares.is_beyond("c.test")
    (False, True, False)
    """

    def __init__(self, most: float, *, given: Iterable[str], taken: Mapping[str, int]) -> None:
        self._most = most
        self._given = Counter(given)
        self._examples = max(1, self._given.total())
        self._taken = Counter(taken)
        self._total = self._taken.total()

    def is_beyond(self, domain: str) -> bool:
        """Tell whether one more page of a domain would be more than its share."""
        if self._most >= 1 or self._total < LEAST:
            return False
        share = max(self._most, self._given[domain] / self._examples)
        return share < 1 and self._taken[domain] + 1 > FULL * share * (self._total + 1)

    def take(self, domain: str) -> None:
        """Count a page that is asked for."""
        self._taken[domain] += 1
        self._total += 1
