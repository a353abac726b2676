"""The event loop of a crawl: its own, even where the caller's thread already runs one, as in a notebook."""

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from threading import Thread
from typing import Any, TypeVar

import uvloop

from scenthound.crawl.engine.loop import StopSwitch

T = TypeVar("T")


def run_in_own_loop(work: Callable[[], Coroutine[Any, Any, T]], stop: StopSwitch) -> T:
    """Run a coroutine to its end and return what it returns.

    A thread has one running loop at most. If this thread has one, the work runs in another thread. A KeyboardInterrupt
    then asks the crawl to stop, and a second one stops it at once: an interrupted cell leaves no crawl behind.
    """
    if not _has_loop():
        return uvloop.run(work())
    done: Future[T] = Future()
    thread = Thread(target=_run, args=(work, done), name="crawl")
    thread.start()
    while thread.is_alive():
        try:
            thread.join()
        except KeyboardInterrupt:
            stop.force() if stop.asked else stop.ask()
    return done.result()


def _has_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def _run(work: Callable[[], Coroutine[Any, Any, T]], done: "Future[T]") -> None:
    try:
        done.set_result(uvloop.run(work()))
    except BaseException as error:
        done.set_exception(error)
