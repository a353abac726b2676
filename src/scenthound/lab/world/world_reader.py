"""Reads a world: every exchange of an origin goes through the readers of a crawl once, and into the world's file.

The readers are those of a crawl (`crawl.readers.pool`), with limits of time and memory for each page. The output keeps
the order of the origin's addresses, with any number of readers.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import BinaryIO

from scenthound.crawl.readers.pool import ReaderPool, reader_options
from scenthound.fetch.held import is_readable
from scenthound.lab.world.world_file import WorldWriter
from scenthound.lab.world.world_sources import Origin, WorldSource, origin_of
from scenthound.settings.schema import Settings
from scenthound.types import Fetch, Reading

# Seconds before a page is given up. A crawl is less patient, but here a busy machine must not change the world.
PATIENCE = 120.0
AHEAD = 24  # exchanges under way at once: as many as four readers take


@dataclass(frozen=True, slots=True, kw_only=True)
class WorldProgress:
    """The progress of reading a world. `total` may grow once, if pages lead to more of it."""

    world: str
    done: int
    total: int


Watcher = Callable[[WorldProgress], None]


def unwatched(_progress: WorldProgress) -> None:
    """Ignore the progress."""


def read_world(source: WorldSource, file: BinaryIO, *, workers: int = 0, watch: Watcher = unwatched) -> None:
    """Read everything of a source into a world's file; 0 workers means one per core, up to four."""
    settings = Settings()
    origin, writer = origin_of(source, settings.fetch), WorldWriter(file, title=source.title)
    asyncio.run(_Reading(source.name, origin, writer, settings, watch).run(workers))


class _Reading:
    def __init__(self, name: str, origin: Origin, writer: WorldWriter, settings: Settings, watch: Watcher) -> None:
        self._name = name
        self._origin = origin
        self._writer = writer
        self._settings = settings
        self._watch = watch
        self._done = 0

    async def run(self, workers: int) -> None:
        options = reader_options(self._settings, terms=True, stream=True, text=True)
        async with ReaderPool(options, workers=workers, timeout=PATIENCE) as pool:
            await self._read(self._origin.addresses(), pool)
            await self._read(self._origin.beyond(self._writer.linked), pool)
        self._writer.finish(self._origin.labels())

    async def _read(self, urls: Sequence[str], pool: ReaderPool) -> None:
        under_way: deque[tuple[Fetch, asyncio.Task[Reading]]] = deque()
        total = self._done + len(urls)
        for url in urls:
            fetch = self._origin.fetch(url)
            under_way.append((fetch, asyncio.create_task(_understood(fetch, pool))))
            if len(under_way) == AHEAD:
                await self._write(*under_way.popleft(), total)
        while under_way:
            await self._write(*under_way.popleft(), total)

    async def _write(self, fetch: Fetch, reading: asyncio.Task[Reading], total: int) -> None:
        self._writer.add(fetch, await reading)
        self._done += 1
        self._watch(WorldProgress(world=self._name, done=self._done, total=total))


async def _understood(fetch: Fetch, pool: ReaderPool) -> Reading:
    """Return the reader's result of an exchange; for one without a page, only its type."""
    return await pool.read(fetch) if is_readable(fetch) else Reading(mime=fetch.mime)
