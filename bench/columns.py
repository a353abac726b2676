"""The cost of an order of columns: claiming, recording, updating moved URLs, and reordering a whole frontier.

Each store grows by the same made-up pages, 40 links each of which 15 are new, four in five to the page's own host, in
batches of 20. Processor time of the process, because the machine is shared; the orders take turns, batch by batch.
"""

import random
import tempfile
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from time import process_time
from typing import Final

from bench.figures import Figure, Report, at_most, markdown_table
from scenthound.crawl.order.change import reorder
from scenthound.crawl.order.upkeep import Upkeep
from scenthound.frontier.orders import Combined, Order, order_by_name
from scenthound.store.sqlite.store import SqliteStore
from scenthound.types import Claim, Discovery, Ending, Fetch, Judgement, Limits, Link, Outcome, Reading, Standing

ORDERS: Final = ("best-first", "tries, -relevance, server_load", "server_load, -relevance", "last_visited, -hub")
HOSTS, LINKS, NEW, BATCH, PAGES = 200, 40, 15, 20, 3000
LIMITS: Final = Limits(delay=0.0, per_host=2, per_domain=0, per_ip=0, robots=False)


@dataclass(kw_only=True)
class Crawl:
    """A store that grows under one order, and the processor time that went into it."""

    store: SqliteStore
    order: Order
    chance: random.Random
    now: float = 1.0
    made: int = 0
    working: float = 0.0
    keeping: float = 0.0
    pages: int = 0
    upkeep: Upkeep | None = field(init=False, default=None)

    def begin(self) -> None:
        if isinstance(self.order, Combined):
            self.upkeep = Upkeep(self.store, self.order, nofollow=True)
        self.store.add([self._link(f"h{n}.test", 0.5) for n in range(HOSTS)], now=self.now)

    def work(self) -> None:
        """Claim a batch, record it, and weigh what it moves."""
        self.now += 1.0
        began = process_time()
        claims = self.store.claim(owner="bench", now=self.now, limit=BATCH, limits=LIMITS, lease=600.0)
        taken = process_time() - began
        outcomes = [self._page(claim) for claim in claims]
        began = process_time()
        self.store.record(outcomes, now=self.now, archived={})
        recorded = process_time()
        if self.upkeep is not None:
            self.store.move(self.upkeep.numbers_after(outcomes), now=self.now)
        self.keeping += process_time() - recorded
        self.working += taken + recorded - began
        self.pages += len(outcomes)

    def _page(self, claim: Claim) -> Outcome:
        relevance = self.chance.randrange(101) / 100
        old = [f"http://{host}/{self.chance.randrange(max(1, self.made))}" for host in self._hosts(claim, LINKS - NEW)]
        links = [self._link(host, relevance) for host in self._hosts(claim, NEW)]
        return Outcome(
            claim=claim,
            ending=Ending.PAGE,
            finished=self.now,
            fetch=Fetch(url=claim.url, started=self.now, finished=self.now, status=200, mime="text/html"),
            reading=Reading(mime="text/html", digest=claim.url, fingerprint=self.chance.getrandbits(63)),
            judgement=Judgement(relevance=relevance),
            standing=Standing(promise=relevance),
            discoveries=(*links, *(self._found(url, relevance) for url in old)),
            shape="/N",
        )

    def _hosts(self, claim: Claim, many: int) -> list[str]:
        draws = (self.chance.random() for _ in range(many))
        return [claim.host if draw < 0.8 else f"h{self.chance.randrange(HOSTS)}.test" for draw in draws]

    def _link(self, host: str, promise: float) -> Discovery:
        self.made += 1
        return self._found(f"http://{host}/{self.made}", promise)

    def _found(self, url: str, promise: float) -> Discovery:
        host = url.split("/")[2]
        priority, cited = self.order.priority(Link(url=url), 1, promise), promise if self.order.blends else None
        return Discovery(link=Link(url=url), host=host, domain=host, depth=1, priority=priority, cited=cited)


def run(*, quick: bool = False) -> Report:
    """Let all orders take turns, then put the largest frontier in order."""
    rows, rivals = list[list[str]](), dict[str, Crawl]()
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        for number, name in enumerate(ORDERS):
            store = stack.enter_context(SqliteStore(Path(folder, f"{number}.db")))
            rivals[name] = Crawl(store=store, order=order_by_name(name, seed=0), chance=random.Random(7))
            rivals[name].begin()
        for _ in range((PAGES // 10 if quick else PAGES) // BATCH):
            for rival in rivals.values():
                rival.work()
        for name, rival in rivals.items():
            waiting, seconds = _put_in_order(rival)
            work, keep = (1000 * part / rival.pages for part in (rival.working, rival.keeping))
            rows.append([f"`{name}`", f"{work:.2f}", f"{keep:.2f}", f"{waiting:,}", f"{1e6 * seconds / waiting:.0f}"])
            print("  " + "  ".join(rows[-1]), flush=True)
    headings = ["order", "claim and record, ms a page", "weigh again, ms a page", "waiting", "put in order, µs a URL"]
    weighed = rivals[ORDERS[1]]
    return Report(
        figures=(
            Figure(
                name="weighing again, aggressive discovery",
                value=1000 * weighed.keeping / weighed.pages,
                unit="ms a page",
                goal=at_most(10),
            ),
        ),
        text=(markdown_table(headings, rows, right=[1, 2, 3, 4]),),
    )


def _put_in_order(rival: Crawl) -> tuple[int, float]:
    """Return how many URLs wait, and what it takes to give them all their numbers."""
    began = process_time()
    reorder(rival.store, rival.order, seeds=(), nofollow=True, now=rival.now)
    return rival.store.census(now=rival.now).waiting, process_time() - began
