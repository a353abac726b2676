"""A world: an archived or generated web that the lab crawls without a network.

`world_reader` reads it once into a cache. Opening it takes a fraction of a second, and pages are decoded on demand.
Pages have numbers, in the order of the archive.
"""

import sys
from collections import OrderedDict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from types import TracebackType
from typing import Self

import numpy as np
from numpy.typing import NDArray

from scenthound.counted import count
from scenthound.lab.world.cache import cache_folder, cached
from scenthound.lab.world.labels import Label, Labelling, by_topic, labelling, read_labels
from scenthound.lab.world.world_file import WorldFile
from scenthound.lab.world.world_links import under_both_schemes
from scenthound.lab.world.world_reader import Watcher, read_world, unwatched
from scenthound.lab.world.world_sources import WorldSource, check_source, labels_besides
from scenthound.parse.urls import canonical, host_of
from scenthound.types import Fetch, Reading

__all__ = ["Exchange", "World", "WorldSource", "open_world"]

# Decoded exchanges to keep: about 20 KB each with fifty links, so a world of 50,000 pages takes a gigabyte at most.
KEPT = 50_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """The answer of an address: the fetch (with a body only for robots.txt) and the reading (without leaves)."""

    fetch: Fetch
    reading: Reading


class World:
    """Made by `open_world`; use it in a `with`, or `close` it.

    A page has a status of 2xx and is readable; a robots.txt is no page. Addresses are canonical, those of the captures.
    If only one of http and https was captured, both lead to it.
    """

    def __init__(self, name: str, file: WorldFile, labels: Sequence[Label], *, told: str, fully_labelled: bool) -> None:
        self.name = name
        self.fully_labelled = fully_labelled  # or only by the examples of a crawl: then a missing label says nothing
        self._file = file
        self._given = labels
        self._told = told
        self._kept: OrderedDict[int, Exchange] = OrderedDict()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    @cached_property
    def urls(self) -> tuple[str, ...]:
        """The addresses of the pages; a page's number is its index here."""
        urls = self._file.index.urls
        return tuple(urls[exchange] for exchange in self._file.pages.tolist())

    @cached_property
    def number(self) -> Mapping[str, int]:
        """The number of a page by its address, under either scheme."""
        return under_both_schemes(self.urls)

    @cached_property
    def hosts(self) -> tuple[str, ...]:
        """The host of each page."""
        return tuple(sys.intern(host_of(url)) for url in self.urls)

    @property
    def labels(self) -> tuple[tuple[str, ...], ...]:
        """The topics of each page, sorted; most have one, some none."""
        return self._labelling.topics

    @cached_property
    def topics(self) -> tuple[str, ...]:
        """Every topic of a page's labels, and all above it, sorted."""
        return tuple(self._by_topic)

    def about(self, topic: str) -> frozenset[int]:
        """Return the pages labelled with a topic or anything below it; none for an unknown topic."""
        return self._by_topic.get(topic, frozenset())

    @cached_property
    def digest(self) -> str:
        """A digest of the content: addresses, their answers, and the labels of pages; not of files and their dates."""
        known = blake2b(self._file.index.digest.encode(), digest_size=16)
        for url, topics in zip(self.urls, self.labels, strict=True):
            if topics:
                known.update("\t".join((url, *topics, "\n")).encode())
        return known.hexdigest()

    @cached_property
    def said(self) -> str:
        """The world in words that are the same on every machine."""
        others = len(self._file.index.urls) - len(self.urls)
        size = f"{count(len(self.urls), 'page')} on {count(len(set(self.hosts)), 'host')}"
        besides = f", {others:,} more addresses that answer without one" if others else ""
        strays = self._labelling.strays
        labelled = (
            f"; {count(self._labelling.labels, 'label')} {self._told}" if self._labelling.labels else "; no labels"
        )
        missing = f", {strays:,} of them of addresses that are no page here" if strays else ""
        return f"{self._file.index.title}: {size}{besides}{labelled}{missing}"

    @property
    def link_count(self) -> int:
        """The number of links between pages, each target of a page counted once."""
        return len(self._file.targets)

    def links(self, number: int) -> NDArray[np.int32]:
        """Return the targets of a page's links, each once, in page order; redirects are followed.

        Links to itself are left out, and those marked nofollow, which a crawl does not follow.
        """
        return self._file.targets[self._file.starts[number] : self._file.starts[number + 1]]

    @property
    def addresses(self) -> Collection[str]:
        """All addresses with an answer in the archive: pages, redirects, errors; under either scheme."""
        return self._exchange_at.keys()

    def find(self, url: str) -> int | None:
        """Return the number of the page that an address leads to, redirects followed."""
        exchange = self._exchange_at.get(canonical(url) or "")
        page = _NONE if exchange is None else int(self._file.leads[exchange])
        return None if page == _NONE else page

    def exchange(self, url: str) -> Exchange | None:
        """Return the answer of a canonical address, if the archive has it."""
        number = self._exchange_at.get(url)
        if number is None:
            return None
        if number in self._kept:
            self._kept.move_to_end(number)
            return self._kept[number]
        fetch, reading = self._file.exchange(number)
        kept = self._kept[number] = Exchange(fetch=self._as_captured(fetch), reading=reading)
        if len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return kept

    def leaves(self, url: str) -> tuple[str, ...]:
        """Return the text of the leaves of a page; nothing for anything else."""
        number = self._exchange_at.get(url)
        return () if number is None else self._file.leaves(number)

    def _as_captured(self, fetch: Fetch) -> Fetch:
        """Point a redirect to the address of the capture; links of pages do so already."""
        target = canonical(fetch.location, fetch.url) if fetch.location else None
        number = self._exchange_at.get(target or "")
        if number is None or self._file.index.urls[number] == target:
            return fetch
        return replace(fetch, location=self._file.index.urls[number])

    @cached_property
    def _exchange_at(self) -> dict[str, int]:
        return under_both_schemes(self._file.index.urls)

    @cached_property
    def _labelling(self) -> Labelling:
        return labelling(self._given, pages=len(self.urls), find=self.find)

    @cached_property
    def _by_topic(self) -> dict[str, frozenset[int]]:
        return by_topic(self.labels)


_NONE = -1


def open_world(
    source: WorldSource, *, cache: Path | None = None, workers: int = 0, watch: Watcher = unwatched
) -> World:
    """Open a world; read it first if it is not in the cache, with so many processes (0: one per core).

    Labels are not cached, but read from their file each time.
    """
    check_source(source)
    labels = tuple(read_labels(source.labels)) if source.labels else labels_besides(source)
    folder = cache_folder() if cache is None else cache
    file = cached(source, folder, lambda aside: read_world(source, aside, workers=workers, watch=watch))
    if not source.labels and source.demo is not None:
        labels = tuple(Label(url=url, topic=topic) for url, topic in file.index.labels)
    told = (
        f"from {source.labels.name}"
        if source.labels
        else "of its own"
        if source.demo is not None
        else "that are its examples"
    )
    fully = source.labels is not None or source.demo is not None
    return World(source.name, file, labels, told=told, fully_labelled=fully)
