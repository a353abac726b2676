"""Dumps of a made-up web directory, as small or as large as a test needs, in the form and with the flaws of
dmoz.org's.
"""

import random
from collections.abc import Iterator, Mapping
from pathlib import Path

HEAD = b"""<?xml version='1.0' encoding='UTF-8' ?>
<RDF xmlns:r="http://www.w3.org/TR/RDF/"
     xmlns:d="http://purl.org/dc/elements/1.0/"
     xmlns="http://dmoz.org/rdf">
<!-- Generated at 2016-11-20 00:05:43 -->
<Topic r:id="">
  <catid>1</catid>
</Topic>
<Topic r:id="Top">
  <catid>2</catid>
</Topic>
"""


def dump(listing: Mapping[str, list[str]], *, links: bool = True, pages: bool = True) -> bytes:
    """Write topics with their pages: in the topics' links, as the oldest dumps, or at the pages, or (as most) in both."""
    return (
        HEAD + b"".join(entry(topic, urls, links=links, pages=pages) for topic, urls in listing.items()) + b"</RDF>\n"
    )


def entry(topic: str, urls: list[str], *, links: bool = True, pages: bool = True) -> bytes:
    linked = "".join(f'  <link r:resource="{url}"></link>\n' for url in urls) if links else ""
    paged = "".join(
        f'<ExternalPage about="{url}">\n  <d:Title>A page & more</d:Title>\n  <d:Description>About {url}</d:Description>\n'
        f"  <topic>{topic}</topic>\n</ExternalPage>\n"
        for url in urls
    )
    return f'<Topic r:id="{topic}">\n  <catid>7</catid>\n{linked}</Topic>\n{paged if pages else ""}'.encode()


def write_large(path: Path, *, megabytes: int, topics: int, seed: int = 1) -> None:
    """Write a dump of about so many bytes, pages spread over topics as unevenly as in a real one."""
    with path.open("wb") as file:
        file.write(HEAD)
        for piece in _pieces(random.Random(seed), topics):
            if file.tell() > megabytes * 1_000_000:
                break
            file.write(piece)


def _pieces(chance: random.Random, topics: int) -> Iterator[bytes]:
    page = 0
    while True:
        number = int(topics * chance.random() ** 3)
        size = min(400, int(chance.paretovariate(0.7)))
        urls = [f"http://www.site{page + i}.example/directory/page{i}.html" for i in range(size)]
        page += size
        yield entry(f"Top/Area{number % 15}/Field{number % 200}/Topic{number}", urls)
