"""A small realistic web made from one seed: about sixty hosts and five thousand pages on fifteen topics.

It has the troubles of the real web: hubs and authorities, navigation and footers on every page, redirects, mirrors,
session ids, an endless calendar, soft 404s, old charsets, slow and broken servers. It is a pure value: the same seed
gives the same bytes on any machine.
"""

import re
import zlib
from dataclasses import dataclass
from datetime import UTC, datetime, time
from email.utils import format_datetime
from functools import cached_property
from html import escape

from scenthound.archive.warc import gzip_member
from scenthound.demo.grammar import MONTHS, Vocabulary, load_vocabulary
from scenthound.demo.host_table import DemoHost, Layout, Oddity
from scenthound.demo.link_plan import DemoLink
from scenthound.demo.page_layout import Press, written_on
from scenthound.demo.served_answer import Answer, Behaviour
from scenthound.demo.site_plan import DemoPage, Kind, Plan, plan_web

_ROBOTS = "User-agent: *\nDisallow: /private/\nDisallow: /search\nDisallow: /posting.php\n"


@dataclass(frozen=True)
class DemoWeb:
    """The web of a seed. Names end in .test, a domain reserved for such use (RFC 6761)."""

    seed: int = 7

    def __reduce__(self) -> tuple[type["DemoWeb"], tuple[int]]:
        return DemoWeb, (self.seed,)  # another process needs only the seed

    @property
    def hosts(self) -> dict[str, DemoHost]:
        return self._plan.hosts

    @property
    def pages(self) -> dict[str, DemoPage]:
        """Every page by its address, without aliases, redirects and traps."""
        return self._plan.pages

    @property
    def topics(self) -> list[str]:
        """The paths of all topics with seeds."""
        return sorted(topic for topic in self._plan.by_topic if not topic.startswith("Other/"))

    @cached_property
    def truth(self) -> dict[str, str]:
        """The topic of every page; for pages without a topic it begins with "Other/"."""
        return {url: page.topic for url, page in self._plan.pages.items()}

    def seeds(self, topic: str, count: int = 6) -> list[str]:
        """Return start pages: articles about a topic or its subtopics, on different hosts, neither famous nor hubs."""
        under = [name for name in self.topics if f"{name}/".startswith(f"{topic}/")]
        pages = [page for name in under for page in self._plan.by_topic[name] if self._is_sound(page)]
        ordinary = pages[len(pages) // 3 :]
        by_host = {page.host: page for page in reversed(ordinary)}
        return [page.url for page in dict.fromkeys([*by_host.values(), *ordinary])][:count]

    def _is_sound(self, page: DemoPage) -> bool:
        host = self.hosts[page.host]
        return page.language == "en" and not host.oddities and host.topic == page.topic

    def links(self, url: str) -> list[DemoLink]:
        """Return the links in the text of a page, without navigation."""
        return self._press.links(self.pages[url])

    def html(self, url: str) -> str:
        """Return a page as its site shows it."""
        return self._press.html(self.pages[url])

    def answer(self, host: str, path: str) -> Answer:
        """Answer a request as the server of that host does."""
        site = self.hosts.get(host)
        if site is None:
            return _text(404, "No such site.\n")
        if (trouble := self._trouble(site, path)) is not None:
            return trouble
        if path == "/robots.txt":
            return _robots(site)
        if (target := self._plan.moved.get(f"http://{host}{path}")) is not None:
            return _redirect(target, permanently=zlib.crc32(path.encode()) % 3 > 0)
        return self._special(site, path) or self._page_or_404(site, path)

    def _trouble(self, site: DemoHost, path: str) -> Answer | None:
        """Return the failure that happens before the server looks at the request."""
        lot = zlib.crc32(path.encode()) % 10
        if Oddity.SILENT in site.oddities:
            return Answer(behaviour=Behaviour.SILENT)
        if Oddity.NO_ROBOTS in site.oddities and path == "/robots.txt":
            return _text(503, "Out of order.\n")
        if path in ("/", "/robots.txt"):
            return None
        if Oddity.ERRORS in site.oddities and lot < 3:
            return _text(500, "Internal error.\n") if lot else _text(503, "Too busy.\n", ("Retry-After", "1"))
        if Oddity.CUTS in site.oddities and lot < 5:
            body = b"<html><body><p>This page never ends as it " * 40
            return Answer(body=body, headers=_HTML, behaviour=Behaviour.CUT if lot else Behaviour.RESET)
        return None

    def _special(self, site: DemoHost, path: str) -> Answer | None:
        """Answer paths that belong to no planned page."""
        if Oddity.CALENDAR in site.oddities and path.startswith("/calendar/"):
            return _calendar(site, path)
        if site.layout is Layout.TABLES and path == "/menu.htm":
            return self._menu(site)
        if path.startswith("/go/"):  # a doorway that redirects browsers by meta refresh
            return _refresh(f"/{path.removeprefix('/go/')}")
        if Oddity.HUGE in site.oddities and path == "/everything.html":
            return Answer(
                headers=_HTML, body=b"<title>Everything</title>" + b"<p>And then there was more. </p>\n" * 200_000
            )
        if path.startswith("/private/"):
            return Answer(headers=_HTML, body=b"<title>Members</title><p>For members only: robots.txt says so.</p>")
        kind = _FILES.get(path.rpartition(".")[2])
        return Answer(headers=(("Content-Type", kind),), body=b"A file that is not a page.\n") if kind else None

    def _menu(self, site: DemoHost) -> Answer:
        pages = [page for page in self._plan.by_host[site.name] if page.kind is Kind.SECTION]
        rows = "".join(f'<LI><A HREF="{page.path}" TARGET=main>{escape(page.title)}</A>' for page in pages)
        return Answer(
            headers=_HTML, body=f"<HTML><BODY><UL>{rows}</UL></BODY></HTML>".encode("ascii", "xmlcharrefreplace")
        )

    def _page_or_404(self, site: DemoHost, path: str) -> Answer:
        own, query = _without_view(path)
        page = self.pages.get(f"http://{site.name}{own}")
        if page is not None:
            return self._shown(site, page, query)
        if Oddity.SOFT_404 in site.oddities:
            words = "Sorry! The page that you are looking for has gone. Have a look at our offers instead."
            return Answer(headers=_HTML, body=f'<title>Welcome</title><p>{words} <a href="/">Home</a>'.encode())
        return Answer(status=404, headers=_HTML, body=b"<title>Not found</title><h1>Not found</h1>")

    def _shown(self, site: DemoHost, page: DemoPage, query: str) -> Answer:
        body = self._press.html(page, query).encode(site.charset, "xmlcharrefreplace")
        changed = datetime.combine(written_on(page), time(12), UTC)
        charset = f"; charset={site.charset}" if site.declared else ""
        headers = [
            ("Content-Type", f"text/html{charset}"),
            ("Last-Modified", format_datetime(changed, usegmt=True)),
            ("ETag", f'"{zlib.crc32(body):08x}"'),
        ]
        if Oddity.GZIP in site.oddities:
            headers.append(("Content-Encoding", "gzip"))
            body = gzip_member(b"", body)  # stored, because deflate output differs between machines
        chunked = site.layout is Layout.FORUM
        return Answer(
            headers=tuple(headers),
            body=body,
            delay=0.4 if Oddity.SLOW in site.oddities else 0.0,
            behaviour=Behaviour.CHUNKED if chunked else Behaviour.PLAIN,
        )

    @cached_property
    def _plan(self) -> Plan:
        return plan_web(self.seed, self._vocabulary)

    @cached_property
    def _vocabulary(self) -> Vocabulary:
        return load_vocabulary()

    @cached_property
    def _press(self) -> Press:
        return Press(self.seed, self._plan, self._vocabulary)


_HTML = (("Content-Type", "text/html; charset=utf-8"),)
_FILES = {"pdf": "application/pdf", "jpg": "image/jpeg", "xml": "application/rss+xml"}


def _text(status: int, words: str, *headers: tuple[str, str]) -> Answer:
    return Answer(status=status, headers=(("Content-Type", "text/plain"), *headers), body=words.encode())


def _redirect(target: str, *, permanently: bool) -> Answer:
    return Answer(status=301 if permanently else 302, headers=(("Location", target),))


def _refresh(target: str) -> Answer:
    head = f'<head><meta http-equiv="refresh" content="0; url={escape(target)}"></head>'
    markup = f"<html>{head}<body>One moment…</body></html>"
    return Answer(headers=_HTML, body=markup.encode())


def _robots(site: DemoHost) -> Answer:
    """Return the robots.txt of a host; half of the sites have none, as on the real web."""
    if Oddity.CRAWL_DELAY in site.oddities:
        return _text(200, _ROBOTS + "Crawl-delay: 1\n")
    strict = site.layout in (Layout.CLUB, Layout.FORUM, Layout.DIRECTORY)
    return _text(200, _ROBOTS) if strict else _text(404, "Not found.\n")


def _calendar(site: DemoHost, path: str) -> Answer:
    """Write a month with links to the next, the previous, and each of its days, without end."""
    asked = [int(part) for part in path.split("/") if part.isdigit() and len(part) < 6]
    year, month = asked[:2] if len(asked) > 1 and 1 <= asked[1] <= 12 else (2024, 5)
    before, after = divmod(year * 12 + month - 2, 12), divmod(year * 12 + month, 12)
    days = "".join(f'<td><a href="/calendar/{year}/{month}/{day}/">{day}</a></td>' for day in range(1, 29))
    return Answer(
        headers=_HTML,
        body=(
            f"<title>{MONTHS[month - 1]} {year} – {escape(site.title)}</title><h1>{MONTHS[month - 1]} {year}</h1>"
            f"<p>There are no events on the days shown. Members may propose events at any time.</p>"
            f'<table><tr>{days}</tr></table><a href="/calendar/{before[0]}/{before[1] + 1}/">Previous month</a> '
            f'<a href="/calendar/{after[0]}/{after[1] + 1}/">Next month</a> <a href="/">Home</a>'
        ).encode(),
    )


_OF_THE_VIEW = re.compile(r"[?&](?:PHPSESSID|visit|view|utm_source|utm_medium)=[^&]*")


def _without_view(path: str) -> tuple[str, str]:
    """Split the part that names a page from the part that names a view of it.

    >>> _without_view("/viewtopic.php?f=1&visit=0a&t=3")
    ('/viewtopic.php?f=1&t=3', '&visit=0a')
    """
    own = _OF_THE_VIEW.sub("", path)
    if "?" not in own:
        own = own.replace("&", "?", 1)
    return own, "".join(_OF_THE_VIEW.findall(path))
