"""The parts of a live crawl, each made from a run: rules, critic, order, hubs, hooks, archive, readers.

Together with `assemble` it is the one place that names concrete classes.
"""

import dataclasses
from contextlib import AsyncExitStack
from importlib.metadata import version
from math import inf

from scenthound.archive.elsewhere import elsewhere_at
from scenthound.archive.files import Archive
from scenthound.crawl.backlinks.discovery import AskedBackwards, Backwards, OwnLinksBackwards
from scenthound.crawl.backlinks.sources import OWN_LINKS, source_of
from scenthound.crawl.critic.at_work import CriticAtWork, NoCritic
from scenthound.crawl.critic.crawl_critic import Judging
from scenthound.crawl.diagnosis.advice import Advising
from scenthound.crawl.directory.settings_watch import SettingsWatch
from scenthound.crawl.engine.archive_uploads import SEGMENT, Uploader, UploadHook
from scenthound.crawl.engine.exchange_archive import ArchivedExchanges, Exchanges, UnarchivedExchanges
from scenthound.crawl.engine.hooks import Hook
from scenthound.crawl.engine.rulebook import rulebook_of
from scenthound.crawl.engine.run_context import CrawlRun
from scenthound.crawl.engine.steps import Rulebook, example_discovery, seed_discovery
from scenthound.crawl.hubs.distillation import NO_HUBS, Distilling, Hubs
from scenthound.crawl.hubs.distiller_process import DistillerProcess
from scenthound.crawl.hubs.hub_visits import HubVisits
from scenthound.crawl.order.current import Ordering, Places
from scenthound.crawl.order.frontier_order import FrontierOrder
from scenthound.crawl.readers.pool import ReaderPool, reader_options
from scenthound.events import Notice
from scenthound.frontier.crowds import FREE, Crowds
from scenthound.frontier.shares import DomainShares
from scenthound.parse.urls import Locks, domain_of, host_of
from scenthound.store.walk import count_domains


def make_rulebook(run: CrawlRun) -> Rulebook:
    wanted = run.settings.fetch.only
    book = rulebook_of(run.settings, run.store, only=Locks(wanted) if wanted else None)
    return dataclasses.replace(book, crowds=_make_crowds(run)) if run.settings.crawl.traps else book


