"""How long a portal takes, how large it is, and how little is done when nothing or a little has changed.

The demo crawl, and a crawl of made pages: each has 2 KB of text of the schools web, a menu, a title with a number of its
own, a topic and a site. They are read from an archive, as those of a real crawl are. `python -m bench.portal --pages N`
measures on so many pages; with `--whole` each has the whole markup of a schools page, 17 KB.
"""

import argparse
import html
import json
import re
import sqlite3
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from itertools import islice
from pathlib import Path

from bench.figures import Figure, Report, at_most
from bench.made_crawl import make_crawl
from bench.reading import fetches
from bench.running import Run, measured, python_module
from bench.serving import SCHOOLS, missing, webs_file
from scenthound.archive.files import Archive
from scenthound.archive.warc import exchange_record
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.taxonomy import Topic, Topics
from scenthound.topics.topics_text import rewritten

QUICK_PAGES, PAGES = 5_000, 100_000
LONGEST = 1_800.0  # seconds that a run may take on a busy machine
KINDS = 1_500  # contents of the schools web that the made pages have
TOPICS = tuple(f"Subject {number % 5}/Topic {number}" for number in range(20))
ADDED = 200  # pages that come before the last run


def run(*, quick: bool = False) -> Report:
    """Measure the demo crawl and made pages."""
    warc = webs_file(SCHOOLS)
    if warc is None:
        return Report(skipped=missing(SCHOOLS))
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        return Report(figures=(*demo(place), *made(place, warc, QUICK_PAGES if quick else PAGES)))


def demo(place: Path) -> Iterator[Figure]:
    """Publish the demo crawl."""
    measured(python_module("scenthound", "demo", "--dir", str(place / "demo")), limit=LONGEST)
    yield from _published("demo crawl", place / "demo", place / "demo-site")


def made(place: Path, warc: Path, pages: int, *, whole: bool = False) -> Iterator[Figure]:
    """Publish made pages: all at once, again, and again with some more."""
    directory = made_pages(place / "made", warc, pages, whole=whole)
    _show(directory, pages - ADDED)
    yield from _published(f"{pages:,} pages", directory.path, place / "made-site")
    _show(directory, pages)
    more = _portal(directory.path, place / "made-site")
    yield Figure(name=f"{pages:,} pages, with {ADDED} new", value=more.seconds, unit="s")
    yield Figure(name=f"{pages:,} pages, with {ADDED} new, processor", value=more.cpu, unit="s")
    yield Figure(name=f"{pages:,} pages, with {ADDED} new, written", value=more.json()["written"], unit="files")


def _published(name: str, crawl: Path, site: Path) -> Iterator[Figure]:
    first, again = _portal(crawl, site), _portal(crawl, site)
    told = first.json()
    scripts = [path.stat().st_size for path in site.rglob("*.js")]
    yield Figure(name=f"{name}, shown", value=told["pages"], unit="pages")
    yield Figure(name=f"{name}, by the clock", value=first.seconds, unit="s", goal=at_most(120))
    yield Figure(name=f"{name}, processor", value=first.cpu, unit="s")
    yield Figure(name=f"{name}, processor of the process that writes", value=told["alone"], unit="s")
    yield Figure(name=f"{name}, most memory of a process", value=told["peak"], unit="MB")
    yield Figure(name=f"{name}, nothing changed, by the clock", value=again.seconds, unit="s", goal=at_most(10))
    yield Figure(name=f"{name}, nothing changed, processor", value=again.cpu, unit="s")
    yield Figure(name=f"{name}, nothing changed, written", value=again.json()["written"], unit="files", goal=at_most(0))
    yield Figure(name=f"{name}, site", value=told["bytes"] / 1e6, unit="MB")
    yield Figure(name=f"{name}, files", value=told["files"])
    yield Figure(name=f"{name}, largest page", value=told["largest"] / 1000, unit="KB", goal=at_most(200))
    yield Figure(name=f"{name}, largest file of the index", value=max(scripts) / 1000, unit="KB", goal=at_most(200))


