"""A stage for tests of whole crawls: a bad web in a thread, a crawl of it in this one, and a look at what it left.

with bad_web() as web:
    crawled = crawl(tmp_path / "crawl", [web.url("cut-body")], *on(web))
assert crawled.story(web.url("cut-body")).reason is Reason.CUT_SHORT
"""

import asyncio
import contextlib
import io
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path

from scenthound.cli.main import main
from scenthound.clock import Clock
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.crawl.engine.assemble import StopSwitch, open_store, run_crawl
from scenthound.crawl.revisit.calendar import Revisit
from scenthound.events import Event, Notice, Summary
from scenthound.store.sqlite.store import SqliteStore
from scenthound.topics.url_topics import topics_of_urls
from scenthound.types import HostView, PageRow, Story
from tests.badweb import BadWeb
from tests.patience import PATIENCE, until

# Nothing waits but for what a server asks.
BRISK = (
    "fetch.delay=0",
    "fetch.delay_factor=0",
    "fetch.per_domain=0",
    "fetch.per_ip=0",
    "read.workers=1",
    'fetch.contact="test@bad.test"',
    # What is tested with these is fetching: every page is asked for, in the order in which it was found.
    "critic.kind=none",
    "crawl.order=breadth",
)
# For webs where servers keep silent. Where all of them answer, these would end requests of a busy machine.
HASTY = ("fetch.connect_timeout=5", "fetch.first_byte_timeout=1.5", "fetch.timeout=2.5")
LONGEST = 10.0  # minutes that a crawl may take before it is a failure; none of them should


@contextlib.contextmanager
def bad_web() -> Iterator[BadWeb]:
    """Serve a bad web from a thread of its own, as long as the `with` lasts."""
    ready: Future[tuple[BadWeb, asyncio.AbstractEventLoop, asyncio.Event]] = Future()
    thread = threading.Thread(target=lambda: asyncio.run(_serve(ready)), name="bad web", daemon=True)
    thread.start()
    web, loop, stopped = ready.result(timeout=PATIENCE)
    try:
        yield web
    finally:
        loop.call_soon_threadsafe(stopped.set)
        thread.join(timeout=PATIENCE)


async def _serve(ready: "Future[tuple[BadWeb, asyncio.AbstractEventLoop, asyncio.Event]]") -> None:
    stopped = asyncio.Event()
    async with BadWeb() as web:
        ready.set_result((web, asyncio.get_running_loop(), stopped))
        await stopped.wait()


def on(web: BadWeb, *more: str) -> list[str]:
    """Return settings for a brisk crawl that finds the hosts of a bad web and does not wait long for the silent ones.

    Later ones win over earlier.
    """
    names = ", ".join(f'"{name}" = "{address}"' for name, address in web.resolve.items())
    return [*BRISK, *HASTY, f"fetch.resolve={{{names}}}", *more]


@dataclass(frozen=True, slots=True, kw_only=True)
class Crawled:
    """A crawl that has stopped."""

    directory: CrawlDirectory
    summary: Summary
    notices: Sequence[str] = ()

    def story(self, url: str) -> Story:
        """Return what the store knows of a URL, which it must have seen."""
        with open_store(self.directory, read_only=True) as store:
            story = store.story(url, now=time.time())
        assert story is not None, f"{url} was never seen"
        return story

    def why(self, url: str) -> str:
        """Return what `scenthound why` says about a URL."""
        return command("why", str(self.directory.path), url)

    def pages(self, *, everything: bool = False) -> list[PageRow]:
        with open_store(self.directory, read_only=True) as store:
            return list(store.pages(everything=everything))

    def hosts(self) -> dict[str, HostView]:
        with open_store(self.directory, read_only=True) as store:
            return {host.host: host for host in store.hosts(now=time.time(), limit=1000)}

    def trouble(self) -> list[str]:
        """Return what does not add up in the database."""
        with SqliteStore(self.directory.database) as store:
            return store.check()


def new(path: Path, seeds: Sequence[str]) -> CrawlDirectory:
    """Make a crawl of these seeds."""
    return CrawlDirectory.create(path, topics=topics_of_urls(seeds))


def crawl(path: Path, seeds: Sequence[str], settings: Sequence[str]) -> Crawled:
    """Make a crawl of these seeds and run it until it stops by itself."""
    return resume(new(path, seeds), settings)


def resume(
    directory: CrawlDirectory,
    settings: Sequence[str],
    *,
    stop: StopSwitch | None = None,
    revisit: Revisit | None = None,
    forgive: bool = False,
    clock: Clock | None = None,
) -> Crawled:
    """Run a crawl that exists until it stops."""
    notices: list[str] = []

    def hear(event: Event) -> None:
        if isinstance(event, Notice):
            notices.append(event.text)

    bounded = directory.settings([f"crawl.minutes={LONGEST}", *settings])
    switch = stop or StopSwitch()
    summary = run_crawl(directory, bounded, listener=hear, stop=switch, revisit=revisit, forgive=forgive, clock=clock)
    return Crawled(directory=directory, summary=summary, notices=notices)


def wait_until(condition: Callable[[], object]) -> None:
    """Look again and again until something has come about."""
    assert until(condition), "waited in vain"


def command(*arguments: str) -> str:
    """Run a command of the program in this process and return what it prints; it must succeed."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(arguments)
    assert code == 0, err.getvalue()
    return out.getvalue()