def _make_crowds(run: CrawlRun) -> Crowds:
    store, domains = run.store, count_domains(run.store)
    return Crowds(
        known=lambda host: store.host(host, now=0.0) is not None,
        hosts=domains.crowded(FREE // 2),
        pages=dict(domains.pages),
        tell=lambda text: run.listener(Notice(text=text)),
    )


def make_critic(run: CrawlRun, book: Rulebook) -> Judging | NoCritic:
    """Set up the critic, which puts its examples into the frontier; without one, examples are only seeds."""
    known = run.store.census(now=run.clock.now()).known  # a crawl that is under way needs no seeds
    seeds = run.directory.seeds() if known else run.directory.starting_points()
    if run.settings.critic.kind == "none":
        as_found = example_discovery if run.examples_only else seed_discovery
        run.store.add([as_found(url, book) for url in seeds], now=run.clock.now())
        return NoCritic(seeds=run.directory.seeds())
    critic = Judging(
        directory=run.directory,
        settings=run.settings,
        store=run.store,
        clock=run.clock,
        listener=run.listener,
        fellows=run.fellows,
    )
    critic.begin(book)
    return critic


def make_order(
    run: CrawlRun, book: Rulebook, critic: CriticAtWork, reader: ReaderPool, stack: AsyncExitStack
) -> FrontierOrder:
    """Set up the order of the frontier, which follows edits of crawl.toml."""
    in_force = Ordering(
        settings=run.settings,
        book=book,
        store=run.store,
        clock=run.clock,
        listener=run.listener,
        places=Places(models=run.directory.models, archive=run.directory.archive_place),
        watch=SettingsWatch(run.directory, run.settings, given=run.given, clock=run.clock, listener=run.listener),
        critic=critic,
        stopping=lambda: run.stop.asked,
        number_words=reader.number_words,
        fellows=run.fellows,
    )
    in_force.begin()
    return FrontierOrder(
        in_force,
        store=run.store,
        clock=run.clock,
        critic=critic,
        hubs=_make_hubs(run, critic, stack),
        shares=_make_shares(run),
    )


def _make_hubs(run: CrawlRun, critic: CriticAtWork, stack: AsyncExitStack) -> Hubs:
    """Set up the distiller beside the crawl; without a critic there is no relevance to distil by."""
    if not critic.learns or not run.settings.distill.on or run.examples_only:
        return NO_HUBS
    log = run.directory.logs / "distiller.log"
    worker = stack.enter_context(DistillerProcess(run.directory.store, run.settings.distill, log=log))
    hubs = Distilling(
        run.settings.distill,
        store=run.store,
        worker=worker,
        clock=run.clock,
        listener=run.listener,
        critic=lambda: critic.version,
        visits=_make_hub_visits(run),
        fellows=run.fellows,
    )
    hubs.begin()
    return hubs


def _make_hub_visits(run: CrawlRun) -> HubVisits | None:
    """Set up what asks hubs again; `crawl --revisit` does so by itself."""
    share = run.settings.distill.revisit
    if not share or run.again:
        return None
    return HubVisits(run.store, run.settings.revisit, share=share, clock=run.clock, listener=run.listener)


def _make_shares(run: CrawlRun) -> DomainShares:
    """Set up what keeps any domain from taking more than its share."""
    given = [domain_of(host_of(url)) for url in run.directory.seeds()]
    most = run.settings.apprentice.domain_share
    return DomainShares(most, given=given, taken=dict(count_domains(run.store).pages))


def make_advising(run: CrawlRun, critic: Judging | NoCritic) -> Advising:
    """Set up what looks at the crawl now and then."""
    advising = Advising(
        path=str(run.directory.path),
        settings=run.settings,
        store=run.store,
        clock=run.clock,
        listener=run.listener,
        judging=critic if isinstance(critic, Judging) else None,
    )
    advising.begin()
    return advising


def make_backlinks(run: CrawlRun, stack: AsyncExitStack) -> Backwards | None:
    """Set up what looks for pages that cite good ones, if the settings ask for it."""
    settings = run.settings.backlinks
    if not settings.source or run.examples_only:
        return None
    if run.settings.critic.kind == "none":
        text = 'backlinks.source is set, but critic.kind is "none": no page is known to be good, and nobody is asked'
        run.listener(Notice(text=text))
        return None
    if settings.source == OWN_LINKS:
        return OwnLinksBackwards(settings=settings, store=run.store, clock=run.clock)
    return stack.enter_context(
        AskedBackwards(
            source_of(settings, run.directory.path),
            settings=settings,
            store=run.store,
            clock=run.clock,
            listener=run.listener,
        )
    )


def make_archive(run: CrawlRun, stack: AsyncExitStack) -> Archive | None:
    """Open the archive, if the settings keep one. If its files are uploaded, a run never adds to an earlier one's."""
    settings = run.settings.archive
    if not settings.keep:
        return None
    archive = Archive(
        run.directory.archive,
        file_size=min(settings.file_size, SEGMENT) if settings.url else settings.file_size,
        software=f"scenthound/{version('scenthound')}",
        engine=run.fellows.number,
        close_after=settings.close_after if settings.url else inf,
        closed=frozenset(run.store.archived()) if settings.url else (),
    )
    return stack.enter_context(archive)


def make_exchanges(run: CrawlRun, archive: Archive | None) -> Exchanges:
    return UnarchivedExchanges(run.store) if archive is None else ArchivedExchanges(run.store, archive)


def make_uploads(run: CrawlRun, archive: Archive | None, stack: AsyncExitStack) -> list[Hook]:
    """Set up the uploads of archive files, if the settings name a place for them."""
    if archive is None or not run.settings.archive.url:
        return []
    there = elsewhere_at(run.settings.archive.url)
    uploader = Uploader(run.directory.archive, there, lambda text: run.listener(Notice(text=text)))
    hook = UploadHook(run, archive, stack.enter_context(uploader))
    hook.begin()
    return [hook]


def make_readers(run: CrawlRun) -> ReaderPool:
    """Set up the processes that read pages."""
    read = run.settings.read
    kind = run.settings.critic.kind
    log = run.directory.logs / "readers.log"
    options = reader_options(
        run.settings,
        archive=run.settings.archive.keep,
        terms=kind != "none",
        text=":" in kind,
        texts=run.directory.texts if run.settings.search.beside else None,
    )
    return ReaderPool(options, workers=read.workers, timeout=read.timeout, log=log)
