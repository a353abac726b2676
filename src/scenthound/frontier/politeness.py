"""How long a host is left alone after an exchange, as pure functions of what the exchange gave.

The pause grows with the server's own response time, so that a labouring server is spared; errors double it;
Retry-After and Crawl-delay are obeyed as they stand. A `delay` of 0, for servers of one's own, switches all
pauses off that no server asked for.
"""

from scenthound.settings.schema import FetchSettings
from scenthound.types import Fetch, Reason

# A failing host is first left alone for this many times the usual delay, then for the square and the cube of it.
# With the default delay that is 4 s and 16 s before a host is given up: long enough for a restart, short enough
# that a crawl of one site notices within half a minute that the site is gone.
BACK_OFF = 4.0
LEAST_BACK_OFF_BASE = 0.05


def rest_after(fetch: Fetch, *, settings: FetchSettings, failures: int, host_delay: float = 0.0) -> float:
    """Return the seconds for which the host must not be asked again, counted from the end of this exchange.

    >>> ok = Fetch(url="http://a.test/", started=0.0, finished=0.4, first_byte=0.3, status=200)
    >>> rest_after(ok, settings=FetchSettings(delay=1.0, delay_factor=2.0), failures=0)
    1.0
    >>> slow = Fetch(url="http://a.test/", started=0.0, finished=4.0, first_byte=3.5, status=200)
    >>> rest_after(slow, settings=FetchSettings(delay=1.0, delay_factor=2.0), failures=0)
    7.0
    """
    usual = max(settings.delay, host_delay)
    if fetch.retry_after is not None:
        return max(usual, fetch.retry_after)
    if fetch.reason is not None and fetch.reason.may_pass and fetch.reason is not Reason.STALE:
        return max(usual, back_off(settings, failures))
    if settings.delay == 0:
        return host_delay
    answered_in = max(0.0, fetch.first_byte or fetch.seconds)
    return max(usual, min(settings.max_delay, settings.delay_factor * answered_in))


def back_off(settings: FetchSettings, failures: int) -> float:
    """Return the pause after one more failure in a row.

    >>> [back_off(FetchSettings(delay=1.0), failures) for failures in range(4)]
    [4.0, 16.0, 60.0, 60.0]
    """
    base = max(settings.delay, LEAST_BACK_OFF_BASE)
    return float(min(settings.max_delay, base * BACK_OFF ** min(failures + 1, 10)))


def host_is_to_blame(reason: Reason | None) -> bool:
    """Tell whether an ending counts towards the tries after which a host is bad.

    A server that keeps saying 429 or 503 is treated like one that does not answer: having waited as it asked
    three times in a row, we leave it alone for the rest of the crawl.
    """
    return reason is not None and (reason.blames_host or reason is Reason.OVERLOADED)
