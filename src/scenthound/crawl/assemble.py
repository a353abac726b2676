"""The one place that names concrete classes: it puts a crawl together from a directory and settings, and runs it."""

import dataclasses
import logging
import os
import resource
from collections.abc import Collection, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, contextmanager, suppress
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from msgspec.structs import replace
from threadpoolctl import threadpool_limits

from scenthound.clock import Clock, SystemClock
from scenthound.combination import is_combination
from scenthound.config import Settings
from scenthound.crawl.advising import Advising
from scenthound.crawl.awaiting import CHOOSY
from scenthound.crawl.backwards import AskedBackwards, Backwards, OwnLinksBackwards, found_line
from scenthound.crawl.citing_sources import OWN_LINKS, source_of
from scenthound.crawl.collecting import give_memory_back, seldom_collected
from scenthound.crawl.directory import CRAWLING, CrawlDirectory
from scenthound.crawl.distiller_process import DistillerProcess
from scenthound.crawl.distilling import Distilling
from scenthound.crawl.forgiving import Forgiving
from scenthound.crawl.hub_visits import HubVisits
from scenthound.crawl.judging import Judging
from scenthound.crawl.lane import Lane
from scenthound.crawl.loop import PAUSED, CrawlLoop, Parts, StopSwitch
from scenthound.crawl.noted_order import in_columns, reconsidered
from scenthound.crawl.opening import open_store
from scenthound.crawl.ordering import Ordering, Places
from scenthound.crawl.own_loop import run_in_own_loop
from scenthound.crawl.pool import ReaderPool, reader_options
from scenthound.crawl.revisiting import Calendar, Revisit, done, put_back
from scenthound.crawl.rulebook import rulebook_of
from scenthound.crawl.second_thoughts import reconsider
from scenthound.crawl.stats import count, in_seconds
from scenthound.crawl.steps import Rulebook, example_discovery, seed_discovery
from scenthound.crawl.trusting import require_trust
from scenthound.crawl.visit import Visitor
from scenthound.crawl.watching import SettingsWatch
from scenthound.errors import DiskFullError, SettingError
from scenthound.events import Event, Listener, Notice, StopCause, Summary, ignore
from scenthound.fetch.http import HttpFetcher
from scenthound.frontier.crowds import FREE, Crowds
from scenthound.frontier.outage import UNREACHED
from scenthound.frontier.shares import DomainShares
from scenthound.harmless import shown
from scenthound.judge.succession import Succession
from scenthound.parse.urls import Locks, domain_of, host_of
from scenthound.store.archive import Archive, repair
from scenthound.store.base import Store
from scenthound.types import Reason

log = logging.getLogger("scenthound")

__all__ = ["StopSwitch", "open_store", "retrain", "run_crawl"]


def run_crawl(
    directory: CrawlDirectory | Path | str,
    settings: Settings | None = None,
    *,
    listener: Listener = ignore,
    stop: StopSwitch | None = None,
    revisit: Revisit | None = None,
    forgive: bool = False,
    examples_only: bool = False,
    given: Collection[str] = (),
    clock: Clock | None = None,
) -> Summary:
    """Run or resume a crawl until it stops, and return why it did. The directory is locked meanwhile.

    With `revisit`, pages that are due, or all, are asked for again, and the page budget counts what is asked for in this run. With
    `forgive`, hosts that were given up get another chance. With `examples_only`, it stops when the critic has learnt.
    An order edited in crawl.toml takes effect meanwhile, except that settings which differ from the file at the start, and
    those named in `given`, stay as they are. Without `settings`, those of crawl.toml hold. It may be called where an event loop
    runs, and then blocks that loop.
    """
    if not isinstance(directory, CrawlDirectory):
        directory = CrawlDirectory.open(directory)
    settings, stop = settings or directory.settings(), stop or StopSwitch()
    require_trust(directory, settings, given=given)
    clock = clock or SystemClock()
    _allow_open_files(settings.fetch.concurrency)
    give_memory_back()
    with (
        directory.lock(CRAWLING if stop.by_signal else ""),
        _logged(directory, listener) as listen,
        open_store(directory, bad_after=settings.fetch.tries) as store,
    ):
        run = _Run(
            directory=directory,
            settings=settings,
            store=store,
            clock=clock,
            listener=listen,
            stop=stop,
            again=revisit is not None,
            examples_only=examples_only,
            given=given,
        )
        run.recover()
        run.forgive(wanted=forgive)
        if revisit is not None:
            run.revisit(revisit)
        elif not examples_only:
            run.leave_alone()
        # The apprentice's products of matrices are small: threads for them wait for one another, and take the readers' cores.
        with seldom_collected(), threadpool_limits(1, user_api="blas"):
            summary = run_in_own_loop(run.crawl, stop)
        with suppress(DiskFullError):  # what cannot be given back now is given back at the next start
            store.release(owner=None, now=clock.now())
            if summary.cause is StopCause.OFFLINE and not summary.census.pages:
                run.try_all_again()
        log.info("stopped: %s %s; %d pages in this run", summary.cause, summary.detail, summary.pages_this_run)
        return summary


