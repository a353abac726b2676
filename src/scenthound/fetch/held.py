"""The HTTP fetcher's result for a response from an archive or the demo web (RFC 9110).

The rules are those of `fetch.answer`, in the order of `fetch.http`: first the status, then the announced type, then the
length. Limits are those of the settings when a world is read, and stay the same.
"""

from dataclasses import dataclass
from http import HTTPStatus

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
from scenthound.fetch.fetcher import ROBOTS_LIMIT
from scenthound.fetch.trouble import Trouble, words
from scenthound.parse.urls import origin_of
from scenthound.settings.schema import FetchSettings
from scenthound.types import Fetch, Reason

_PHRASES = {status.value: status.phrase for status in HTTPStatus}


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """A stored response: headers as latin-1 text in order, the body without transfer coding.

    `cut` says why the body is incomplete, if this was recorded.
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
    """Return the fetch of a URL whose server does not answer."""
    return Fetch(url=url, started=0.0, finished=0.0, reason=reason, detail=detail)


def is_robots(url: str) -> bool:
    """Tell whether a canonical URL is a robots.txt, which is no page.

    >>> is_robots("http://a.test/robots.txt"), is_robots("http://a.test/about/robots.txt")
    (True, False)
    """
    return url.endswith("/robots.txt") and url == origin_of(url) + "/robots.txt"


def is_readable(fetch: Fetch) -> bool:
    """Tell whether an exchange has a page to read."""
    return fetch.reason is None and not fetch.location and 200 <= fetch.status < 300


def _trouble(url: str, response: Response, mime: str, location: str | None, settings: FetchSettings) -> Trouble | None:
    status = response.status
    if not 200 <= status < 300:
        return _status_trouble(status, location)
    if response.cut is not None:
        return Trouble(response.cut, "archived as not whole")
    if is_robots(url):
        return None  # for any type and length
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
    """Return the target of a redirect: None without a Location, "" for an unreadable one."""
    if not 300 <= status < 400 or "location" not in headers:
        return None
    return joined(url, headers["location"].encode("latin-1")) or ""


def _retry_after(headers: dict[str, str]) -> float | None:
    """Return the requested pause; a date means nothing later without the server's own date."""
    wait, date = headers.get("retry-after", ""), headers.get("date")
    return retry_after(wait, date, 0.0) if wait and (date or wait.strip().isdigit()) else None


def _first_of_each(headers: tuple[tuple[str, str], ...]) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, value in headers:
        found.setdefault(name.lower(), value)
    return found
