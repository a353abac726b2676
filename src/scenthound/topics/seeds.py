"""Where a crawl starts: the addresses of good topics' examples, and what their example files link to.

An example at an address has its links followed once it is fetched; one in a file has them followed just the same.
"""

import shlex
from collections.abc import Iterator
from pathlib import Path

from scenthound.parse.charset import charset_of, decode
from scenthound.parse.html import parse
from scenthound.parse.links import sayings
from scenthound.parse.sniff import effective_type
from scenthound.parse.urls import canonical, host_of
from scenthound.taxonomy import Topics

_NOWHERE = "file.invalid"  # stands for the unknown address of a file, so that relative links can be told (RFC 2606)
_LARGEST = 10_000_000  # bytes of a file that is looked into; a page of the web may have half as many


def seeds_of(topics: Topics, *, folder: Path) -> list[str]:
    """Return the addresses that a crawl starts from, in canonical form, each once, in the order of the topics file.

    Files among the examples are looked for in `folder`; one that cannot be read has no links.
    """
    return list(dict.fromkeys(_seeds(topics, folder)))


def what_is_missing(topics: Topics, directory: Path) -> str:
    """Say why there is nothing to start from, and which command adds it."""
    command = ["scenthound", "topics", str(directory)]
    if not topics.good:
        return (
            f"has no good topic, so that nothing would be looked for; mark one with: {shlex.join(command)} mark TOPIC"
        )
    command += ["example", "add", topics.good[0].path]
    return f"needs an address to start from; add one with: {shlex.join(command)} https://www.example.org/page"


def _seeds(topics: Topics, folder: Path) -> Iterator[str]:
    good = [topic for topic in topics.topics if topics.is_good(topic.path)]
    for topic in good:
        yield from filter(None, map(canonical, topic.example_urls))
    for topic in good:
        for name in topic.example_files:
            yield from links_of_file(folder / name)


def links_of_file(path: Path) -> list[str]:
    """Return what an HTML file links to, as far as that can be said without knowing the file's own address."""
    try:
        if path.stat().st_size > _LARGEST:
            return []
        body = path.read_bytes()
    except OSError:
        return []
    if effective_type("", body) not in ("text/html", "application/xhtml+xml"):
        return []
    markup = decode(body, charset_of(body)).encode("utf-8", "replace")
    said = sayings(parse(markup), f"http://{_NOWHERE}/", product="robots")
    return [link.url for link in said.links if host_of(link.url) != _NOWHERE and not link.nofollow]
