"""What is claimed next, found without a search: each host's URLs in a heap, and the hosts in heaps by their best URL.

The hosts' heaps are after Mercator's queue of hosts (Heydon and Najork, World Wide Web 2(4), 1999, §3.2). Nothing is
ever taken out of the middle of a heap: an entry is at least as good as what it stands for, and is looked at again when
it comes up.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from heapq import heappop, heappush, heapreplace

from scenthound.store.memory.rows import WAITING, Host, Url
from scenthound.store.rules import HORIZON, HostState

Entry = tuple[int, float, int, Url]  # rank, priority negated, id: what a host's URLs are sorted by
Key = tuple[int, float, int, int, Url]  # rank, priority negated, pages of the host, id: what hosts are sorted by

# A heap with more entries than this, and with four for each that it had when it was last gone through, is gone through
# again: what rises at every citation would fill the memory with its past.
SMALL_HEAP = 1000


@dataclass(slots=True, eq=False)
class Queue:
    """The waiting URLs of one host; those that rank before the others, as examples do, stand apart."""

    urgent: list[Entry] = field(default_factory=list)
    usual: list[Entry] = field(default_factory=list)
    bound: int = SMALL_HEAP

    def offer(self, url: Url) -> None:
        """Take in a URL that waits from now on, or that has risen."""
        rank = url.demoted + url.tries
        heappush(self.usual if rank >= 0 else self.urgent, (rank, -url.hope.priority, url.id, url))
        if len(self.usual) > self.bound:
            self.usual = sorted({_entry(old) for _, _, _, old in self.usual if _waits(old)})
            self.bound = max(SMALL_HEAP, 4 * len(self.usual))

    def best(self) -> Entry | None:
        return (_first(self.urgent) if self.urgent else None) or _first(self.usual)

    def best_usual(self) -> Entry | None:
        """Return the best one of rank 0, the usual one."""
        entry = _first(self.usual)
        return entry if entry and entry[0] == 0 else None


def _waits(url: Url) -> bool:
    return url.state is WAITING and url.rank >= 0


def _entry(url: Url) -> Entry:
    return (url.demoted + url.tries, -url.hope.priority, url.id, url)


def _first(heap: list[Entry]) -> Entry | None:
    """Return the first entry that is true, and correct or drop those before it."""
    while heap:
        entry = heap[0]
        url = entry[3]
        if url.state is not WAITING:
            heappop(heap)
            continue
        now = _entry(url)
        if now == entry:
            return entry
        if (now[0] < 0) == (entry[0] < 0):
            heapreplace(heap, now)  # it has fallen since
        else:
            heappop(heap)  # it was offered again, and stands in the other heap
    return None


class Ranking:
    """Hosts by their best URL, as far as they are admitted; others are passed over until they are touched again.

    A host is not admitted before it is due, or `ahead` seconds earlier; then it comes back by itself.
    """

    def __init__(
        self, key: Callable[[Host], Key | None], admits: Callable[[Host, float], bool], *, ahead: float = 0.0
    ) -> None:
        self._key = key
        self._admits = admits
        self._ahead = ahead
        self._heap: list[tuple[Key, Host]] = []
        self._listed: dict[Host, Key] = {}  # the entry of each host that counts; others in the heap are of the past
        self._resting: list[tuple[float, str, Host]] = []
        self._rests: dict[Host, float] = {}  # likewise
        self.touched: set[Host] = set()

    def first(self, now: float) -> Url | None:
        """Return the best URL on a host admitted now."""
        fresh = self._catch_up(now + self._ahead)
        while self._heap:
            listed, host = self._heap[0]
            if self._listed.get(host) is not listed:
                heappop(self._heap)
                continue
            key = listed if host in fresh else self._key(host)
            due = host.due <= now + self._ahead
            if key == listed and due and self._admits(host, now):
                return listed[4]
            heappop(self._heap)
            del self._listed[host]
            if key != listed:
                self._list(host)  # its best URL has fallen
            elif not due:
                self._rest(host)
        return None

    def due(self, now: float) -> float | None:
        """Return the moment from which on a host is admitted, as things stand."""
        if self.first(now) is not None:
            return now
        while self._resting:
            due, _, host = self._resting[0]
            if self._rests.get(host) == due:
                if due == host.due and self._key(host) is not None and self._admits(host, due):
                    return due
                del self._rests[host]
            heappop(self._resting)
        return None

    def _catch_up(self, until: float) -> set[Host]:
        """List the hosts that were touched, and those that have rested until then, and return them."""
        while self._resting and self._resting[0][0] <= until:
            due, _, host = heappop(self._resting)
            if self._rests.get(host) == due:
                del self._rests[host]
                self.touched.add(host)
        fresh, self.touched = self.touched, set()
        for host in fresh:
            self._list(host)
        return fresh

    def _list(self, host: Host) -> None:
        key = self._key(host)
        if key is None:
            self._listed.pop(host, None)
        elif key != self._listed.get(host):
            self._listed[host] = key
            heappush(self._heap, (key, host))

    def _rest(self, host: Host) -> None:
        if self._rests.get(host) != host.due:
            self._rests[host] = host.due
            heappush(self._resting, (host.due, host.name, host))


class IndexedFrontier:
    """All queues, and the hosts ranked twice: those that may be asked now, and those from which something may be hoped
    soon.

    `state` tells the state of a host at a moment, `pages` how many pages it has given.
    """

    def __init__(self, state: Callable[[Host, float], HostState], pages: Callable[[Host], int]) -> None:
        self._state = state
        self._pages = pages
        self.clear()

    def clear(self) -> None:
        self._queues: dict[Host, Queue] = {}
        self._parked: dict[str, set[Host]] = {}
        self._ready = Ranking(self._best, self._is_ready)
        self._hopeful = Ranking(self._best_usual, self._is_hopeful, ahead=HORIZON)

    def offer(self, url: Url) -> None:
        """Take in a URL that waits from now on, or that has risen."""
        host = url.host
        if host not in self._queues:
            self._queues[host] = Queue()
        self._queues[host].offer(url)
        self._ready.touched.add(host)
        self._hopeful.touched.add(host)

    def touch(self, host: Host) -> None:
        """Look at a host again about which something has changed."""
        self._ready.touched.add(host)
        self._hopeful.touched.add(host)

    def touch_all(self) -> None:
        """Look at all hosts again."""
        self._ready.touched.update(self._queues)
        self._hopeful.touched.update(self._queues)

    def free(self, *places: str) -> None:
        """Look at hosts again that wait for a place at one of these domains or addresses."""
        if self._parked:
            for place in places:
                self._ready.touched |= self._parked.pop(place, set())

    def best(self, now: float) -> Url | None:
        """Return the URL to be claimed first, of those that may be."""
        return self._ready.first(now)

    def best_hope(self, now: float) -> float | None:
        """Return the greatest priority of the URLs of rank 0 on hosts that may be asked before long."""
        url = self._hopeful.first(now)
        return url.priority if url else None

    def poor(self, host: Host, floor: float | None) -> tuple[int, float] | None:
        """Return rank and negated priority of a host's best URL, if that is demoted or below the floor."""
        key = self._best(host)
        is_poor = key is not None and (key[0] > 0 or (key[0] == 0 and floor is not None and -key[1] < floor))
        return key[:2] if is_poor and key else None

    def next_due(self, now: float) -> float | None:
        """Return the moment at which a URL can be claimed next, as things stand."""
        return self._ready.due(now)

    def _best(self, host: Host) -> Key | None:
        queue = self._queues.get(host)
        return self._ranked(host, queue.best()) if queue else None

    def _best_usual(self, host: Host) -> Key | None:
        queue = self._queues.get(host)
        return self._ranked(host, queue.best_usual()) if queue else None

    def _ranked(self, host: Host, entry: Entry | None) -> Key | None:
        return (entry[0], entry[1], self._pages(host), entry[2], entry[3]) if entry else None

    def _is_ready(self, host: Host, now: float) -> bool:
        state = self._state(host, now)
        if state is HostState.PARKED:
            for place in (host.domain, host.ip):
                self._parked.setdefault(place, set()).add(host)
        return state is HostState.READY

    def _is_hopeful(self, host: Host, now: float) -> bool:
        return self._state(host, now) not in (HostState.BAD, HostState.CAPPED)