_PROGRAM = """
import json, resource, sys
from pathlib import Path
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.services.portal.portal_types import PortalWish
from scenthound.services.portal.publication import publish
if __name__ == "__main__":
    made = publish(CrawlDirectory.open(sys.argv[1]), PortalWish(out=Path(sys.argv[2])))
    own, others = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    peak = max(own.ru_maxrss, others.ru_maxrss) / 1000
    print(json.dumps(made.as_table() | {"peak": peak, "alone": own.ru_utime + own.ru_stime}))
"""


def _portal(crawl: Path, site: Path) -> Run:
    program = site.parent / "program.py"
    program.write_text(_PROGRAM, encoding="utf-8")
    return measured([sys.executable, str(program), str(crawl), str(site)], limit=LONGEST)


def made_pages(path: Path, warc: Path, pages: int, *, whole: bool) -> CrawlDirectory:
    """Make a crawl with an archive, all of whose pages are on topic."""
    directory = make_crawl(path, pages)
    topics = Topics(topics=tuple(Topic(path=name, good=True) for name in TOPICS))
    directory.topics_file.write_text(rewritten("", topics), encoding="utf-8")
    titles, spots = [], []
    with Archive(directory.archive, file_size=1_000_000_000, software="bench") as archive:
        for fetch in islice(fetches(warc), KINDS):
            spots.append(archive.append(exchange_record(fetch if whole else replace(fetch, body=_short(fetch.body)))))
            titles.append(_title(fetch.body))
    rows = (
        (TOPICS[n * 7 % len(TOPICS)], f"{titles[n % len(spots)]} {n}", spot.file, spot.offset, spot.length, n)
        for n in range(1, pages + 1)
        for spot in (spots[n % len(spots)],)
    )
    with closing(sqlite3.connect(directory.database)) as con, con:
        con.executemany(
            "UPDATE pages SET relevance = 0.5 + n % 997 / 2000.0, topic = ?, title = ?, archive_file = ?, "
            "archive_offset = ?, archive_length = ? WHERE n = ?",
            rows,
        )
    return directory


def _title(body: bytes) -> str:
    found = re.search(rb"<title>(.*?)</title>", body, re.IGNORECASE | re.DOTALL)
    return " ".join(html.unescape(found[1].decode("utf-8", "replace")).split()) if found else ""


def _short(body: bytes) -> bytes:
    """Return a page with a menu and four paragraphs of the text of another one."""
    text = b" ".join(re.sub(rb"<(script|style).*?</\\1>|<[^>]*>", b" ", body, flags=re.DOTALL).split())
    paragraphs = b"".join(b"<p>%s</p>" % text[start : start + 500] for start in range(500, 2_500, 500))
    menu = b"".join(b"<li><a href='/%d'>Part %d</a></li>\n" % (number, number) for number in range(10))
    return b"<html><head><title>%s</title></head><body><ul>%s</ul>%s</body></html>" % (
        html.escape(_title(body)).encode(), menu, paragraphs
    )  # fmt: skip


def _show(directory: CrawlDirectory, pages: int) -> None:
    """Make the first pages repeat no other, and all that come behind them repeat the first."""
    with closing(sqlite3.connect(directory.database)) as con, con:
        con.execute("UPDATE pages SET duplicate_of = CASE WHEN n > ? THEN 1 END WHERE n > ?", (pages, pages - ADDED))
        con.execute("UPDATE counters SET value = value + 1 WHERE name = 'relevance_sum'")  # as judgements do


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=QUICK_PAGES)
    parser.add_argument("--whole", action="store_true", help="give each page the whole markup of a schools page")
    options = parser.parse_args()
    warc = webs_file(SCHOOLS)
    if warc is None:
        print(json.dumps({"skipped": missing(SCHOOLS)}))
        return
    with tempfile.TemporaryDirectory() as folder:
        for figure in made(Path(folder), warc, options.pages, whole=options.whole):
            print(f"{figure.name:55} {figure.value:12,.1f} {figure.unit}", flush=True)


if __name__ == "__main__":
    main()
