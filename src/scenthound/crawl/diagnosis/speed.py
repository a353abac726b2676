"""Why a crawl is as fast as it is, in sentences: pure functions over the store's census and its hosts.

`status` prints them; each sentence names the limit that holds the crawl back and, where there is one, the setting.
"""

from collections import Counter
from collections.abc import Sequence

from scenthound.counted import count
from scenthound.types import Awaited, Census, HostView, Reason

_NAMED = 3  # hosts named in a sentence; more make it unreadable

# Decided without a word to the server. A robots.txt that cannot be reached is not among them: there the server failed.
REFUSALS = frozenset(
    {
        Reason.BAD_URL,
        Reason.URL_TOO_LONG,
        Reason.BLOCKED_PORT,
        Reason.LOCKED,
        Reason.OUTSIDE,
        Reason.NOFOLLOW,
        Reason.TRAP,
        Reason.CROWDED_DOMAIN,
        Reason.TOO_DEEP,
        Reason.OFF_TOPIC,
        Reason.ROBOTS,
    }
)


def explain(
    census: Census, hosts: list[HostView], now: float, running: bool, awaited: Awaited | None = None
) -> list[str]:
    """Say what the crawl is waiting for, what is lost, and what could be changed.

    `awaited` is the host for which a choosy crawl leaves others alone.

    >>> explain(Census(waiting=9, hosts=2, hosts_resting=2, next_due=100.4), [], now=100.0, running=True)
    ['All 2 hosts are waiting for their delay; the next is due in 0.4 s.']
    """
    sentences = [
        _not_started(census, running),
        _dry(census, running),
        _awaited(awaited, now) if running and awaited else _ready(census, running),
        _resting(census, now) if running else _resting_still(census, now),
        _busy(census) if running else "",
        _parked(census) if running else "",
        _one_host(census, hosts),
        _slow_hosts(hosts),
        _capped(census),
        _bad(census, hosts),
        _left_claims(census, running),
    ]
    return [sentence for sentence in sentences if sentence]


def harvest(census: Census) -> float | None:
    """Return the mean relevance of the pages judged so far, the harvest rate; None while none was judged."""
    return census.relevance_sum / census.judged if census.judged else None


def failures(census: Census) -> list[tuple[str, int]]:
    """Return why URLs failed, most frequent first.

    >>> failures(Census(reasons={"dns": 2, "robots": 9})), refusals(Census(reasons={"dns": 2, "robots": 9}))
    ([('dns', 2)], [('robots', 9)])
    """
    return [pair for pair in Counter(census.reasons).most_common() if pair[0] not in REFUSALS]


def refusals(census: Census) -> list[tuple[str, int]]:
    """Return why URLs were refused before anything was sent, most frequent first."""
    return [pair for pair in Counter(census.reasons).most_common() if pair[0] in REFUSALS]


def total(reasons: Sequence[tuple[str, int]]) -> int:
    return sum(number for _, number in reasons)


def askable(census: Census) -> int:
    """Return how many hosts a stopped crawl may ask once it starts: nothing keeps them busy or holds them back now."""
    return census.hosts_ready + census.hosts_busy + census.hosts_parked


def claimable(census: Census) -> int:
    """Return how many waiting URLs lie on hosts that still may be asked."""
    return max(0, census.waiting - census.waiting_on_bad)


def in_seconds(seconds: float) -> str:
    """Write a span of time in the unit that reads best.

    >>> [in_seconds(span) for span in (0.004, 0.44, 12, 190, 9000, 200000)]
    ['4 ms', '0.4 s', '12 s', '3 min 10 s', '2 h 30 min', '2 d 7 h']
    """
    seconds = max(0.0, seconds)
    if 0 < seconds < 0.1:
        return f"{1000 * seconds:.0f} ms"
    if seconds < 10:
        return f"{seconds:.1f} s"
    if seconds < 120:
        return f"{seconds:.0f} s"
    whole = round(seconds)
    for size, unit, small, small_unit in ((86400, "d", 3600, "h"), (3600, "h", 60, "min"), (60, "min", 1, "s")):
        if whole >= size:
            rest = whole % size // small
            return f"{whole // size} {unit}" + (f" {rest} {small_unit}" if rest else "")
    return f"{whole} s"


def _not_started(census: Census, running: bool) -> str:
    return "" if census.known or running else "Nothing is known yet: the crawl has not been started."


def _dry(census: Census, running: bool) -> str:
    if census.waiting or not census.known:
        return ""
    if census.claimed and running:
        return f"The frontier is dry but for {count(census.claimed, 'page')} in flight, which may bring new links."
    return "" if census.claimed else "The frontier is dry: every URL that is known has been dealt with."


def _ready(census: Census, running: bool) -> str:
    ready = census.hosts_ready if running else askable(census)
    if not ready:
        return ""
    hosts = count(ready, "host")
    if running:
        return (
            f"{hosts} could be asked at once: the limit is fetch.concurrency, the readers or the disk, not politeness."
        )
    return f"{hosts} could be asked at once; start the crawl to go on."


