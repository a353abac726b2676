"""A crawl copied from one store to another and compared with it: the same rows by number and by digest."""

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from scenthound.errors import StoreError
from scenthound.store.store_place import Place, need_driver, reader_at, shown_place
from scenthound.store.transfer.table_rows import count_rows, digest_of, pieces, tables
from scenthound.store.transfer.target import Target, last_key, refuse_other, target_at

Say = Callable[["Step"], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """How far a copy has come: what is done with which table, and its rows."""

    doing: str
    table: str
    done: int
    rows: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Copied:
    """How many rows were copied now, and how many are there and equal."""

    copied: int
    rows: int


def copy_store(source: Place, target: Place, *, say: Say) -> Copied:
    """Copy a crawl, or go on with a copy that was killed; nobody may write to the source meanwhile."""
    if not isinstance(source, Path) or not isinstance(target, Path):
        need_driver()
    with reading_alone(source) as old, _opened(target_at(target)) as new:
        if new.is_whole:
            return _compare_whole(old, new, target, say)
        refuse_other(new, _name(source), shown_place(target))
        copied = _copy(old, new, _name(source), say)
        different = _compare(old, new, say)
        if different:  # the crawl went on after a copy that was killed
            new.reset()
            copied = _copy(old, new, _name(source), say)
            different = _compare(old, new, say)
        if different:
            raise StoreError(f"{shown_place(target)}: the copy differs in {', '.join(different)}; nothing was changed")
        rows = sum(count_rows(new.con, table) for table in tables())
        new.finish()
        return Copied(copied=copied, rows=rows)


@contextmanager
def reading_alone(place: Place) -> Iterator[sqlite3.Connection]:
    """Open a store for reading while nobody writes to it; the caller has the lock of a file's directory."""
    with closing(reader_at(place)) as con:
        if isinstance(place, Path):
            yield con
            return
        from scenthound.store.postgres.session import lock

        lock(con)
        yield con


@contextmanager
def _opened(target: Target) -> Iterator[Target]:
    try:
        target.open()
        yield target
    finally:
        target.close()


def _compare_whole(old: sqlite3.Connection, new: Target, place: Place, say: Say) -> Copied:
    """A target that is whole may be this very crawl: a move was killed at its very end."""
    if _compare(old, new, say):
        raise StoreError(f"{shown_place(place)}: there is another crawl already; choose another name")
    return Copied(copied=0, rows=sum(count_rows(old, table) for table in tables()))


def _copy(old: sqlite3.Connection, new: Target, source: str, say: Say) -> int:
    if new.note("source") is None:
        new.begin(source)
    copied = 0
    for table in tables():
        after = last_key(new, table)
        rows, done = count_rows(old, table), 0 if after is None else count_rows(new.con, table)
        for piece in pieces(old, table, after):
            new.append(table, piece)
            copied, done = copied + len(piece), done + len(piece)
            say(Step(doing="copied", table=table.name, done=done, rows=rows))
    return copied


def _compare(old: sqlite3.Connection, new: Target, say: Say) -> list[str]:
    """Return the tables that differ."""
    different = []
    for table in tables():
        here = digest_of(old, table)
        if here != digest_of(new.con, table):
            different.append(table.name)
        say(Step(doing="compared", table=table.name, done=here[0], rows=here[0]))
    return different


def _name(place: Place) -> str:
    return f"{os.uname().nodename}:{place.resolve()}" if isinstance(place, Path) else place.shown
