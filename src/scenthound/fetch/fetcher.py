"""The one seam between the crawl and the web: a request goes in, the result of one exchange comes out.

`http.HttpFetcher` asks real servers; the lab replays an archive behind the same method.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from scenthound.errors import ScenthoundError
from scenthound.types import Fetch

# RFC 9309 §2.5: a crawler must read at least 500 KiB of a robots.txt and may ignore the rest.
ROBOTS_LIMIT = 500 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What to ask for.

    `etag` and `last_modified` make the request conditional. `max_body` replaces the limit in the settings; with
    `cut_at_limit` a longer body is cut there instead of refused. `any_type` reads a body of any announced type.
    `may_send` is asked once there is a connection, at the last moment before a byte of the request leaves: names and
    connections take their time, and a machine may sleep meanwhile.
    """

    url: str
    etag: str | None = None
    last_modified: str | None = None
    max_body: int | None = None
    cut_at_limit: bool = False
    any_type: bool = False
    may_send: Callable[[], bool] = lambda: True


class NotSentError(ScenthoundError):
    """The request was not sent: `may_send` said no."""


class Fetcher(Protocol):
    async def fetch(self, request: Request) -> Fetch:
        """Do one HTTP exchange and return its result. Do not follow redirects, and raise nothing about the web."""
        ...


def robots_request(url: str) -> Request:
    """Return the request for a robots.txt: any type, at most the first 500 KiB.

    >>> robots_request("http://a.example/robots.txt").cut_at_limit
    True
    """
    return Request(url=url, max_body=ROBOTS_LIMIT, cut_at_limit=True, any_type=True)
