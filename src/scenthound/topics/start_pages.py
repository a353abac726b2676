"""Where a crawl starts: at the example URLs of good topics and leads, and at the links of their example files."""

import shlex
from collections.abc import Iterator
from pathlib import Path

from scenthound.parse.charset import charset_of, decode
from scenthound.parse.sniff import effective_type
from scenthound.parse.urls import canonical, host_of
from scenthound.taxonomy import Topics

_NOWHERE = "file.invalid"  # the unknown host of a file, so that relative links are recognised (RFC 2606)
_LARGEST = 10_000_000  # bytes of a file that is read; twice what a web page may have


def seeds_of(topics: Topics, *, folder: Path) -> list[str]:
    """Return the URLs that a crawl starts from: canonical, each once, in the order of the topics file.

    Example files are read from `folder`; one that cannot be read has no links.
    """
    return list(dict.fromkeys(_seeds(topics, folder)))


def what_is_missing(topics: Topics, directory: Path) -> str:
    """Say why the crawl has nothing to start from, and which command helps."""
    command = ["scenthound", "topics", str(directory)]
    if not topics.good:
        return f"has no good topic; mark one with: {shlex.join(command)} mark TOPIC"
    command += ["example", "add", topics.good[0].path]
    return f"has no URL to start from; add one with: {shlex.join(command)} https://www.example.org/page"


def _seeds(topics: Topics, folder: Path) -> Iterator[str]:
    followed = [topic for topic in topics.topics if topics.is_followed(topic.path)]
    for topic in followed:
        yield from filter(None, map(canonical, topic.example_urls))
    for topic in followed:
        for name in topic.example_files:
            yield from links_of_file(folder / name)


def links_of_file(path: Path) -> list[str]:
    """Return the absolute links of an HTML file. Relative ones are unknown, because the file has no URL."""
    try:
        if path.stat().st_size > _LARGEST:
            return []
        body = path.read_bytes()
    except OSError:
        return []
    if effective_type("", body) not in ("text/html", "application/xhtml+xml"):
        return []
    # Reading HTML loads numpy, which takes 0.1 s; most commands only want to know the start pages of plain URLs.
    from scenthound.parse.markup.html import parse
    from scenthound.parse.markup.page_links import sayings

    markup = decode(body, charset_of(body)).encode("utf-8", "replace")
    said = sayings(parse(markup), f"http://{_NOWHERE}/", product="robots")
    return [link.url for link in said.links if host_of(link.url) != _NOWHERE and not link.nofollow]
