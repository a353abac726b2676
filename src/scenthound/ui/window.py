"""What views and API get: the list of crawls, their processes, and the reader of archived pages."""

import asyncio
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import Final

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.crawl.readers.pool import ReaderPool
from scenthound.crawl.readers.reader import ReaderOptions
from scenthound.services.crawls.crawl_list import Crawls
from scenthound.services.crawls.engine_process import Engine
from scenthound.services.results.archived_page import archived_page
from scenthound.settings.schema import FetchSettings
from scenthound.types import Fetch

TEXT: Final = 50_000  # characters of a page's text that are shown
_SECONDS: Final = 10.0
_MEGABYTES: Final = 1024


class TextReader:
    """Reads archived pages in a separate process, like a crawl, so a bad page does no harm."""

    def __init__(self) -> None:
        self._stack = AsyncExitStack()
        self._pool: ReaderPool | None = None
        self._starting = asyncio.Lock()

    async def text_of(self, directory: CrawlDirectory, n: int) -> str:
        """Return the text of the page with a number."""
        copy = await asyncio.to_thread(archived_page, directory, n)
        fetch = Fetch(
            url=copy.page.url,
            started=0.0,
            finished=0.0,
            status=200,
            body=copy.body,
            mime=copy.mime,
            charset="utf-8" if copy.shown else "",
        )
        reading = await (await self._reader()).read(fetch)
        if reading.reason is not None:
            return f"({reading.reason}: {reading.detail})"
        return "\n".join(leaf for one in reading.leaves if (leaf := " ".join(one.split())))[:TEXT]

    async def close(self) -> None:
        await self._stack.aclose()

    async def _reader(self) -> ReaderPool:
        async with self._starting:
            if self._pool is None:
                settings = FetchSettings()
                options = ReaderOptions(
                    types=tuple(settings.types),
                    max_unpacked=settings.max_unpacked,
                    product=settings.user_agent,
                    memory=_MEGABYTES,
                    archive=False,
                    text=True,
                )
                self._pool = await self._stack.enter_async_context(ReaderPool(options, workers=1, timeout=_SECONDS))
            return self._pool


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """One server's crawls. `overrides` are the owner's settings for pages that are fetched before a crawl exists."""

    crawls: Crawls
    overrides: tuple[str, ...] = ()
    engine: Engine = field(default_factory=Engine)
    reader: TextReader = field(default_factory=TextReader)

    def open(self, name: str) -> CrawlDirectory:
        return self.crawls.open(name)
