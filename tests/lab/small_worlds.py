"""A small labelled web for tests of the lab: birds, fish and pots, a host each, archived in a WARC file.

with small_world(tmp_path) as world:
    assert world.find(page("birds", 0)) == 0

Page n of a topic links to the next two of its own, and every other page also to page n of the next topic. Besides,
there is an unlabelled hub that links to the first pages of all, and what every web has: a redirect, a dead link, links
that lead
out.
"""

import gzip
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from scenthound.lab.world.world import World, open_world
from scenthound.lab.world.world_sources import WorldSource
from tests.made_once import shared_folder

TOPICS = {"birds": "Nature/Birds", "fish": "Nature/Fish", "pots": "Crafts/Pottery"}
WORDS = {
    "birds": "wren robin plumage nest feather warbler beak migration song egg wing finch hatch flock perch",
    "fish": "trout salmon gill fin scale spawn river reef shoal tackle bait cod herring tide pike",
    "pots": "clay kiln glaze wheel slip bowl handle firing stoneware porcelain rim throwing bisque jug oxide",
}
COMMON = "people year time world small large place found often during about many different called water"
PAGES = 8  # of each topic
HUB = "http://hub.test/"
MOVED = "http://birds.test/moved"  # redirects to page 3
GONE = "http://fish.test/gone"  # a 404 that was archived
OUTSIDE = "http://elsewhere.test/"  # linked to, and not archived


@dataclass(frozen=True, slots=True, kw_only=True)
class Capture:
    """A response as it lies in a WARC file; `fields` come on top of those that every record has."""

    url: str
    body: bytes = b""
    status: str = "200 OK"
    headers: tuple[tuple[str, str], ...] = (("Content-Type", "text/html; charset=utf-8"),)
    fields: tuple[tuple[str, str], ...] = ()
    type: str = "response"


def page(subject: str, number: int) -> str:
    """Return the address of a page."""
    return f"http://{subject}.test/{number}.html"


def small_world(folder: Path, *, pages: int = PAGES) -> World:
    """Write the small web into a folder and open it as a world."""
    return opened(small_source(folder, pages=pages), folder)


def opened(source: WorldSource, folder: Path) -> World:
    """Open a world with a cache in this folder."""
    return open_world(source, cache=folder / "cache", workers=1)


def demo_world(factory: pytest.TempPathFactory) -> World:
    """Open the demo web as a world. It takes half a minute to make, so all workers of a run share one."""
    return open_world(WorldSource(name="demo", demo=7), cache=shared_cache(factory), workers=1)


def shared_cache(factory: pytest.TempPathFactory) -> Path:
    """Return a cache of worlds that all workers of a run share."""
    return shared_folder(factory) / "cache"


def small_source(folder: Path, *, pages: int = PAGES) -> WorldSource:
    """Write the small web and its labels into a folder."""
    warc, labels = folder / "small.warc.gz", folder / "small.labels.tsv"
    write_warc(warc, list(captures(pages)))
    rows = [f"{page(subject, n)}\t{topic}\n" for subject, topic in TOPICS.items() for n in range(pages)]
    labels.write_text("url\ttopic\n" + "".join(rows), encoding="utf-8")
    return WorldSource(name="small", warc=(warc,), labels=labels)


def captures(pages: int = PAGES) -> Iterator[Capture]:
    """Yield the small web, response by response; the pages of a topic follow each other, birds first."""
    for subject in TOPICS:
        for number in range(pages):
            yield Capture(url=page(subject, number), body=markup(subject, number, pages).encode())
    links = "".join(f'<li><a href="{page(subject, 0)}">All about {subject}</a>' for subject in TOPICS)
    yield Capture(url=HUB, body=f"<title>Hub</title><ul>{links}<li><a href='{OUTSIDE}'>More</a></ul>".encode())
    yield Capture(url=MOVED, status="301 Moved", headers=(("Location", "/3.html"),))
    yield Capture(url=GONE, status="404 Not Found", body=b"<p>Gone.")


def markup(subject: str, number: int, pages: int = PAGES) -> str:
    """Return a page as its site shows it."""
    draw = random.Random(f"{subject} {number}")
    targets = [page(subject, (number + step) % pages) for step in (1, 2)]
    if number % 2:
        subjects = list(TOPICS)
        targets.append(page(subjects[(subjects.index(subject) + 1) % len(subjects)], number))
    targets += [MOVED, GONE, OUTSIDE] if number == 0 else []
    links = "".join(f'<li>See <a href="{target}">{target[7:]}</a></li>' for target in targets)
    text = "".join(f"<p>{sentence(subject, draw)}</p>" for _ in range(5))
    return (
        f'<html lang=en><title>{subject.title()} {number}</title><a href="{HUB}">Hub</a>{text}<ul>{links}</ul></html>'
    )


def sentence(subject: str, draw: random.Random) -> str:
    words = draw.choices(WORDS[subject].split(), k=12) + draw.choices(COMMON.split(), k=18)
    draw.shuffle(words)
    return " ".join(words) + "."


def write_warc(path: Path, responses: Sequence[Capture], *, packed: bool = True) -> Path:
    """Archive some responses, each record a gzip member of its own, or not compressed at all."""
    records = [record(response) for response in responses]
    path.write_bytes(b"".join(gzip.compress(one, mtime=0) if packed else one for one in records))
    return path


def record(capture: Capture) -> bytes:
    """Return a WARC record as an older tool would have written it."""
    lines = "".join(f"{name}: {value}\r\n" for name, value in capture.headers)
    block = f"HTTP/1.1 {capture.status}\r\n{lines}\r\n".encode() + capture.body if capture.status else b""
    fields = {"WARC-Type": capture.type, "WARC-Target-URI": capture.url, **dict(capture.fields)}
    head = "".join(f"{name}: {value}\r\n" for name, value in (*fields.items(), ("Content-Length", str(len(block)))))
    return f"WARC/1.0\r\n{head}\r\n".encode() + block + b"\r\n\r\n"
