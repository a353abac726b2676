"""Databases of small crawls, written by hand: pages with relevance and topic, links between them, nothing fetched."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from importlib.resources import files
from itertools import count
from pathlib import Path

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.parse.urls import domain_of, host_of
from scenthound.store.sqlite.links import url_key
from scenthound.store.sqlite.store import SqliteStore
from scenthound.taxonomy import Topics


@dataclass(frozen=True, slots=True, kw_only=True)
class MadeUrl:
    """A URL of a small crawl. `same` is the place in the crawl of what it redirects to or repeats."""

    url: str
    ending: str = "page"
    relevance: float | None = None
    topic: str = ""
    same: int | None = None
    near: bool = False
    title: str = ""
    last_modified: str | None = None
    fetched_at: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class MadeLink:
    """A link between two places of a small crawl."""

    source: int
    target: int
    kind: str = "anchor"
    nofollow: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class MadeCrawl:
    """A small crawl. The id of a URL is its place plus one, and fetch order is that of the places."""

    urls: Sequence[MadeUrl]
    links: Sequence[MadeLink]


def page(url: str, relevance: float | None = None, **more: object) -> MadeUrl:
    return MadeUrl(url=url, relevance=relevance, **more)  # type: ignore[arg-type]


def link(source: int, target: int, **more: object) -> MadeLink:
    return MadeLink(source=source, target=target, **more)  # type: ignore[arg-type]


@contextmanager
def database_of(crawl: MadeCrawl) -> Iterator[sqlite3.Connection]:
    """Write a crawl into a new database in memory and keep it open."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as con:
        con.executescript((files("scenthound.store.sqlite") / "schema.sql").read_text(encoding="utf-8"))
        _write(con, crawl)
        yield con


def directory_of(crawl: MadeCrawl, path: Path, topics: Topics) -> Path:
    """Make a crawl directory with a crawl in it."""
    directory = CrawlDirectory.create(path, topics=topics)
    with SqliteStore(directory.database):
        pass  # makes the tables
    with closing(sqlite3.connect(directory.database, isolation_level=None)) as con:
        _write(con, crawl)
    return path


def add_page(path: Path, made: MadeUrl) -> None:
    """Let a crawl in a directory have fetched one more page, of a host that it did not know."""
    add_pages(path, [made])


def add_pages(path: Path, made: Sequence[MadeUrl]) -> None:
    """Let a crawl in a directory have fetched more pages, each of a host that it did not know."""
    with closing(sqlite3.connect(path / "crawl.db", isolation_level=None)) as con:
        con.execute("BEGIN")
        place = con.execute("SELECT count(*) FROM finds").fetchone()[0]
        host = con.execute("SELECT count(*) FROM hosts").fetchone()[0] + 1
        for number, one in enumerate(made):
            name = host_of(one.url)
            con.execute(
                "INSERT INTO hosts (id, name, domain, state) VALUES (?, ?, ?, 'idle')",
                (host + number, name, domain_of(name)),
            )
            _write_url(con, place + number, one, host + number)
        con.execute("COMMIT")


def _write(con: sqlite3.Connection, crawl: MadeCrawl) -> None:
    con.execute("BEGIN")
    hosts = _write_hosts(con, crawl.urls)
    for place, made in enumerate(crawl.urls):
        _write_url(con, place, made, hosts[host_of(made.url)])
    _write_links(con, crawl.links)
    con.execute("COMMIT")


def _write_hosts(con: sqlite3.Connection, urls: Sequence[MadeUrl]) -> dict[str, int]:
    hosts = {host: number for number, host in enumerate(dict.fromkeys(host_of(made.url) for made in urls), 1)}
    rows = [(number, host, domain_of(host)) for host, number in hosts.items()]
    con.executemany("INSERT INTO hosts (id, name, domain, state) VALUES (?, ?, ?, 'idle')", rows)
    return hosts


def _write_url(con: sqlite3.Connection, place: int, made: MadeUrl, host: int) -> None:
    id = place + 1
    con.execute(
        "INSERT INTO finds (id, host_id, key, url, found_at, found_by) VALUES (?, ?, ?, ?, ?, 'anchor')",
        (id, host, url_key(made.url), made.url, made.fetched_at),
    )
    state = {"waiting": 0, "page": 2, "redirect": 3, "failed": 4}[made.ending]
    con.execute(
        "INSERT INTO standings (host_id, key, id, state, priority, demoted, depth, hops) VALUES (?, ?, ?, ?, 0, 0, 0, 0)",
        (host, url_key(made.url), id, state),
    )
    if made.ending != "waiting":
        _write_page(con, id, made)
        con.execute(_TRY, (id, made.fetched_at, made.ending))


_TRY = """
INSERT INTO fetches (url_id, at, errand, ending, detail, status, seconds, ip) VALUES (?, ?, 'page', ?, '', 200, 0.1, '')"""


def _write_page(con: sqlite3.Connection, id: int, made: MadeUrl) -> None:
    same = None if made.same is None else made.same + 1
    values = {
        "n": id,
        "url_id": id,
        "ending": made.ending,
        "title": made.title or made.url,
        "relevance": made.relevance,
        "topic": made.topic,
        "target_id": same if made.ending == "redirect" else None,
        "duplicate_of": same if made.ending == "page" and not made.near else None,
        "near_duplicate_of": same if made.ending == "page" and made.near else None,
        "last_modified": made.last_modified,
        "fetched_at": made.fetched_at,
        "captured_at": made.fetched_at,
        "counts": 1,
        "status": 200,
        "words": 100,
        "critic": 1,
        "seconds": 0.1,
        "bytes": 1000,
        "mime": "text/html",
        **dict.fromkeys(("charset", "language", "digest", "payload"), ""),
    }
    marks = ", ".join(f":{name}" for name in values)
    con.execute(f"INSERT INTO pages ({', '.join(values)}) VALUES ({marks})", values)


def _write_links(con: sqlite3.Connection, links: Sequence[MadeLink]) -> None:
    position = count()
    rows = [(one.source + 1, next(position), one.target + 1, one.kind, one.nofollow) for one in links]
    con.executemany("INSERT INTO links VALUES (?, ?, ?, ?, 'words', -1, -1, ?)", rows)
