"""A store on a server that may go away: the crawl pauses, says so, and goes on when the server is back.

Each verb of a store is one transaction, so that a verb whose transaction was lost is asked again. If the server had
committed it and only the answer was lost, asking again changes nothing: an outcome whose claim is gone is dropped, and
URLs, lessons and priorities that are there already stay as they are.
"""

import time
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Any, cast

from scenthound.errors import LostServerError
from scenthound.store.base import Store
from scenthound.types import PageRow

LONGEST = 3600.0  # seconds that a crawl waits for its server
_FIRST, _MOST = 0.5, 10.0  # seconds between two tries
_PAGES = 200  # that are read at a time


class EnduringStore:
    """A store that waits for its server. It calls `say` when the server is lost and when it is back. It gives up when
    `is_over` returns true.
    """

    def __init__(
        self, store: Store, *, say: Callable[[str], None], is_over: Callable[[], bool], longest: float = LONGEST
    ) -> None:
        self._store = store
        self._say = say
        self._is_over = is_over
        self._longest = longest

    def __getattr__(self, name: str) -> Any:
        verb = getattr(self._store, name)
        if not callable(verb):
            return verb

        def asked(*args: Any, **values: Any) -> Any:
            return self._insist(verb, *args, **values)

        return asked

    def pages(self, *, after: int = 0, **values: Any) -> Iterator[PageRow]:
        """Yield what the store yields, and go on after the last page where the server went away meanwhile."""
        while some := self._insist(self._some, after, values):
            yield from some
            after = some[-1].n

    def _some(self, after: int, values: Mapping[str, Any]) -> list[PageRow]:
        return list(islice(self._store.pages(after=after, **values), _PAGES))

    def _insist(self, verb: Callable[..., Any], *args: Any, **values: Any) -> Any:
        try:
            return verb(*args, **values)
        except LostServerError as error:
            lost, pause = error, _FIRST
        began = time.monotonic()
        self._say(f"{lost}; the crawl waits for it")
        while True:
            if self._is_over() or time.monotonic() - began > self._longest:
                raise lost
            time.sleep(pause)
            pause = min(_MOST, 2 * pause)
            try:
                answer = verb(*args, **values)
            except LostServerError as error:
                lost = error
                continue
            self._say(f"the server is back after {time.monotonic() - began:.0f} s; the crawl goes on")
            return answer


def enduring(store: Store, *, say: Callable[[str], None], is_over: Callable[[], bool]) -> Store:
    """Return a store whose verbs wait for a server that is away."""
    return cast(Store, EnduringStore(store, say=say, is_over=is_over))
