"""What the HTTP fetcher would have made of a response that an archive or the demo web holds (RFC 9110).

The rules are those of `fetch.answer`, in the order of `fetch.http`: first the status, then the announced type, then the
length. Limits are those of the settings with which a world is read, and stay what they were then.
"""

from dataclasses import dataclass
from http import HTTPStatus

from scenthound.config import FetchSettings
from scenthound.fetch.answer import (
    charset_of,
    clean,
    is_wanted,
    joined,
    limit_of,
    mime_of,
    retry_after,
    status_reason,
    validator,
)
from scenthound.fetch.base import ROBOTS_LIMIT
from scenthound.fetch.trouble import Trouble, words
from scenthound.parse.urls import origin_of
from scenthound.types import Fetch, Reason

_PHRASES = {status.value: status.phrase for status in HTTPStatus}


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """A response as it is held: headers as latin-1 text in their order, the body without transfer coding.

    `cut` says why the body is not all that the server had, where somebody noted that.
    """

    status: int
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""
    cut: Reason | None = None


def fetched(url: str, response: Response, settings: FetchSettings) -> Fetch:
    """Return a response as the fetch of a canonical URL; its times are 0."""
    headers = _first_of_each(response.headers)
    content_type = headers.get("content-type", "")
    mime = mime_of(content_type)
    location = _location(url, response.status, headers)
    trouble = _trouble(url, response, mime, location, settings)
    return Fetch(
        url=url,
        started=0.0,
        finished=0.0,
        reason=trouble.reason if trouble else None,
        detail=trouble.detail if trouble else "",
        status=response.status,
        body=response.body[:ROBOTS_LIMIT] if is_robots(url) else response.body,
        mime=mime,
        charset=charset_of(content_type) if ";" in content_type else "",
        coding=clean(headers.get("content-encoding", "").strip().lower()),
        location=location or "",
        etag=validator(headers.get("etag")),
        last_modified=validator(headers.get("last-modified")),
        retry_after=_retry_after(headers),
    )


def unanswered(url: str, reason: Reason, detail: str) -> Fetch:
    """Return the fetch of a URL whose server says nothing."""
    return Fetch(url=url, started=0.0, finished=0.0, reason=reason, detail=detail)


def is_robots(url: str) -> bool:
    """Tell whether a canonical URL is that of a robots.txt, which is no page.

    >>> is_robots("http://a.test/robots.txt"), is_robots("http://a.test/about/robots.txt")
    (True, False)
    """
    return url.endswith("/robots.txt") and url == origin_of(url) + "/robots.txt"


def is_readable(fetch: Fetch) -> bool:
    """Tell whether there is a page to be read in an exchange."""
    return fetch.reason is None and not fetch.location and 200 <= fetch.status < 300


def _trouble(url: str, response: Response, mime: str, location: str | None, settings: FetchSettings) -> Trouble | None:
    status = response.status
    if not 200 <= status < 300:
        return _status_trouble(status, location)
    if response.cut is not None:
        return Trouble(response.cut, "archived as not whole")
    if is_robots(url):
        return None  # whatever its type and length
    if not is_wanted(frozenset(settings.types), mime):
        return Trouble(Reason.UNSUPPORTED_TYPE, words(mime))
    limit, size = limit_of(settings.max_body, mime), len(response.body)
    return Trouble(Reason.TOO_LARGE, f"{size:,} bytes announced, {limit:,} allowed") if size > limit else None


def _status_trouble(status: int, location: str | None) -> Trouble | None:
    if 300 <= status < 400 and status != 304 and not location:
        where = "no Location" if location is None else "a Location that is no URL"
        return Trouble(Reason.BAD_REDIRECT, f"{status} with {where}")
    reason = status_reason(status)
    return Trouble(reason, words(f"{status} {_PHRASES.get(status, 'Unknown')}")) if reason else None


def _location(url: str, status: int, headers: dict[str, str]) -> str | None:
    """Return where a redirect points: None without a Location, nothing for one that cannot be read."""
    if not 300 <= status < 400 or "location" not in headers:
        return None
    return joined(url, headers["location"].encode("latin-1")) or ""


def _retry_after(headers: dict[str, str]) -> float | None:
    """Return the pause that a server asks for; a date means nothing later on without the server's own beside it."""
    wait, date = headers.get("retry-after", ""), headers.get("date")
    return retry_after(wait, date, 0.0) if wait and (date or wait.strip().isdigit()) else None


def _first_of_each(headers: tuple[tuple[str, str], ...]) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, value in headers:
        found.setdefault(name.lower(), value)
    return found
