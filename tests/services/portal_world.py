"""A small crawl with an archive, made without fetching: pages with their markup and headers, and links between them."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from scenthound.archive.files import Archive
from scenthound.archive.warc import exchange_record
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.taxonomy import Topic, Topics
from scenthound.types import Fetch
from tests.distill.small_crawls import MadeCrawl, MadeLink, MadeUrl, directory_of, link

TOURING, RACING = "Sport/Cycling/Touring", "Sport/Cycling/Racing"
TOPICS = Topics(topics=(Topic(path=TOURING, good=True), Topic(path=RACING, good=True), Topic(path="Home")))


@dataclass(frozen=True, slots=True, kw_only=True)
class WorldPage:
    """A page of the world; `text` is its main text, `head` what stands in its head and `headers` are sent with it."""

    url: str
    title: str
    text: str = "A pannier holds what a rider needs for a week on quiet roads along the river and over the pass."
    topic: str = TOURING
    relevance: float = 0.9
    head: str = ""
    headers: Sequence[str] = field(default=())
    fetched_at: float = 1_790_000_000.0


PAGES = (
    WorldPage(
        url="http://hub.test/", title="Links for cyclists", text="Where to ride, and with whom: a list of pages."
    ),
    WorldPage(url="http://tours.test/river", title="Along the river", fetched_at=1_790_100_000.0),
    WorldPage(url="http://tours.test/pass", title="Over the Überpass", text="The derailleur sings on the climb. " * 5),
    WorldPage(
        url="http://race.test/",
        title="Spring classics",
        topic=RACING,
        text="Cobbles and crosswinds decide a race. " * 4,
    ),
    WorldPage(url="http://cake.test/", title="Cakes", topic="Home", relevance=0.1),
    WorldPage(url="http://shy.test/", title="No copies", head='<meta name="robots" content="noarchive">'),
    WorldPage(url="http://hidden.test/", title="Not listed", headers=("X-Robots-Tag: noindex",)),
)
LINKS = tuple(link(source, target) for source, target in ((0, 1), (0, 2), (0, 3), (3, 1), (3, 2), (1, 3)))


def world(
    path: Path,
    pages: Sequence[WorldPage] = PAGES,
    links: Sequence[MadeLink] = LINKS,
    topics: Topics = TOPICS,
    fetches: Sequence[Fetch] = (),
) -> Path:
    """Make the crawl; with `fetches`, these are what the archive has of the pages."""
    urls = [
        MadeUrl(url=page.url, relevance=page.relevance, topic=page.topic, title=page.title, fetched_at=page.fetched_at)
        for page in pages
    ]
    directory = CrawlDirectory.open(directory_of(MadeCrawl(urls=urls, links=links), path, topics))
    with Archive(directory.archive, file_size=10_000_000, software="test") as archive:
        spots = [archive.append(exchange_record(fetch)) for fetch in fetches or map(_fetch, pages)]
    with closing(sqlite3.connect(directory.database)) as con, con:
        con.executemany(
            "UPDATE pages SET archive_file = ?, archive_offset = ?, archive_length = ? WHERE n = ?",
            [(spot.file, spot.offset, spot.length, n) for n, spot in enumerate(spots, 1)],
        )
    return path


def _fetch(page: WorldPage) -> Fetch:
    body = f"<html><head><title>{page.title}</title>{page.head}</head><body><p>{page.text}</p></body></html>".encode()
    head = "\r\n".join(("HTTP/1.1 200 OK", "Content-Type: text/html; charset=utf-8", *page.headers, "", "")).encode()
    return Fetch(url=page.url, started=1.0, finished=2.0, status=200, mime="text/html", head=head, body=body)
