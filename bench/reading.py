"""Print how long reading a page takes, stage by stage: `python bench/reading.py [--web schools] [--every 5] [--rounds
5]`.

The pages are those of an archived web in $SCENTHOUND_WEBS (or ../shared/webs). Each stage runs over all pages in turn;
printed is the processor time of the fastest of several rounds, because whatever else the machine does only ever adds to
it. "Lexbor alone" is the yardstick: 0.17 ms on a quiet core, so that a busy machine shows.
"""

import argparse
import gc
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import mean
from time import process_time
from typing import Any

from selectolax.lexbor import LexborHTMLParser
from warcio.archiveiterator import ArchiveIterator  # type: ignore[import-untyped]

from scenthound.crawl.readers.reader import Job, ReaderOptions, work_on
from scenthound.parse import page
from scenthound.parse.charset import charset_of
from scenthound.parse.content_encoding import unpack
from scenthound.parse.digest import digest_of
from scenthound.parse.markup.html import parse
from scenthound.parse.markup.markup_guard import tame
from scenthound.parse.markup.page_links import parted, sayings
from scenthound.parse.shapes import shape_of
from scenthound.parse.sniff import effective_type
from scenthound.parse.urls import Joiner
from scenthound.parse.words.fingerprint import fingerprint
from scenthound.types import Fetch, Reading

TYPES = ["text/html", "application/xhtml+xml", "text/plain"]
PRODUCT = "scenthound"
LIMIT = 20_000_000
OPTIONS = ReaderOptions(types=tuple(TYPES), max_unpacked=LIMIT, product=PRODUCT, memory=1_000, archive=True)


def main() -> None:
    options = arguments()
    pages = [fetch for number, fetch in enumerate(fetches(web(options.web))) if number % options.every == 0]
    size = mean(len(fetch.body) for fetch in pages) / 1000
    readings = list(map(read, pages))
    links = mean(len(reading.links) for reading in readings)
    words = mean(reading.words for reading in readings)
    print(f"{options.web}: {len(pages)} pages of {size:.1f} KB, {links:.0f} links and {words:.0f} words on average")
    prepared = list(stages(pages))
    gc.freeze()  # the pages kept here for the stages must not be looked through at every collection
    for name, stage, inputs in prepared:
        best = min(seconds(stage, inputs) for _ in range(options.rounds))
        print(f"{name:34} {best / len(pages) * 1000:7.3f} ms a page", flush=True)


def stages(pages: list[Fetch]) -> Iterator[tuple[str, Callable[[Any], object], list[Any]]]:
    """Yield the name of each stage, what it does, and what it does that to."""
    bodies = [page.body for page in pages]
    trees = [(parse(utf8(body)), fetch.url) for body, fetch in zip(bodies, pages, strict=True)]
    links = [(tree, sayings(tree, url, PRODUCT).links) for tree, url in trees]
    texts = [parted(tree.leaves, found)[0] for tree, found in links]
    hrefs = [(url, [mark.get("href") for mark in tree.marks if mark.tag == "a"]) for tree, url in trees]
    yield "unpack", lambda fetch: unpack(fetch.body, fetch.coding, LIMIT), pages
    yield "type", lambda body: effective_type("text/html", body), bodies
    yield "charset, to UTF-8", utf8, bodies
    yield "Lexbor alone", LexborHTMLParser, bodies
    yield "guard", tame, bodies
    yield "guard, parse, leaves, marks", lambda body: parse(body), bodies
    yield "links, language, wishes", lambda pair: sayings(pair[0], pair[1], PRODUCT), trees
    yield "  of which joining URLs", lambda pair: list(map(Joiner(pair[0]), pair[1])), hrefs
    yield "  of which shapes", lambda pair: [shape_of(link.url) for link in pair[1]], links
    yield "text outside and inside links", lambda pair: parted(pair[0].leaves, pair[1]), links
    yield "fingerprint", fingerprint, texts
    yield "digest", digest_of, bodies
    yield "read, all of it", read, pages
    jobs = [Job(fetch=page, understand=True) for page in pages]
    for size in (1, 4, 16):
        bundles = [jobs[at : at + size] for at in range(0, len(jobs), size)]
        yield f"read and archived, {size} side by side", lambda bundle: work_on(bundle, OPTIONS), bundles


def read(fetch: Fetch) -> Reading:
    return page.read(fetch, types=TYPES, max_unpacked=LIMIT, product=PRODUCT)


def utf8(body: bytes) -> bytes:
    return page._as_utf8(body, charset_of(body))


def seconds(stage: Callable[[Any], object], inputs: list[Any]) -> float:
    started = process_time()
    for value in inputs:
        stage(value)
    return process_time() - started


def web(name: str) -> Path:
    default = Path(__file__).resolve().parents[1].parent / "shared" / "webs"
    path = Path(os.environ.get("SCENTHOUND_WEBS", default)) / f"{name}.warc.gz"
    if not path.exists():
        sys.exit(f"{path} is not there; set SCENTHOUND_WEBS to the folder that holds {name}.warc.gz")
    return path


def fetches(path: Path) -> Iterator[Fetch]:
    """Yield the responses of an archive as if they had just been fetched."""
    with path.open("rb") as stream:
        for record in ArchiveIterator(stream):
            if record.rec_type == "response":
                url = record.rec_headers.get_header("WARC-Target-URI")
                body = record.content_stream().read()
                head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"
                yield Fetch(url=url, started=0.0, finished=0.0, status=200, mime="text/html", head=head, body=body)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--web", default="schools", choices=["schools", "messy", "webkb"])
    parser.add_argument("--every", type=int, default=5, help="take each n-th page")
    parser.add_argument("--rounds", type=int, default=5, help="rounds of which the fastest counts")
    return parser.parse_args()


if __name__ == "__main__":
    main()
