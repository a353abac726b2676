"""What a page costs the store when the frontier is small and when it is large.

Builds stores with few and with many waiting URLs by bulk SQL, then lets both do the same work in turns: claim a
page, record it with its links. Prints microseconds per page, the ratio, and the memory of the process.

    python bench/frontier_scale.py [--small 50000] [--large 5000000] [--pages 2000] [--keep FOLDER]
"""

import argparse
import multiprocessing
import os
import random
import resource
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from scenthound.store.sqlite.links import url_key
from scenthound.store.sqlite.store import SqliteStore, SqlStore
from scenthound.types import Claim, Discovery, Ending, Fetch, Judgement, Limits, Link, Outcome, Reading

URLS_PER_HOST = 250
HOSTS_PER_DOMAIN = 2
CITED = 3  # pages that have cited a waiting URL before, each with a priority at random
LINKS, NEW = 40, 15  # links of a page, and how many of them were never seen
BATCH = 20  # pages that the crawl claims and records at a time
LIMITS = Limits(delay=0.0, per_host=1, robots=False)


def main() -> None:
    asked = _arguments()
    with tempfile.TemporaryDirectory() as temporary, ExitStack() as stack:
        folder = Path(asked.keep or temporary)
        rivals = []
        for waiting in (asked.small, asked.large):
            path = folder / f"frontier-{waiting}.db"
            if not path.exists():
                _elsewhere(path, waiting)
            store = stack.enter_context(SqliteStore(path))
            store.release(owner=None, now=0.0)
            now = float(store.note("bench now") or 1.0)
            rivals.append(Rival(store=store, waiting=waiting, now=now, chance=random.Random(now)))
        for _ in range(max(1, asked.pages // (10 * BATCH))):
            for rival in rivals:  # in turns, because the machine's mood changes by the minute
                for _ in range(10):
                    rival.work()
        report(rivals)
        for rival in rivals:
            rival.store.note("bench now", str(rival.now))  # kept stores go on from here
        if asked.check:
            for rival in rivals:
                print(f"{rival.waiting:>9,} waiting: check() says {rival.store.check() or 'all is well'}")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--small", type=int, default=50_000)
    parser.add_argument("--large", type=int, default=5_000_000)
    parser.add_argument("--pages", type=int, default=4_000)
    parser.add_argument("--keep", help="folder in which the stores are kept, and looked for")
    parser.add_argument("--check", action="store_true", help="recompute all totals of both stores at the end")
    return parser.parse_args()


@dataclass
class Rival:
    """One of the stores, and how long its pages took."""

    store: SqlStore
    waiting: int
    now: float
    chance: random.Random
    claims: list[float] = field(default_factory=list)
    records: list[float] = field(default_factory=list)
    made: int = 0
    links: int = LINKS  # of a page
    new: int = NEW  # of these, never seen

    def work(self) -> None:
        """Claim and record one batch."""
        self.now += 1.0
        began = time.perf_counter()
        claims = self.store.claim(owner="bench", now=self.now, limit=BATCH, limits=LIMITS, lease=600.0)
        taken = time.perf_counter()
        outcomes = [self._page(claim) for claim in claims]
        ready = time.perf_counter()
        self.store.record(outcomes, now=self.now, archived={})
        done = time.perf_counter()
        assert len(claims) == BATCH
        self.claims.append((taken - began) / BATCH)
        self.records.append((done - ready) / BATCH)

    def _page(self, claim: Claim) -> Outcome:
        links = [self._new_link(claim) for _ in range(self.new)]
        links += [self._old_link(claim) for _ in range(self.links - self.new)]
        return Outcome(
            claim=claim,
            ending=Ending.PAGE,
            finished=self.now,
            fetch=Fetch(
                url=claim.url, started=self.now, finished=self.now, status=200, mime="text/html", ip=_ip(claim)
            ),
            reading=Reading(
                mime="text/html", title="A page", digest=claim.url, fingerprint=self.chance.getrandbits(63)
            ),
            judgement=Judgement(relevance=0.5),
            discoveries=tuple(links),
            shape="/page-N",
        )

    def _new_link(self, claim: Claim) -> Discovery:
        self.made += 1
        host = claim.host if self.chance.random() < 0.8 else _host(self.chance.randrange(self.waiting // URLS_PER_HOST))
        return _link(host, f"http://{host}/new-{time.time_ns()}-{self.made}", self.chance.random())

    def _old_link(self, claim: Claim) -> Discovery:
        host = claim.host if self.chance.random() < 0.8 else _host(self.chance.randrange(self.waiting // URLS_PER_HOST))
        return _link(host, _address(host, self.chance.randrange(URLS_PER_HOST)), self.chance.random())


def _link(host: str, url: str, priority: float) -> Discovery:
    link = Link(url=url, text="words of a link", first_leaf=3, last_leaf=4)
    return Discovery(link=link, host=host, domain=host.split(".", 1)[1], depth=1, priority=priority)


def _ip(claim: Claim) -> str:
    number = int(claim.host[1 : claim.host.index(".")])
    return f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"


def _host(number: int) -> str:
    return f"h{number}.d{number // HOSTS_PER_DOMAIN}.test"


def _address(host: str, number: int) -> str:
    return f"http://{host}/section/{number % 7}/page-{number}.html"


def report(rivals: list[Rival]) -> None:
    small, large = rivals
    print(f"{'per page, µs':>24} {'claim':>8} {'record':>8} {'both':>8}")
    totals = []
    for rival in rivals:
        claim, record = (1e6 * statistics.mean(times) for times in (rival.claims, rival.records))
        totals.append((claim, record, claim + record))
        print(f"{rival.waiting:>16,} waiting {claim:>8.0f} {record:>8.0f} {claim + record:>8.0f}")
    ratios = [big / little for little, big in zip(*totals, strict=True)]
    print(f"{'ratio':>24} {ratios[0]:>8.2f} {ratios[1]:>8.2f} {ratios[2]:>8.2f}")
    medians = [1e6 * statistics.median(map(sum, zip(r.claims, r.records, strict=True))) for r in (small, large)]
    print(f"medians {medians[0]:.0f} and {medians[1]:.0f}, ratio {medians[1] / medians[0]:.2f}")
    print(f"largest resident memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


def _elsewhere(path: Path, waiting: int) -> None:
    """Build in a process of its own, whose memory does not count."""
    builder = multiprocessing.get_context("spawn").Process(target=build, args=(path, waiting))
    builder.start()
    builder.join()


def build(path: Path, waiting: int) -> None:
    """Fill a store with waiting URLs, as many URLs on each host, in the order in which a crawl would meet them.

    The indexes grow with the rows, as in a crawl. Built at the end their leaves would be packed full, and the large
    store alone would pay for splitting nearly every leaf that it touches: 58 instead of 47 pages of the database
    written for each page of the web.
    """
    began = time.perf_counter()
    with SqliteStore(path):
        pass
    hosts = waiting // URLS_PER_HOST
    con = sqlite3.connect(path, isolation_level=None)
    con.execute("PRAGMA synchronous = OFF")
    con.execute("PRAGMA cache_size = -400000")
    con.execute("BEGIN")
    con.executemany(
        "INSERT INTO hosts (id, name, domain, state) VALUES (?, ?, ?, 'idle')",
        ((number + 1, _host(number), _host(number).split(".", 1)[1]) for number in range(hosts)),
    )
    chance = random.Random(1)
    urls = enumerate(_met(hosts), 1)
    while block := [(id, number + 1, url_key(url), url) for id, (number, url) in islice(urls, 10_000)]:
        con.executemany(
            "INSERT INTO finds (id, host_id, key, url, found_at, found_by) VALUES (?, ?, ?, ?, 0.0, 'anchor')", block
        )
        con.executemany(
            """INSERT INTO standings (host_id, key, id, state, priority, demoted, depth, hops)
            VALUES (?, ?, ?, 0, ?, 0, 1, 0)""",
            [(host_id, key, id, max(chance.random() for _ in range(CITED))) for id, host_id, key, _ in block],
        )
    con.execute(f"UPDATE hosts SET state = 'ready', waiting = {URLS_PER_HOST}, (best_demoted, best_priority, best_id) = (SELECT demoted, priority, id FROM standings WHERE host_id = hosts.id AND state = 0 ORDER BY demoted, priority DESC, id LIMIT 1)")  # fmt: skip
    con.execute(f"INSERT INTO counters VALUES ('url:waiting', {hosts * URLS_PER_HOST}), ('host:ready', {hosts})")
    con.execute("COMMIT")
    con.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    con.close()
    with path.open("rb") as file:
        os.fsync(file.fileno())  # or the system would still be writing the large store while the two are compared
    print(
        f"built {waiting:,} waiting URLs on {hosts:,} hosts in {time.perf_counter() - began:.0f} s, "
        f"{path.stat().st_size / 1e6:.0f} MB"
    )


def _met(hosts: int) -> Iterator[tuple[int, str]]:
    """Yield the number of a host and a URL of it, ten of each host at a time."""
    for start in range(0, URLS_PER_HOST, 10):
        for number in range(hosts):
            for page in range(start, start + 10):
                yield number, _address(_host(number), page)


if __name__ == "__main__":
    main()
