"""Reading a world: every exchange of an origin goes through the readers of a crawl once, and into the world's file.

The readers are those that ship (`crawl.pool`), each page guarded in time and memory; what comes out is written in the order of
the origin's addresses, however many readers there are.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import BinaryIO

from scenthound.config import Settings
from scenthound.crawl.pool import ReaderPool, reader_options
from scenthound.fetch.held import is_readable
from scenthound.lab.sources import Origin, WorldSource, origin_of
from scenthound.lab.world_file import WorldWriter
from scenthound.types import Fetch, Reading

# A page is given up after this many seconds. A crawl is less patient, but here a busy machine must not change the world.
PATIENCE = 120.0
AHEAD = 24  # exchanges under way at once: as many as four readers take


@dataclass(frozen=True, slots=True, kw_only=True)
class WorldProgress:
    """How far the reading of a world has come. `total` may grow once, where pages lead to more that belongs to it."""

    world: str
    done: int
    total: int


Watcher = Callable[[WorldProgress], None]


def unwatched(_progress: WorldProgress) -> None:
    """Look at nothing."""


def read_world(source: WorldSource, file: BinaryIO, *, workers: int = 0, watch: Watcher = unwatched) -> None:
    """Read all that a source has into a world's file; 0 workers is one for each core, up to four."""
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
    """Return what a crawl's reader says of an exchange; of one without a page that is no more than its type."""
    return await pool.read(fetch) if is_readable(fetch) else Reading(mime=fetch.mime)
