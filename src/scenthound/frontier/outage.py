"""Tell a network that is down on this side from hosts that are down on theirs.

A host that cannot be reached is tried three times and then left alone for the rest of the crawl. If this machine lost
its own connection, that would condemn every host within minutes. So when several different hosts cannot be reached and
none answers in between, the failures are excused: the URLs go back as they were, and the hosts rest for a while.
"""

from collections import Counter
from dataclasses import replace

from scenthound.types import Ending, Outcome, Reason

UNREACHED = frozenset({Reason.DNS, Reason.CONNECT, Reason.CONNECT_TIMEOUT, Reason.PROXY})
_SAYS_NOTHING = UNREACHED | {Reason.PRIVATE_ADDRESS, Reason.BAD_URL, Reason.ROBOTS_UNREACHABLE, Reason.PROTOCOL}
# Different hosts that must fail without any answer in between. Where one host in four is dead, five in a row come by
# chance once in a thousand fetches; where most are dead, much more often. A mistake only costs those hosts a rest.
SUSPECT = 5
# A proxy that cannot be reached says nothing about any host: one failure is enough.
_PROXY = "the proxy"
SHORTEST_REST, LONGEST_REST = 10.0, 300.0


class Outage:
    """Watches the endings of a crawl in order."""

    def __init__(self) -> None:
        self._silent: set[str] = set()
        self._since: float | None = None
        self._reached = False
        self._unreached = Counter[Reason]()

    @property
    def nothing_reached(self) -> str:
        """Why no server could be reached in this whole run, in a few words; nothing if one was, or none was asked."""
        if self._reached or not self._unreached:
            return ""
        return ", ".join(f"{number:,} {reason}" for reason, number in self._unreached.most_common())

    @property
    def since(self) -> float | None:
        """When the first of the failures came, if this side seems to be cut off; otherwise None."""
        return self._since if self._suspected else None

    @property
    def _suspected(self) -> bool:
        return len(self._silent) >= SUSPECT or _PROXY in self._silent

    def excuse(self, outcome: Outcome) -> Outcome:
        """Take note of an outcome; return it as it is, or excused if this side is to blame."""
        fetch = outcome.fetch
        if fetch is not None and outcome.asked:
            self._reached = self._reached or bool(fetch.status) or fetch.reason not in _SAYS_NOTHING
            self._unreached.update([fetch.reason] if fetch.reason in UNREACHED else [])
        if fetch is None or (fetch.reason not in UNREACHED and not fetch.status):
            return outcome
        if fetch.status:
            self._silent.clear()
            self._since = None
            return outcome
        if self._since is None:
            self._since = outcome.finished
        if not self._suspected:  # bounded: once suspected, nothing is added
            self._silent.add(_PROXY if fetch.reason is Reason.PROXY else outcome.claim.host)
        return self._excused(outcome) if self._suspected else outcome

    def _excused(self, outcome: Outcome) -> Outcome:
        lasting = 0.0 if self._since is None else outcome.finished - self._since
        rest = min(LONGEST_REST, max(SHORTEST_REST, lasting))
        return replace(outcome, ending=Ending.RETURN, rest=rest, host_failed=False)
