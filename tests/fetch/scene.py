"""A stage for tests: a bad web, a fetcher in it, and a look afterwards whether the fetcher still works."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from scenthound.clock import Clock, SystemClock
from scenthound.fetch.fetcher import Request
from scenthound.fetch.http import HttpFetcher
from scenthound.fetch.names import Lookup
from scenthound.types import Fetch
from tests.badweb import BadWeb


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """A bad web and a fetcher in it."""

    web: BadWeb
    fetcher: HttpFetcher

    async def fetch(self, name: str, path: str = "/") -> Fetch:
        return await self.fetcher.fetch(Request(url=self.web.url(name, path)))

    async def get(self, url: str) -> Fetch:
        return await self.fetcher.fetch(Request(url=url))


def play(
    scene: Callable[[Scene], Awaitable[None]],
    *,
    clock: Clock | None = None,
    lookup: Lookup = BadWeb.lookup,
    **changes: object,
) -> None:
    """Run a scene in a bad web with these changes of settings, and see that the fetcher works after it."""

    async def run() -> None:
        async with (
            BadWeb() as web,
            HttpFetcher(web.settings(**changes), clock or SystemClock(), lookup=lookup) as fetcher,
        ):
            await scene(Scene(web=web, fetcher=fetcher))
            after = await fetcher.fetch(Request(url=web.url("plain")))
            assert (after.status, after.reason) == (200, None)

    asyncio.run(run())