def retrain(
    directory: CrawlDirectory, settings: Settings, *, listener: Listener, insist: bool = False
) -> Succession | None:
    """Train the critic that the topics ask for, judge everything stored again and let the frontier follow.

    Return what that did to the pages crawled so far; None if nothing has changed since it learnt. A critic that is worse on
    examples held back is not taken without `insist`.
    """
    require_trust(directory, settings)
    clock = SystemClock()
    with (
        directory.lock(),
        _logged(directory, listener) as listen,
        open_store(directory, bad_after=settings.fetch.tries) as store,
    ):
        run = _Run(directory=directory, settings=settings, store=store, clock=clock, listener=listen, stop=StopSwitch())
        run.recover()
        judging = run.judging(run.rulebook())
        if judging is None:
            raise SettingError('critic.kind is "none": there is no critic to train; choose one, as "logistic"')
        return judging.learn(insist=insist)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Run:
    directory: CrawlDirectory
    settings: Settings
    store: Store
    clock: Clock
    listener: Listener
    stop: StopSwitch
    again: bool = False
    examples_only: bool = False
    given: Collection[str] = ()

    def recover(self) -> None:
        """Bring database and archive together after a crash: claims in flight return, unrecorded bytes are cut off.

        The directory's lock is held, so no other engine can own a claim.
        """
        self.store.note(PAUSED, "")
        returned = self.store.release(owner=None, now=self.clock.now())
        if returned:
            self.listener(Notice(text=f"{count(returned, 'claim')} of an interrupted run returned to the frontier"))
        self._wind_back()
        for sentence in repair(self.directory.archive, self.store.archived()):
            self.listener(Notice(text=sentence))
        again = reconsider(self.store, self.settings, now=self.clock.now())
        if again:
            reconsidered(self.store)
            self.listener(
                Notice(text=f"the settings have changed: {count(again, 'URL')} given up before to be considered again")
            )

    def _wind_back(self) -> None:
        put_off = self.store.wind_back(now=self.clock.now())
        if put_off.hosts or put_off.robots:
            self.listener(
                Notice(
                    text=f"the clock of this machine was once {in_seconds(put_off.ahead)} ahead: {count(put_off.hosts, 'host')} may be asked "
                    f"sooner than it says, and {count(put_off.robots, 'robots.txt file')} will be asked for again"
                )
            )

    def forgive(self, *, wanted: bool) -> None:
        """Give failed hosts another chance, if this run wants it or the last one was asked for it and had ended."""
        asked = self.forgiving().follow()
        if wanted and not asked:
            self.forgiving().forgive()

    def try_all_again(self) -> None:
        """Hold nothing against URLs and hosts that failed while no server could be reached: the next start asks for them."""
        now = self.clock.now()
        self.store.forgive(now=now)
        self.store.reconsider([*UNREACHED, Reason.ROBOTS_UNREACHABLE], now=now)

    def forgiving(self) -> Forgiving:
        return Forgiving(self.directory, store=self.store, clock=self.clock, listener=self.listener)

    def revisit(self, wish: Revisit) -> None:
        now = self.clock.now()
        left = self.store.next_due(now=now, again=True) is not None
        calendar = Calendar(self.store, self.settings.revisit, now=now)
        ranked = not is_combination(self.settings.crawl.order)  # one may name columns such as last_visited
        again = put_back(self.store, calendar, wish, now=now, ranked=ranked)
        if in_columns(self.store):  # pages asked again have columns that they had not
            reconsidered(self.store)
        more = ", besides those that an earlier run has left" if left else ""
        self.listener(Notice(text=f"{count(again, 'page')} to be asked for again{more}"))

    def leave_alone(self) -> None:
        """Ask for no page again that an earlier run has left: no budget of this run would bound that."""
        if left := self.store.leave_alone(now=self.clock.now()):
            more = "that an earlier run was to ask for again stay as they are; crawl --revisit asks for what is due"
            self.listener(Notice(text=f"{count(left, 'page')} {more}"))

    def rulebook(self) -> Rulebook:
        wanted = self.settings.fetch.only
        book = rulebook_of(self.settings, self.store, only=Locks(wanted) if wanted else None)
        return dataclasses.replace(book, crowds=self._crowds()) if self.settings.crawl.traps else book

    def _crowds(self) -> Crowds:
        store = self.store
        return Crowds(
            known=lambda host: store.host(host, now=0.0) is not None,
            hosts=store.crowded_domains(least=FREE // 2),
            pages=store.pages_of_domains(),
            tell=lambda text: self.listener(Notice(text=text)),
        )

    async def crawl(self) -> Summary:
        settings, book = self.settings, self.rulebook()
        async with AsyncExitStack() as stack:
            backwards = self.backwards(stack)  # a source that is not there is told of before anything begins
            judging = self.judging(book)
            thread = stack.enter_context(ThreadPoolExecutor(max_workers=1, thread_name_prefix="lane"))
            # The loop has told of a full disk; that the archive finds it full again on closing is no news.
            stack.enter_context(suppress(DiskFullError))
            archive = stack.enter_context(self._archive()) if settings.archive.keep else None
            reader = await stack.enter_async_context(self._pool())
            fetcher = await stack.enter_async_context(HttpFetcher(settings.fetch, self.clock))
            only_again = self.again and settings.revisit.then == "stop"
            self.store.note(CHOOSY, f"{settings.crawl.choosy:g}")
            owner = f"{os.uname().nodename}:{os.getpid()}"
            parts = Parts(
                settings=_without_budget(settings) if self.examples_only else settings,
                clock=self.clock,
                store=self.store,
                lane=Lane(
                    store=self.store,
                    archive=archive,
                    book=book,
                    clock=self.clock,
                    owner=owner,
                    judging=judging,
                    ordering=self.ordering(book, judging, reader),
                    distilling=self.distilling(judging, stack),
                    advising=self.advising(judging),
                    forgiving=self.forgiving(),
                    examples_only=self.examples_only,
                    again=self.again,
                    only_again=only_again,
                    backwards=backwards,
                    shares=self.shares(),
                ),
                visitor=Visitor(fetcher, settings=settings.fetch, clock=self.clock),
                reader=reader,
                listener=self.listener,
                stop=self.stop,
                examples_only=self.examples_only,
                count_again=self.again,
                only_again=only_again,
            )
            summary = await CrawlLoop(parts, thread).run()
            if self.again and parts.lane.has_visited_again:
                done(self.store)
            if backwards is not None and backwards.found:
                self.listener(Notice(text=found_line(backwards.found)))
            return summary

    def backwards(self, stack: AsyncExitStack) -> Backwards | None:
        """Set up what looks for pages that cite good ones, if the settings ask for it."""
        settings = self.settings.backlinks
        if not settings.source or self.examples_only:
            return None
        if self.settings.critic.kind == "none":
            text = (
                'backlinks.source is set, but critic.kind is "none": no page is known to be good, and nobody is asked'
            )
            self.listener(Notice(text=text))
            return None
        if settings.source == OWN_LINKS:
            return OwnLinksBackwards(settings=settings, store=self.store, clock=self.clock)
        return stack.enter_context(
            AskedBackwards(
                source_of(settings, self.directory.path),
                settings=settings,
                store=self.store,
                clock=self.clock,
                listener=self.listener,
            )
        )

    def judging(self, book: Rulebook) -> Judging | None:
        """Set the critic up, which sees to the examples; without one, these are seeds and nothing more."""
        known = self.store.census(now=self.clock.now()).known  # a crawl that is under way can do without seeds
        seeds = self.directory.seeds() if known else self.directory.starting_points()
        if self.settings.critic.kind == "none":
            as_found = example_discovery if self.examples_only else seed_discovery
            self.store.add([as_found(url, book) for url in seeds], now=self.clock.now())
            return None
        judging = Judging(
            directory=self.directory,
            settings=self.settings,
            store=self.store,
            clock=self.clock,
            listener=self.listener,
        )
        judging.begin(book)
        return judging

    def ordering(self, book: Rulebook, judging: Judging | None, reader: ReaderPool) -> Ordering:
        """Set up what keeps the frontier in order, also when crawl.toml is edited."""
        watch = SettingsWatch(self.directory, self.settings, given=self.given, clock=self.clock, listener=self.listener)
        ordering = Ordering(
            settings=self.settings,
            book=book,
            store=self.store,
            clock=self.clock,
            listener=self.listener,
            places=Places(models=self.directory.models, archive=self.directory.archive),
            watch=watch,
            judging=judging,
            seeds=() if judging is not None else self.directory.seeds(),
            stopping=lambda: self.stop.asked,
            number_words=reader.number_words,
        )
        ordering.begin()
        return ordering

    def shares(self) -> DomainShares:
        """Set up what keeps any domain from taking more than its share."""
        given = [domain_of(host_of(url)) for url in self.directory.seeds()]
        most = self.settings.apprentice.domain_share
        return DomainShares(most, given=given, taken=self.store.pages_of_domains())

    def advising(self, judging: Judging | None) -> Advising:
        """Set up what looks at the crawl now and then."""
        advising = Advising(
            path=str(self.directory.path),
            settings=self.settings,
            store=self.store,
            clock=self.clock,
            listener=self.listener,
            judging=judging,
        )
        advising.begin()
        return advising

    def distilling(self, judging: Judging | None, stack: AsyncExitStack) -> Distilling | None:
        """Set up the distiller beside the crawl; without a critic there is no relevance to distil by."""
        if judging is None or not self.settings.distill.on or self.examples_only:
            return None
        log = self.directory.logs / "distiller.log"
        worker = stack.enter_context(DistillerProcess(self.directory.database, self.settings.distill, log=log))
        distilling = Distilling(
            self.settings.distill,
            store=self.store,
            worker=worker,
            clock=self.clock,
            listener=self.listener,
            critic=lambda: judging.version,
            visits=self.hub_visits(),
        )
        distilling.begin()
        return distilling

    def hub_visits(self) -> HubVisits | None:
        """Set up what asks hubs again; `crawl --revisit` does so by itself."""
        share = self.settings.distill.revisit
        if not share or self.again:
            return None
        return HubVisits(self.store, self.settings.revisit, share=share, clock=self.clock, listener=self.listener)

    def _archive(self) -> Archive:
        software = f"scenthound/{version('scenthound')}"
        return Archive(self.directory.archive, file_size=self.settings.archive.file_size, software=software)

    def _pool(self) -> ReaderPool:
        read = self.settings.read
        log = self.directory.logs / "readers.log"
        kind = self.settings.critic.kind
        options = reader_options(
            self.settings, archive=self.settings.archive.keep, terms=kind != "none", text=":" in kind
        )
        return ReaderPool(options, workers=read.workers, timeout=read.timeout, log=log)


def _without_budget(settings: Settings) -> Settings:
    """Return the settings for fetching examples, which count against no budget."""
    return replace(settings, crawl=replace(settings.crawl, pages=0, minutes=0.0))


def _allow_open_files(connections: int) -> None:
    """Raise the soft limit on open files where the hard one permits: kept connections count too."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 1024 + 8 * connections
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted if hard < 0 else min(wanted, hard), hard))


class _Log(logging.FileHandler):
    """A log that falls silent on a full disk, instead of filling the terminal where the crawl says that it is full."""

    def handleError(self, record: logging.LogRecord) -> None:
        pass


@contextmanager
def _logged(directory: CrawlDirectory, listener: Listener) -> Iterator[Listener]:
    """Write notices and what went wrong inside to logs/crawl.log, besides telling the listener."""
    handler = _Log(directory.logs / "crawl.log", encoding="utf-8", delay=True)
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
    log.addHandler(handler)
    log.setLevel(logging.INFO)

    def listen(event: Event) -> None:
        if isinstance(event, Notice):
            log.info(shown(event.text))
        listener(event)

    try:
        yield listen
    finally:
        log.removeHandler(handler)
        with suppress(OSError):
            handler.close()
