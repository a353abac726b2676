"""Serves an answering function on a loopback port, in a thread or in a separate process.

All hosts share the port and differ by the requested name. The port also works as an HTTP proxy. From the shell: `python
-m scenthound.demo.server --port 0 [--warc FILE]... [--latency-ms N]`.
"""

import argparse
import asyncio
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager
from multiprocessing.connection import Connection as Pipe
from pathlib import Path
from types import TracebackType
from typing import Self

from scenthound.demo.protocol import Connection, LogEntry, Site
from scenthound.demo.served_answer import AnsweringFunction
from scenthound.demo.warc_web import WarcWeb
from scenthound.demo.web import DemoWeb

try:
    import uvloop
except ImportError:  # it exists for CPython only
    uvloop = None  # type: ignore[assignment]


class ServedWeb:
    """A web served from a thread of this process, as long as the `with` lasts.

    `latency` is added to every answer, in seconds, or by host (the key "*" means all others).
    """

    def __init__(
        self,
        answer: AnsweringFunction,
        *,
        latency: float | Mapping[str, float] = 0.0,
        address: str = "127.0.0.1",
        port: int = 0,
    ) -> None:
        by_host = latency if isinstance(latency, Mapping) else {"*": latency}
        self._site = Site(answer=answer, latency=by_host)
        self._address = address
        self.port = port

    def __enter__(self) -> Self:
        ready: Future[Callable[[], object]] = Future()
        self._thread = threading.Thread(target=self._run, args=(ready,), name="demo web", daemon=True)
        self._thread.start()
        self._stop = ready.result()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop()
        self._thread.join()

    @property
    def proxy_url(self) -> str:
        return _url(self._address, self.port)

    def log(self) -> list[LogEntry]:
        """Return the finished requests in order."""
        return list(self._site.log)

    def _run(self, ready: "Future[Callable[[], object]]") -> None:
        with asyncio.Runner(loop_factory=uvloop.new_event_loop if uvloop else None) as runner:
            try:
                runner.run(self._serve(ready))
            except OSError as error:  # the port is taken
                ready.set_exception(error)

    async def _serve(self, ready: "Future[Callable[[], object]]") -> None:
        loop, stopped = asyncio.get_running_loop(), asyncio.Event()
        server = await loop.create_server(
            lambda: Connection(self._site), self._address, self.port, backlog=1024, reuse_address=True
        )
        self.port = server.sockets[0].getsockname()[1]
        ready.set_result(lambda: loop.call_soon_threadsafe(stopped.set))
        await stopped.wait()
        server.close()
        for transport in list(self._site.connected):
            transport.abort()
        await asyncio.sleep(0)  # lets the connections notice that they are lost


@contextmanager
def _safe_path() -> Iterator[None]:
    """Make a child process look for modules in the installation, and not in the current folder."""
    before = os.environ.get("PYTHONSAFEPATH")
    os.environ["PYTHONSAFEPATH"] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ["PYTHONSAFEPATH"]
        else:
            os.environ["PYTHONSAFEPATH"] = before


class ServedApart:
    """The same from a separate process, so that a benchmark's server does not share the crawler's interpreter.

    `answer` must survive pickling: a method of a `DemoWeb` or `WarcWeb`, or a module's function.
    """

    def __init__(
        self,
        answer: AnsweringFunction,
        *,
        latency: float | Mapping[str, float] = 0.0,
        address: str = "127.0.0.1",
        port: int = 0,
    ) -> None:
        self._answer = answer
        self._latency = latency
        self._address = address
        self.port = port

    def __enter__(self) -> Self:
        context = multiprocessing.get_context("spawn")  # forking a process with threads is dangerous
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(
            target=_serve_apart, args=(theirs, self._answer, self._latency, self._address, self.port), daemon=True
        )
        with _safe_path():
            self._process.start()
        theirs.close()
        self.port = self._pipe.recv()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._pipe.close()
        self._process.join()
        self._process.close()

    @property
    def proxy_url(self) -> str:
        return _url(self._address, self.port)

    def log(self) -> list[LogEntry]:
        """Return the finished requests in order."""
        self._pipe.send("log")
        entries: list[LogEntry] = self._pipe.recv()
        return entries


def _serve_apart(
    pipe: Pipe, answer: AnsweringFunction, latency: float | Mapping[str, float], address: str, port: int
) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which then closes the pipe
    with ServedWeb(answer, latency=latency, address=address, port=port) as served:
        pipe.send(served.port)
        try:
            while pipe.recv() == "log":
                pipe.send(served.log())
        except EOFError:
            return


def _url(address: str, port: int) -> str:
    return f"http://[{address}]:{port}" if ":" in address else f"http://{address}:{port}"


def main(arguments: list[str] | None = None) -> None:
    """Serve the demo web, or archived ones, until interrupted; print the port."""
    parser = argparse.ArgumentParser(prog="python -m scenthound.demo.server", description=main.__doc__)
    parser.add_argument("--port", type=int, default=0, help="port on 127.0.0.1; 0 takes a free one")
    parser.add_argument("--warc", type=Path, action="append", help="serve this WARC file; may be repeated")
    parser.add_argument("--seed", type=int, default=7, help="seed of the generated demo web")
    parser.add_argument("--latency-ms", type=float, default=0.0, help="let every answer wait this long")
    chosen = parser.parse_args(arguments)
    answer = WarcWeb(chosen.warc).answer if chosen.warc else DemoWeb(chosen.seed).answer
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    with ServedWeb(answer, latency=chosen.latency_ms / 1000, port=chosen.port) as served:
        print(served.port, flush=True)
        stop.wait()


if __name__ == "__main__":
    main()
