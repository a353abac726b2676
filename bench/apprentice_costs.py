"""What an apprentice takes of a processor, of memory and of the disk, measured in this process.

    python -m bench.apprentice_costs course       learning and scoring, the log, and resuming
    python -m bench.apprentice_costs frontier     thinking a large frontier over

Both print their figures as JSON in one line. Matrices are multiplied by one thread, as in a crawl.
"""

import argparse
import json
import os
import sqlite3
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from itertools import count
from pathlib import Path
from time import process_time
from types import MappingProxyType
from typing import Final

import numpy as np
from threadpoolctl import threadpool_limits

from bench.lesson_pages import LessonPage, lesson_pages, with_most_links
from scenthound.apprentice.checkpoint import Checkpoints
from scenthound.apprentice.crawl_guide import ApprenticeGuide
from scenthound.apprentice.priorities import Priorities
from scenthound.apprentice.scent import ScentModel
from scenthound.crawl.engine.garbage import seldom_collected
from scenthound.crawl.engine.steps import EXAMPLE_RANK
from scenthound.crawl.order.frontier_order import with_priorities
from scenthound.crawl.order.priority_moves import move_in_pieces
from scenthound.parse.urls import host_of
from scenthound.store.sqlite.store import SqliteStore
from scenthound.types import (
    Claim,
    Discovery,
    Ending,
    Fetch,
    Judgement,
    Lesson,
    Limits,
    Link,
    Outcome,
    Reading,
    Standing,
)

PAGES: Final = 1_980  # whole batches; after 2,000, with the next but one, a checkpoint is due
MOST_LINKS: Final = 64  # of a page: then the pages of the schools web that have most have 50 on average
BATCH: Final = 30  # pages: what a turn of the lane mostly has in a crawl of the schools web with 64 connections
ROUNDS: Final = 3
LINKS: Final = 1_000_000
PAGES_PER_HOST: Final = 1_000  # of the large frontier

DATABASE: Final = "crawl.db"
LIMITS: Final = Limits(delay=0.0, per_host=10 * BATCH, per_domain=0, per_ip=0, robots=False, examples=True)


class SteadyCritic:
    """A critic that has judged everything already."""

    version = 1
    disowned: Mapping[str, int] = MappingProxyType({})

    def wants(self, claim: Claim) -> bool:
        return True


class Course:
    """A crawl without a network: what is claimed from a store is scored by an apprentice, timed, and recorded.

    The pages are examples, so that nothing else is claimed; the apprentice decides in which order, as in any crawl.
    """

    def __init__(self, store: SqliteStore, pages: Sequence[LessonPage], folder: Path, *, batch: int) -> None:
        self._store = store
        self._pages = {page.url: page for page in pages}
        self._batch = batch
        self._now = 0.0
        self._guide = guide(store, Checkpoints(folder))

    def begin(self) -> None:
        found = [_discovery(Link(url=url), example=True) for url in self._pages]
        self._store.add(found, now=self._now)
        move_in_pieces(self._store, self._guide.revise(self._store), now=self._now)

    def times(self) -> Iterator[float]:
        """Yield the seconds that each batch took the apprentice."""
        while outcomes := [self._outcome(claim) for claim in self._claims()]:
            began = process_time()
            given = self._guide.advise(outcomes)
            yield process_time() - began
            pairs = zip(outcomes, given, strict=True)
            scored = [with_priorities(outcome, said, returns={}, raised={}) for outcome, said in pairs]
            self._store.record(scored, now=self._now, archived={})

    def _claims(self) -> list[Claim]:
        self._now += 1.0
        return self._store.claim(owner="bench", now=self._now, limit=self._batch, limits=LIMITS, lease=600.0)

    def _outcome(self, claim: Claim) -> Outcome:
        page = self._pages[claim.url]
        links = (Link(url=link.url, first_leaf=link.first_leaf, last_leaf=link.last_leaf) for link in page.links)
        return Outcome(
            claim=claim,
            ending=Ending.PAGE,
            finished=self._now,
            fetch=Fetch(url=claim.url, started=self._now, finished=self._now, status=200, mime="text/html"),
            reading=Reading(mime="text/html", digest=claim.url, stream=page.stream),
            judgement=Judgement(relevance=page.relevance),
            standing=Standing(promise=page.relevance),
            discoveries=tuple(_discovery(link) for link in links),
        )


def guide(store: SqliteStore, checkpoints: Checkpoints | None) -> ApprenticeGuide:
    """Return the apprentice that ships, with its share of links drawn by chance."""
    critic = SteadyCritic()
    return ApprenticeGuide(ScentModel, kind="scent", store=store, advisor=critic, checkpoints=checkpoints, sample=0.01)


