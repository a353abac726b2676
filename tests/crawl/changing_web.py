"""A web that changes while time is turned on by hand: pages with versions, validators, links that come and go, pages
that vanish.

web = ChangingWeb({"/": Page(links=("/news",)), "/news": Page(every=1)})
with web.served() as address, …:
    web.day += 7
"""

import asyncio
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from random import Random

from scenthound.frontier.rates import DAY
from tests.patience import PATIENCE

HOST = "news.test"
START = 1_800_000_000.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A page that has other words every so many days, 0 for never, and is there from one day to another."""

    every: float = 0.0
    links: tuple[str, ...] = ()
    later_links: tuple[str, ...] = ()  # instead of the others, from day `turn` on
    turn: float = 1e9
    vanishes: float = 1e9
    returns: float = 1e9
    validators: bool = True
    words: tuple[str, ...] = ()  # of which it is made up, instead of words that stand on no other page

    def version(self, day: float) -> str:
        return f"{int(day / self.every) if self.every else 0}-{day >= self.turn:d}"

    def is_there(self, day: float) -> bool:
        return day < self.vanishes or day >= self.returns


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    day: float
    path: str
    condition: str | None
    status: int


@dataclass(slots=True)
class ChangingWeb:
    pages: dict[str, Page]
    day: float = 0.0
    log: list[Request] = field(default_factory=list)
    port: int = 0
    trip: threading.Event = field(default_factory=threading.Event)
    trip_after: int = 0
    pace: float = 0.0  # days that go by with every answer

    def url(self, path: str) -> str:
        return f"http://{HOST}{path}"

    @property
    def settings(self) -> list[str]:
        return [f'fetch.resolve={{"*.test" = "127.0.0.1:{self.port}"}}']

    def asked(self, path: str) -> list[Request]:
        return [request for request in self.log if request.path == path]

    @contextmanager
    def served(self) -> Iterator[None]:
        server = ThreadingHTTPServer(("127.0.0.1", 0), _answering(self))
        self.port = server.server_address[1]
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), name="changing web", daemon=True)
        thread.start()
        try:
            yield
        finally:
            server.shutdown()
            thread.join(timeout=PATIENCE)
            server.server_close()

    def body(self, path: str) -> str:
        page = self.pages[path]
        version = page.version(self.day)
        dice = Random(f"{path} {version.partition('-')[0]}")
        words = " ".join(dice.choice(page.words) if page.words else f"w{dice.randrange(10**6)}" for _ in range(60))
        links = page.later_links if self.day >= page.turn else page.links
        return f"<title>{path}</title><p>{words}</p>" + "".join(f'<a href="{link}">{link}</a> ' for link in links)


def _answering(web: ChangingWeb) -> type[BaseHTTPRequestHandler]:
    class Answering(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            condition = self.headers.get("If-None-Match")
            page = web.pages.get(self.path)
            there = page is not None and page.is_there(web.day)
            etag = f'"{page.version(web.day)}"' if page is not None and page.validators else None
            status = 404 if not there else 304 if etag and condition == etag else 200
            body = web.body(self.path).encode() if status == 200 else b""
            self.send_response(status)
            if there and etag:
                self.send_header("ETag", etag)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
            web.log.append(Request(day=web.day, path=self.path, condition=condition, status=status))
            web.day += web.pace
            if web.trip_after and len(web.log) >= web.trip_after:
                web.trip.set()

        def log_message(self, format: str, *args: object) -> None:
            pass

    return Answering


class TurnedClock:
    """The time of a changing web: its day, and the seconds that have really passed."""

    def __init__(self, web: ChangingWeb) -> None:
        self._web = web
        self._since = time.monotonic()

    def now(self) -> float:
        return START + self._web.day * DAY + time.monotonic() - self._since

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(max(0.0, seconds))
