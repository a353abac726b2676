"""The one seam between the crawl and the web: a request goes in, what one exchange gave comes out.

`http.HttpFetcher` asks real servers; the lab replays an archive behind the same method.
"""

from dataclasses import dataclass
from typing import Protocol

from scenthound.types import Fetch

# RFC 9309 §2.5: a crawler must read at least 500 KiB of a robots.txt and may ignore what follows.
ROBOTS_LIMIT = 500 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What to ask for.

    `etag` and `last_modified` make the request conditional. `max_body` takes the place of the limit in the settings;
    with `cut_at_limit` a longer body is kept up to there instead of being refused. `any_type` reads the body
    whatever type it is announced as.
    """

    url: str
    etag: str | None = None
    last_modified: str | None = None
    max_body: int | None = None
    cut_at_limit: bool = False
    any_type: bool = False


class Fetcher(Protocol):
    async def fetch(self, request: Request) -> Fetch:
        """Do one HTTP exchange and tell how it went; redirects are not followed, and nothing is raised about the web."""
        ...


def robots_request(url: str) -> Request:
    """Return the request for a robots.txt: any type, at most the first 500 KiB.

    >>> robots_request("http://a.example/robots.txt").cut_at_limit
    True
    """
    return Request(url=url, max_body=ROBOTS_LIMIT, cut_at_limit=True, any_type=True)
