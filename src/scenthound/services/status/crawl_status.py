"""How a crawl stands and what holds it back, read from its database beside the running crawl."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import msgspec

from scenthound.crawl.diagnosis.advice import FINDINGS, findings_in
from scenthound.crawl.diagnosis.reader_answers import Answers, latest_answers
from scenthound.crawl.diagnosis.speed import explain, failures, harvest, refusals
from scenthound.crawl.diagnosis.unchecked_harvest import with_answers
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.crawl.engine.awaited_host import awaiting
from scenthound.crawl.order.note import order_of
from scenthound.events import Finding
from scenthound.services.crawls.reader_store import reading
from scenthound.services.sql.read_connection import asking
from scenthound.services.status.apprentice_status import ApprenticeStatus, apprentice_status
from scenthound.services.status.learnt_status import LearntStatus, what_was_learnt
from scenthound.store.base import Store
from scenthound.types import Awaited, Census, EngineView, HostView


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """A crawl at one moment; of its hosts those with most waiting, and the bad ones."""

    now: float
    running: bool
    census: Census
    hosts: tuple[HostView, ...]
    apprentice: ApprenticeStatus | None
    awaited: Awaited | None = None  # the host for which others are left alone
    findings: tuple[Finding, ...] = ()  # that held when the crawl last looked at itself
    answers: Answers | None = None  # of a reader, about some pages
    learnt: LearntStatus | None = None  # what the crawl has learnt by itself
    engines: tuple[EngineView, ...] = ()  # at work on a server

    @property
    def harvest(self) -> float | None:
        return harvest(self.census)

    def explanation(self) -> list[str]:
        """Say what the crawl waits for, in sentences."""
        return explain(self.census, list(self.hosts), self.now, self.running, self.awaited)

    def as_table(self) -> dict[str, object]:
        """Return it for other programs: the census and hosts as they are, and the sentences."""
        return {
            "running": self.running,
            "harvest": self.harvest,
            "answers": msgspec.to_builtins(self.answers),
            "census": msgspec.to_builtins(self.census),
            "apprentice": msgspec.to_builtins(self.apprentice),
            "learnt": msgspec.to_builtins(self.learnt),
            "failed": dict(failures(self.census)),
            "refused": dict(refusals(self.census)),
            "hosts": msgspec.to_builtins(self.hosts),
            "explanation": self.explanation(),
            "findings": msgspec.to_builtins(self.findings),
            "engines": msgspec.to_builtins(self.engines),
        }


def status_of(directory: CrawlDirectory) -> Status:
    """Look at a crawl now; one that was never started has nothing in it."""
    directory.refuse_lost_database()
    now, running = time.time(), directory.is_running()
    if not directory.begun:
        return Status(now=now, running=running, census=Census(), hosts=(), apprentice=None)
    with reading(directory) as store:
        hosts = store.hosts(now=now)
        bad = [host for host in store.hosts(now=now, state="bad") if host not in hosts]
        census, findings, order = store.census(now=now), findings_in(store.note(FINDINGS)), order_of(store)
        engines = tuple(engines_of(store))
        running = running or bool(engines)
        awaited = awaiting(store, now=now) if running else None
        learnt = what_was_learnt(directory, store)
    answers = latest_answers(directory.path)
    with asking(directory) as con:
        apprentice = apprentice_status(con, order=order)
    return Status(
        now=now,
        running=running,
        census=census,
        hosts=(*hosts, *bad),
        apprentice=apprentice,
        awaited=awaited,
        findings=with_answers(findings, directory.path, answers, census),
        answers=answers,
        learnt=learnt,
        engines=engines,
    )


def engines_of(store: Store) -> Sequence[EngineView]:
    """Return the engines at work on a store; only one on a server tells."""
    ask: Callable[[], Sequence[EngineView]] = getattr(store, "engines", tuple)
    return ask()
