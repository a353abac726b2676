"""Links followed backwards: pages that cite a good page join the frontier (RELATIONAL §3.2, FOCUS).

Questions go out beside the crawl, a few at a time, and never stop it: a source that hangs, fails or sends rubbish is
reported once. The store keeps which pages were asked about and what came of it. A later run asks again only about pages
whose question was interrupted or failed.
"""

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType
from typing import Final, Protocol, Self

from scenthound.clock import Clock
from scenthound.counted import count
from scenthound.crawl.backlinks.sources import CitingSource, Named
from scenthound.crawl.engine.hooks import Batch, Hook
from scenthound.crawl.engine.steps import Rulebook, backward_discovery
from scenthound.events import Listener, Notice
from scenthound.parse.urls import host_of
from scenthound.settings.schema import BacklinksSettings
from scenthound.store.base import Store
from scenthound.store.rules import HOPE_BACKWARDS
from scenthound.types import Discovery, GoodPage, LinkKind, Reason

PIECE: Final = 20  # good pages looked at in a turn
GROWTH: Final = 1.25
GIVE_UP: Final = 5  # failures in a row after which a source is not asked again in this run


class Backwards(Hook, Protocol):
    """Finds pages that cite good ones, once there is a critic. `found` counts the URLs that joined the frontier or
    rose."""

    found: int

    def follow(self, book: Rulebook) -> None:
        """Record what was found since the last time, and ask about more."""
        ...

    def after_turn(self, batch: Batch) -> None:
        if batch.rules.has_learnt:
            self.follow(batch.rules.book)


class AskedBackwards(Backwards):
    """Ask a source, in threads of its own; use it in a `with`."""

    def __init__(
        self, source: CitingSource, *, settings: BacklinksSettings, store: Store, clock: Clock, listener: Listener
    ) -> None:
        self._source = source
        self._settings = settings
        self._store = store
        self._clock = clock
        self._listener = listener
        self._threads: ThreadPoolExecutor | None = None
        self._asked: list[tuple[GoodPage, Future[Named]]] = []
        self._after = 0
        self._more = True
        self._failures = 0
        self._told: set[str] = set()
        self.found = 0

    def __enter__(self) -> Self:
        self._threads = ThreadPoolExecutor(max_workers=self._settings.at_once, thread_name_prefix="backwards")
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._source.close()
        if self._threads is not None:
            self._threads.shutdown(wait=True, cancel_futures=True)

    @property
    def busy(self) -> bool:
        return bool(self._asked) or (self._more and not self._given_up)

    def follow(self, book: Rulebook) -> None:
        done = [(good, answer) for good, answer in self._asked if answer.done()]
        self._asked = [pair for pair in self._asked if not pair[1].done()]
        for good, answer in done:
            self._hear(good, answer.result(), book)
        room = 2 * self._settings.at_once - len(self._asked)
        if room > 0 and not self._given_up:
            self._ask(min(room, PIECE))

    def _ask(self, most: int) -> None:
        assert self._threads is not None, "use it in a `with`"
        pages = self._store.good_pages(after=self._after, least=self._settings.least, limit=most)
        self._more = len(pages) == most
        for good in pages:
            self._asked.append((good, self._threads.submit(self._source.citing, good.url)))
            self._after = good.n

    @property
    def _given_up(self) -> bool:
        return self._failures >= GIVE_UP

    def _hear(self, good: GoodPage, named: Named, book: Rulebook) -> None:
        self._failures = self._failures + 1 if named.failed else 0
        if named.trouble:
            self._tell_once(named)
        if named.failed:
            return
        urls = [url for url in named.urls if url != good.url][: self._settings.most]
        discoveries = [
            backward_discovery(url, book, depth=good.depth + 1, promise=HOPE_BACKWARDS * good.relevance) for url in urls
        ]
        self.found += self._store.found_backwards(good.url, discoveries, now=self._clock.now())

    def _tell_once(self, named: Named) -> None:
        kind = named.trouble.translate(str.maketrans("", "", "0123456789,"))
        if kind not in self._told:
            self._told.add(kind)
            self._listener(Notice(text=f"backward links: {named.trouble}; the crawl goes on"))
        if self._failures == GIVE_UP:
            self._listener(
                Notice(text=f"backward links: {GIVE_UP} failures in a row; nobody is asked in this run any more")
            )


class OwnLinksBackwards(Backwards):
    """Look at the crawl's own links: a URL that a poor page of another host cites beside a good page is promising too.

    A poor page was off topic itself, so its links got no promise, or were refused. That it cites a good page speaks for
    them. Chance decides which of the two is fetched first. So all good pages are looked at again when the crawl has
    grown by a quarter, and when nothing else is left to do.
    """

    def __init__(self, *, settings: BacklinksSettings, store: Store, clock: Clock) -> None:
        self._settings = settings
        self._store = store
        self._clock = clock
        self._after = 0
        self._more = True
        self._seen = 0  # pages that there were at the last look at all of them
        self._grown = False
        self.found = 0

    @property
    def busy(self) -> bool:
        return self._more or self._grown

    def follow(self, book: Rulebook) -> None:
        if not self._more:
            self._begin_again()
        if self._more:
            pages = self._store.good_pages(after=self._after, least=self._settings.least, limit=PIECE)
            self._more = len(pages) == PIECE
            for good in pages:
                self._after = good.n
                self._expand(good, book)

    def _begin_again(self) -> None:
        census = self._store.census(now=self._clock.now())
        self._grown = census.pages > self._seen
        if census.pages > GROWTH * self._seen or (self._grown and not census.waiting):
            self._after, self._more, self._seen, self._grown = 0, True, census.pages, False

    def _expand(self, good: GoodPage, book: Rulebook) -> None:
        citing = list(self._poor_pages(good, accept=book.settings.crawl.accept))
        found = [find for page in citing for find in self._beside(page, good, book)]
        if found:
            self._store.found_backwards(good.url, found, now=self._clock.now(), citing=citing)
        self.found += len(found)

    def _poor_pages(self, good: GoodPage, *, accept: float) -> Iterator[str]:
        story = self._store.story(good.url, now=self._clock.now())
        for citation in story.citations if story is not None else ():
            wanted = citation.kind in (LinkKind.ANCHOR, LinkKind.AREA) and not citation.nofollow
            if wanted and host_of(citation.url) != host_of(good.url) and self._is_poor(citation.url, accept):
                yield citation.url

    def _is_poor(self, url: str, accept: float) -> bool:
        held = self._store.held([url]).get(url)
        return held is not None and held.relevance is not None and held.relevance < accept

    def _beside(self, page: str, good: GoodPage, book: Rulebook) -> Iterator[Discovery]:
        for url in self._store.cited([page], limit=self._settings.most):
            story = self._store.story(url, now=self._clock.now())
            if story is None or story.reason not in (None, Reason.OFF_TOPIC):
                continue
            find = backward_discovery(url, book, depth=story.depth, promise=HOPE_BACKWARDS * good.relevance)
            if find.refusal is None and (story.reason is not None or find.priority > story.priority):
                yield find


def found_line(found: int) -> str:
    """Say what was found backwards in one run.

    >>> found_line(1)
    '1 URL found backwards, by way of pages that cite good ones'
    """
    return f"{count(found, 'URL')} found backwards, by way of pages that cite good ones"
