"""A small crawl with an archive: pages of several topics, languages and dates, repeated, redirected, hostile ones."""

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from scenthound.archive.files import Archive
from scenthound.archive.warc import exchange_record, payload_digest, revisit_record
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.taxonomy import Topic, Topics
from scenthound.types import ArchiveSpot, Fetch
from tests.distill.small_crawls import MadeCrawl, MadeUrl, directory_of, link, page

NOW = 1_790_000_000.0
DAY = 86_400.0
SENTENCE = (
    "The {0} of a long tour is the {0} that nobody packs, because the {0} weighs more than the tent on the hill. "
)
BIKE, GOLF, ARTS = "Sport/Cycling", "Sport/Golf", "Arts"


@dataclass(frozen=True, slots=True, kw_only=True)
class MadePage:
    """A page as it is served; `copy` is the place of the page whose content it repeats."""

    made: MadeUrl
    language: str = "en"
    head: str = ""
    headers: str = ""
    body: str = ""
    mime: str = "text/html"
    archived: bool = True
    copy: int | None = None


def _made(
    path: str, topic: str, relevance: float, *, host: str = "a.example", days: float = 0, **more: object
) -> MadeUrl:
    return page(f"http://{host}{path}", relevance, topic=topic, fetched_at=NOW - days * DAY, **more)


PAGES = (
    MadePage(made=_made("/hub", BIKE, 0.9, days=40, title="Hub"), body=SENTENCE.format("hub")),
    MadePage(
        made=_made("/chain", BIKE, 0.8, title="Chain"),
        body=SENTENCE.format("chain"),
        head='<link rel="license" href="https://creativecommons.org/licenses/by-sa/4.0/"><meta name="robots" content="noai, noarchive">',
    ),
    MadePage(made=_made("/chain-again", BIKE, 0.7, host="b.example", same=1, near=True), body=SENTENCE.format("chain")),
    MadePage(made=_made("/chain-copy", BIKE, 0.8, host="c.example", same=1), copy=1),
    MadePage(
        made=_made("/loch", GOLF, 0.2, days=10, title="Löcher"),
        language="de",
        body=SENTENCE.format("Schläger"),
        headers="X-Robots-Tag: googlebot: noindex, noarchive\r\ntdm-reservation: 1\r\n",
    ),
    MadePage(
        made=_made("/..%2f..%2fetc/passwd?q=<script>|\"'", ARTS, 0.6, title='=cmd|"; <script>\x07 \u202eexe'),
        body=SENTENCE.format("&lt;script&gt;"),
        head='<a rel=license href="/terms">terms</a>',
    ),
    MadePage(made=_made("/plain.txt", ARTS, 0.5), body=SENTENCE.format("pencil"), mime="text/plain"),
    MadePage(made=_made("/lost", ARTS, 0.4), archived=False),
    MadePage(made=_made("/old", "", 0.0, ending="redirect", same=0), language="", mime=""),
)


def make_corpus(path: Path) -> Path:
    """Make the crawl directory."""
    topics = Topics(topics=tuple(Topic(path=path, good=path == BIKE) for path in (BIKE, GOLF, ARTS)))
    urls = [one.made for one in PAGES]
    directory_of(MadeCrawl(urls=urls, links=[link(8, 0, kind="redirect")]), path, topics)
    with Archive(path / "archive", file_size=10_000_000, software="test", now=lambda: NOW) as archive:
        spots = [archive.append(_record(one)) if one.archived else None for one in PAGES]
    with closing(sqlite3.connect(CrawlDirectory.open(path).database)) as con:
        for place, (one, spot) in enumerate(zip(PAGES, spots, strict=True)):
            _note(con, place + 1, one, spot)
        con.execute(
            "INSERT INTO robots (origin, expires, fetched, status, text) VALUES ('http://a.example', 0, 0, 200, ?)",
            ("User-agent: GPTBot\nDisallow: /\nContent-Signal: ai-train=no\n",),
        )
        con.commit()
    return path


def _body(one: MadePage) -> bytes:
    if one.mime == "text/plain":
        return (one.body * 3).encode()
    menu = "<nav><ul>" + "".join(f'<li><a href="/{name}">{name}</a></li>' for name in ("Home", "Shop")) + "</ul></nav>"
    text = f"<article><h1>About it</h1><p>{one.body * 3}</p><p>{one.body * 2}</p></article>"
    return f"<html><head><title>{one.made.title}</title>{one.head}</head><body>{menu}{text}<footer>Imprint</footer></body></html>".encode()


def _record(one: MadePage) -> bytes:
    mime = f"{one.mime}; charset=utf-8" if one.mime else ""
    status = "301 Moved\r\nLocation: /hub" if one.made.ending == "redirect" else "200 OK"
    fetch = Fetch(
        url=one.made.url,
        started=one.made.fetched_at,
        finished=one.made.fetched_at,
        status=int(status[:3]),
        head=f"HTTP/1.1 {status}\r\nContent-Type: {mime}\r\n{one.headers}\r\n".encode(),
        body=b"" if one.made.ending == "redirect" else _body(one),
        request_head=f"GET / HTTP/1.1\r\nHost: {one.made.url.split('/')[2]}\r\n\r\n".encode(),
    )
    if one.copy is None:
        return exchange_record(fetch)
    first = PAGES[one.copy]
    return revisit_record(fetch, first.made.url, first.made.fetched_at, payload_digest(_body(first)))


def _note(con: sqlite3.Connection, n: int, one: MadePage, spot: ArchiveSpot | None) -> None:
    first = one if one.copy is None else PAGES[one.copy]
    place = (None, None, None) if spot is None else (spot.file, spot.offset, spot.length)
    con.execute(
        "UPDATE pages SET language = ?, mime = ?, digest = ?, archive_file = ?, archive_offset = ?, archive_length = ? "
        "WHERE n = ?",
        (one.language, one.mime, payload_digest(_body(first)), *place, n),
    )