def _awaited(awaited: Awaited, now: float) -> str:
    return (
        f"The crawl is choosy and waits for {awaited.host}, due in {in_seconds(awaited.due - now)}{_every(awaited)}: "
        f"its best link promises {awaited.priority:.2f}, "
        f"those of {count(awaited.held, 'host')} that could be asked now much "
        "less. crawl.choosy=0 asks them all; crawl.waiting says how much of that is given up at most."
    )


def _every(awaited: Awaited) -> str:
    return f" and then every {awaited.delay:g} s" if awaited.delay > 0 else ""


def _resting(census: Census, now: float) -> str:
    if not census.hosts_resting:
        return ""
    only = census.hosts_resting == _live_hosts(census)
    who = (
        f"All {count(census.hosts_resting, 'host')}"
        if only and census.hosts_resting > 1
        else count(census.hosts_resting, "host")
    )
    are, their = _are(census.hosts_resting), _their(census.hosts_resting)
    return f"{who} {are} waiting for {their} delay{_due(census, now, 'next')}."


def _resting_still(census: Census, now: float) -> str:
    if not census.hosts_resting:
        return ""
    return f"{count(census.hosts_resting, 'host')} may not be asked yet{_due(census, now, 'first')}."


def _due(census: Census, now: float, which: str) -> str:
    """Say when a host is due; nothing if one is due already, because then the rest of the others delays nothing."""
    if census.next_due is None or census.next_due <= now:
        return ""
    return f"; the {which} is due in {in_seconds(census.next_due - now)}"


def _busy(census: Census) -> str:
    if not census.hosts_busy:
        return ""
    busy = f"{count(census.hosts_busy, 'host')} {_are(census.hosts_busy)}"
    return f"{busy} being asked now; fetch.per_host allows no more at a time."


def _parked(census: Census) -> str:
    if not census.hosts_parked:
        return ""
    return (
        f"{count(census.hosts_parked, 'host')} {_are(census.hosts_parked)} held back "
        "because another host of the same domain "
        "or address is being asked (fetch.per_domain, fetch.per_ip)."
    )


def _one_host(census: Census, hosts: Sequence[HostView]) -> str:
    """Name the host on which most of the frontier lies: no parallelism helps against its delay."""
    live = [host for host in hosts if host.state not in ("bad", "capped") and host.waiting]
    total = claimable(census)
    if not live or total < 10:
        return ""
    top = max(live, key=lambda host: host.waiting)
    if top.waiting * 2 <= total or top.delay <= 0:
        return ""
    share = 100 * top.waiting / total
    least = in_seconds(top.waiting * top.delay)
    return (
        f"{share:.0f} % of what waits is on {top.host}: "
        f"at one request every {top.delay:g} s that takes {least} or more."
    )


def _slow_hosts(hosts: Sequence[HostView]) -> str:
    slow = sorted((host for host in hosts if host.delay >= 10 and host.waiting), key=lambda host: -host.delay)
    if not slow:
        return ""
    named = ", ".join(f"{host.host} ({host.delay:g} s)" for host in slow[:_NAMED])
    return f"{count(len(slow), 'host')} {_want(len(slow))} a long pause between requests: {named}{_more(slow)}."


def _capped(census: Census) -> str:
    if not census.hosts_capped:
        return ""
    capped = f"{count(census.hosts_capped, 'host')} {_have(census.hosts_capped)}"
    return f"{capped} given all the pages that crawl.pages_per_host allows."


def _bad(census: Census, hosts: Sequence[HostView]) -> str:
    if not census.hosts_bad:
        return ""
    bad = [host for host in hosts if host.state == "bad"]
    named = ", ".join(f"{host.host} after {count(host.failures, 'failure')} ({host.reason})" for host in bad[:_NAMED])
    lost = f"; {count(census.waiting_on_bad, 'URL')} there will not be fetched" if census.waiting_on_bad else ""
    chance = f" At the next start, crawl --forgive gives {_them(census.hosts_bad)} another chance."
    more = census.hosts_bad - min(len(bad), _NAMED)
    others = f" and {more:,} more" if named and more > 0 else ""
    whom = f": {named}{others}" if named else ""
    return f"{count(census.hosts_bad, 'host')} {_are(census.hosts_bad)} bad{whom}{lost}.{chance}"


def _left_claims(census: Census, running: bool) -> str:
    if running or not census.claimed:
        return ""
    back = "it comes" if census.claimed == 1 else "they come"
    flying = f"{count(census.claimed, 'URL')} {_were(census.claimed)} in flight"
    return f"{flying} when it stopped; {back} back at the next start."


def _live_hosts(census: Census) -> int:
    return census.hosts_ready + census.hosts_resting + census.hosts_busy + census.hosts_parked


def _are(number: int) -> str:
    return "is" if number == 1 else "are"


def _were(number: int) -> str:
    return "was" if number == 1 else "were"


def _have(number: int) -> str:
    return "has" if number == 1 else "have"


def _want(number: int) -> str:
    return "wants" if number == 1 else "want"


def _their(number: int) -> str:
    return "its" if number == 1 else "their"


def _them(number: int) -> str:
    return "it" if number == 1 else "them"


def _more(hosts: Sequence[HostView]) -> str:
    return f" and {len(hosts) - _NAMED:,} more" if len(hosts) > _NAMED else ""
