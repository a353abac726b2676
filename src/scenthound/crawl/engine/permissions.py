"""Permission by robots.txt, for URLs whose origin's robots.txt the store already has (RFC 9309)."""

from collections import OrderedDict

from scenthound.parse.robots import Rules
from scenthound.parse.urls import origin_of
from scenthound.store.base import Hosts

# Parsed rules kept in memory; an origin beyond these is parsed again from the store (0.1 ms for a usual file).
KEPT = 2_000


class Permissions:
    def __init__(self, store: Hosts, *, product: str) -> None:
        self._store = store
        self._product = product
        self._rules: OrderedDict[str, Rules] = OrderedDict()

    def allows(self, url: str) -> bool:
        """Tell whether a URL may be fetched; where the store has no answer nothing is permitted."""
        rules = self._rules_of(origin_of(url))
        return rules is not None and rules.allows(url)

    def forget(self, origin: str) -> None:
        """Drop the parsed rules of an origin, because its robots.txt was fetched again."""
        self._rules.pop(origin, None)

    def forget_all(self) -> None:
        """Drop all parsed rules: other engines may have fetched some again."""
        self._rules.clear()

    def _rules_of(self, origin: str) -> Rules | None:
        if origin in self._rules:
            self._rules.move_to_end(origin)
            return self._rules[origin]
        answer = self._store.robots(origin)
        if answer is None:
            return None
        rules = self._rules[origin] = Rules.parse(answer.text, self._product)
        if len(self._rules) > KEPT:
            self._rules.popitem(last=False)
        return rules
