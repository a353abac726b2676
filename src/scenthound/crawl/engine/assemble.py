"""Puts a crawl together from a directory and settings, and runs it."""

import logging
import os
import resource
from collections.abc import Collection, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, contextmanager, suppress
from pathlib import Path

from msgspec.structs import replace
from threadpoolctl import threadpool_limits

from scenthound.clock import Clock, SystemClock
from scenthound.crawl.backlinks.discovery import found_line
from scenthound.crawl.critic.at_work import NoCritic
from scenthound.crawl.critic.crawl_critic import Judging
from scenthound.crawl.diagnosis.advice import Advising
from scenthound.crawl.directory.crawl_directory import CRAWLING, CrawlDirectory
from scenthound.crawl.directory.open_store import open_store
from scenthound.crawl.directory.shared_folder import FolderWatch, SharedFolder
from scenthound.crawl.directory.trust_check import require_trust
from scenthound.crawl.engine.archive_uploads import upload_rest
from scenthound.crawl.engine.awaited_host import CHOOSY
from scenthound.crawl.engine.crawl_parts import (
    make_advising,
    make_archive,
    make_backlinks,
    make_critic,
    make_exchanges,
    make_order,
    make_readers,
    make_rulebook,
    make_uploads,
)
from scenthound.crawl.engine.fellows import clock_of, fellows_of
from scenthound.crawl.engine.garbage import give_memory_back, seldom_collected
from scenthound.crawl.engine.hooks import Hook
from scenthound.crawl.engine.lane import Agenda, Lane
from scenthound.crawl.engine.loop import CrawlLoop, Parts, StopSwitch
from scenthound.crawl.engine.lost_server import enduring
from scenthound.crawl.engine.own_loop import run_in_own_loop
from scenthound.crawl.engine.run_context import CrawlRun
from scenthound.crawl.engine.teacher_hooks import Publishing, TeachersHook
from scenthound.crawl.engine.visitor import Visitor
from scenthound.crawl.order.frontier_order import FrontierOrder
from scenthound.crawl.revisit.calendar import Revisit, end_revisit
from scenthound.errors import DiskFullError, SettingError
from scenthound.events import Event, Listener, Notice, StopCause, Summary, ignore
from scenthound.fetch.http import HttpFetcher
from scenthound.judge.quality.succession import Succession
from scenthound.settings.schema import Settings
from scenthound.store.base import Store
from scenthound.terminal import shown

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

    With `revisit`, the crawl asks again for pages that are due, or for all, and the page budget counts the requests of
    this run. With `forgive`, hosts that were given up get another chance. With `examples_only`, the crawl stops when
    the critic has learnt. An order edited in crawl.toml takes effect at once. Settings that differ from the file at the
    start, and those named in `given`, stay as they are. Without `settings`, those of crawl.toml hold. It may be called
    where an event loop runs, and then blocks that loop.
    """
    if not isinstance(directory, CrawlDirectory):
        directory = CrawlDirectory.open(directory)
    settings, stop = settings or directory.settings(), stop or StopSwitch()
    require_trust(directory, settings, given=given)
    _allow_open_files(settings.fetch.concurrency)
    give_memory_back()
    with (
        directory.lock(CRAWLING if stop.by_signal else ""),
        _logged(directory, listener) as listen,
        open_store(directory, bad_after=settings.fetch.tries, engine=_name(), lease=settings.store.lease) as opened,
    ):
        store = _waiting_for_server(opened, directory, listen, stop)
        clock = clock_of(store, clock)
        fellows = fellows_of(store, clock)
        if fellows.engines is not None:
            SharedFolder(directory, listen).sync(fellows.engines)
        run = CrawlRun(
            directory=directory,
            settings=settings,
            store=store,
            clock=clock,
            listener=listen,
            stop=stop,
            again=revisit is not None,
            examples_only=examples_only,
            given=given,
            fellows=fellows,
        )
        run.recover()
        run.forgive(wanted=forgive)
        if revisit is not None:
            run.revisit(revisit)
        elif not examples_only:
            run.leave_alone()
        # The apprentice multiplies small matrices: threads for them wait for one another and take the readers' cores.
        with seldom_collected(), threadpool_limits(1, user_api="blas"):
            summary = run_in_own_loop(lambda: _crawl(run), stop)
        if settings.archive.url and settings.archive.keep and not stop.forced:
            upload_rest(run)
        with suppress(DiskFullError):  # what cannot be given back now is given back at the next start
            store.release(owner=None, now=clock.now())
            if summary.cause is StopCause.OFFLINE and not summary.census.pages:
                run.try_all_again()
        log.info("stopped: %s %s; %d pages in this run", summary.cause, summary.detail, summary.pages_this_run)
        return summary


def _name() -> str:
    """Return what this process is called among engines."""
    return f"{os.uname().nodename}:{os.getpid()}"


def _waiting_for_server(store: Store, directory: CrawlDirectory, listener: Listener, stop: StopSwitch) -> Store:
    """Have a store on a server wait for it when it is away; a file is never away."""
    if isinstance(directory.store, Path):
        return store
    return enduring(store, say=lambda text: listener(Notice(text=text)), is_over=lambda: stop.asked)


def retrain(
    directory: CrawlDirectory, settings: Settings, *, listener: Listener, insist: bool = False
) -> Succession | None:
    """Train the critic that the topics ask for, judge everything stored again and let the frontier follow.

    Return the effect on the pages crawled so far; None if nothing has changed since the last training. A critic that is
    worse on examples held back is not taken without `insist`.
    """
    require_trust(directory, settings)
    clock = SystemClock()
    with (
        directory.lock(),
        _logged(directory, listener) as listen,
        open_store(directory, bad_after=settings.fetch.tries) as store,
    ):
        run = CrawlRun(
            directory=directory, settings=settings, store=store, clock=clock, listener=listen, stop=StopSwitch()
        )
        run.recover()
        critic = make_critic(run, make_rulebook(run))
        if isinstance(critic, NoCritic):
            raise SettingError('critic.kind is "none": there is no critic to train; choose one, as "logistic"')
        return critic.learn(insist=insist)


async def _crawl(run: CrawlRun) -> Summary:
    settings, book = run.settings, make_rulebook(run)
    async with AsyncExitStack() as stack:
        backlinks = make_backlinks(run, stack)  # a missing source is reported before anything begins
        critic = make_critic(run, book)
        thread = stack.enter_context(ThreadPoolExecutor(max_workers=1, thread_name_prefix="lane"))
        # The loop has reported a full disk; that the archive finds it full again on closing is no news.
        stack.enter_context(suppress(DiskFullError))
        archive = make_archive(run, stack)
        uploads = make_uploads(run, archive, stack)
        exchanges = make_exchanges(run, archive)
        reader = await stack.enter_async_context(make_readers(run))
        fetcher = await stack.enter_async_context(HttpFetcher(settings.fetch, run.clock))
        only_again = run.again and settings.revisit.then == "stop"
        run.store.note(CHOOSY, f"{settings.crawl.choosy:g}")
        order = make_order(run, book, critic, reader, stack)
        advising = make_advising(run, critic)
        hooks = _hooks(run, critic, order, advising)
        if backlinks is not None:
            hooks.append(TeachersHook(backlinks, run.fellows))
        hooks += uploads
        lane = Lane(
            store=run.store,
            exchanges=exchanges,
            clock=run.clock,
            owner=_name(),
            critic=critic,
            order=order,
            hooks=tuple(hooks),
            agenda=Agenda(examples_only=run.examples_only, again=run.again, only_again=only_again),
            fellows=run.fellows,
        )
        parts = Parts(
            settings=_without_budget(settings) if run.examples_only else settings,
            clock=run.clock,
            store=run.store,
            lane=lane,
            visitor=Visitor(fetcher, settings=settings.fetch, clock=run.clock, fellows=run.fellows),
            reader=reader,
            listener=run.listener,
            stop=run.stop,
            findings=lambda: advising.findings,
            examples_only=run.examples_only,
            count_again=run.again,
            only_again=only_again,
            fellows=run.fellows,
        )
        summary = await CrawlLoop(parts, thread).run()
        if run.again and lane.has_visited_again:
            end_revisit(run.store)
        if backlinks is not None and backlinks.found:
            run.listener(Notice(text=found_line(backlinks.found)))
        return summary


def _hooks(run: CrawlRun, critic: Judging | NoCritic, order: FrontierOrder, advising: Advising) -> list[Hook]:
    """Return the work after each turn, in its order."""
    hooks: list[Hook] = [run.forgiving(then=order.reconsider), critic, order, TeachersHook(advising, run.fellows)]
    engines = run.fellows.engines
    if engines is not None:
        hooks += [Publishing(critic)] if isinstance(critic, Judging) else []
        hooks.insert(0, FolderWatch(SharedFolder(run.directory, run.listener), engines, run.clock))
    return hooks


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