def course(*, rounds: int = ROUNDS) -> dict[str, float]:
    """Take the course several times, in batches and page by page, and resume at the end."""
    pages = with_most_links(lesson_pages(), PAGES + 2 * BATCH, at_most=MOST_LINKS)
    links = sum(len(page.links) for page in pages) / len(pages)
    with tempfile.TemporaryDirectory() as folder, seldom_collected(), threadpool_limits(1, user_api="blas"):
        batches = [_taken(pages, Path(folder, f"batches{number}"), batch=BATCH) for number in range(rounds)]
        singly = [_taken(pages, Path(folder, f"singly{number}"), batch=1) for number in range(rounds)]
        return {
            "links": links,
            "batches": 1000 * fastest(batches, PAGES // BATCH) / PAGES,
            "singly": 1000 * fastest(singly, PAGES) / PAGES,
            "checkpoint": min(turn[-1] - turn[-2] for turn in batches),  # the last batch has it to write besides
            "log": _log_size(Path(folder, "batches0", DATABASE)) / (links * len(pages)),
            **_resumed(Path(folder, "batches0")),
        }


def fastest(turns: Sequence[Sequence[float]], many: int) -> float:
    """Return the sum of the first so many times, each the shortest of several turns at the same work.

    Whatever else a machine does only ever adds to them.

    >>> fastest([[1.0, 5.0, 9.0], [2.0, 3.0, 9.0]], 2)
    4.0
    """
    shortest = np.array([turn[:many] for turn in turns]).min(axis=0)
    return float(shortest.sum())


def _taken(pages: Sequence[LessonPage], folder: Path, *, batch: int) -> list[float]:
    folder.mkdir()
    with SqliteStore(folder / DATABASE) as store:
        course = Course(store, pages, folder, batch=batch)
        course.begin()
        return list(course.times())


def _resumed(folder: Path) -> dict[str, float]:
    """Time what a crawl does first when it goes on: with a checkpoint, and with nothing but the log."""
    with SqliteStore(folder / DATABASE) as store:
        began = process_time()
        move_in_pieces(store, guide(store, Checkpoints(folder)).revise(store), now=1e6)
        between = process_time()
        move_in_pieces(store, guide(store, None).revise(store), now=1e6)
        return {"restored": between - began, "replayed": process_time() - between}


def _log_size(database: Path) -> float:
    """Return the bytes of all lessons; a row has a handful of numbers besides what is counted."""
    pages = "SELECT sum(length(packed) + length(stream) + 16) FROM lesson_pages"
    rest = "SELECT sum(length(topics) + length(reasons) + 40) FROM lessons"
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as con:
        sizes = [float(con.execute(query).fetchone()[0]) for query in (pages, rest)]
    return sum(sizes)


def frontier(*, links: int = LINKS) -> dict[str, float]:
    """Let an apprentice see pages of many hosts until it has so many links in mind, and think all of them over."""
    pages = lesson_pages()
    with seldom_collected(), threadpool_limits(1, user_api="blas"):
        before = _resident()
        model = ScentModel(capacity=2 * links)  # one that forgets would never have so many
        for lesson in _of_many_hosts(pages):
            model.learn(lesson)
            if len(model.ground.links.source) >= links:
                break
        priorities = Priorities(model)
        began = process_time()
        told = priorities.begin(0)
        between = process_time()
        again = priorities.all()
        return {
            "links": len(model.ground.links.source),
            "waiting": len(told),
            "first": between - began,
            "again": process_time() - between,
            "told again": len(again),
            "bytes": (_resident() - before) / len(model.ground.links.source),
        }


def _of_many_hosts(pages: Sequence[LessonPage]) -> Iterator[Lesson]:
    """Yield some pages of each of many hosts, so that most links lead to what was not fetched."""
    for host in count():
        for number in range(PAGES_PER_HOST):
            yield pages[(host * PAGES_PER_HOST + number) % len(pages)].on(f"h{host}.example")


def _resident() -> int:
    """Return the bytes of memory that this process has, from Linux's /proc."""
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")


def _discovery(link: Link, *, example: bool = False) -> Discovery:
    host = host_of(link.url)
    rank = EXAMPLE_RANK if example else 0
    return Discovery(link=link, host=host, domain=host, depth=1, demoted=rank, example=example)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mode", choices=["course", "frontier"])
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--links", type=int, default=LINKS)
    asked = parser.parse_args()
    print(json.dumps(course(rounds=asked.rounds) if asked.mode == "course" else frontier(links=asked.links)))


if __name__ == "__main__":
    main()
