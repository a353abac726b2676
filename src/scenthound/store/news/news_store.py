"""The memory of a crawl's questions: `questions.db`.

It is apart from crawl.db, which one engine writes and `repair` may make again: a question runs in another process, and
must remember what it has said. Each method is one transaction, synced to the disk before it returns, so that a kill at
any moment leaves a run either done with all of its news or not done at all.
"""

import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import blake2b
from importlib.resources import files
from pathlib import Path
from typing import Final
from uuid import UUID, uuid4, uuid5

import msgspec

from scenthound.errors import StoreError
from scenthound.types.news import AnswerRow, ChannelState, NewsItem, QuestionRun, Told

APPLICATION_ID: Final = 0x5363_4E77  # "ScNw", shown by `file`
KEPT: Final = 10_000  # news; older ones are deleted
FEED: Final = "feed"  # the fact that names the feed
_PATIENCE: Final = 30.0  # seconds for another process to finish its transaction


class NewsStore:
    """Use `open_news`."""

    def __init__(self, con: sqlite3.Connection) -> None:
        self._con = con

    def fact(self, key: str, value: str | None = None) -> str | None:
        """Store a fact if a value is given; return the stored value."""
        if value is not None:
            with self._whole():
                self._con.execute("INSERT OR REPLACE INTO facts VALUES (?, ?)", (key, value))
        row = self._con.execute("SELECT value FROM facts WHERE key = ?", (key,)).fetchone()
        return None if row is None else str(row[0])

    def made_once(self, key: str, value: str) -> str:
        """Return a fact; the value is stored if there is none yet."""
        with self._whole():
            self._con.execute("INSERT OR IGNORE INTO facts VALUES (?, ?)", (key, value))
        return self.fact(key) or value

    @property
    def feed(self) -> UUID:
        """The identity of this crawl's news, from which the ids of all items follow."""
        return UUID(self.fact(FEED) or self.made_once(FEED, str(uuid4())))

    def take(
        self,
        question: str,
        rows: Iterable[AnswerRow],
        *,
        digest: str,
        now: float,
        silently: bool = False,
        told: Told = list,
    ) -> list[NewsItem]:
        """Remember an answer and return what is new in it; `silently`, all of it counts as seen.

        `told` gives new rows what is published of them.
        """
        feed, found, unseen = self.feed, 0, dict[str, AnswerRow]()
        with self._whole():
            for row in rows:
                found += 1
                if self._see(question, row, now) and not silently:
                    unseen[str(uuid5(feed, f"{question}\0{row.key}"))] = row
            news = self._publish(question, dict(zip(unseen, told(list(unseen.values())), strict=True)), now)
            self._note(question, QuestionRun(at=now, digest=digest, rows=found, new=len(news)))
        return news

    def take_standing(self, question: str, rows: Sequence[AnswerRow], *, now: float) -> list[NewsItem]:
        """Remember what holds now and return what did not hold before. What ends and comes back is new again."""
        feed, unseen = self.feed, dict[str, AnswerRow]()
        with self._whole():
            held = {bytes(key) for (key,) in self._con.execute("SELECT key FROM seen WHERE question = ?", (question,))}
            over = held - {_digest(row.key) for row in rows}
            self._con.executemany("DELETE FROM seen WHERE question = ? AND key = ?", [(question, key) for key in over])
            for row in rows:
                if self._see(question, row, now):
                    unseen[str(uuid5(feed, f"{question}\0{row.key}\0{now!r}"))] = row
            news = self._publish(question, unseen, now)
            self._note(question, QuestionRun(at=now, digest="", rows=len(rows), new=len(news)))
        return news

    def fail(self, question: str, error: str, *, now: float) -> None:
        """Note that a question could not be answered. What it has seen, and what it asked last, stay as they are."""
        last = self.last_run(question) or QuestionRun(at=now, digest="", rows=0, new=0)
        with self._whole():
            self._note(question, QuestionRun(at=now, digest=last.digest, rows=last.rows, new=0, error=error))

    def last_run(self, question: str) -> QuestionRun | None:
        row = self._con.execute("SELECT at, digest, rows, new, error FROM runs WHERE question = ?", (question,))
        found = row.fetchone()
        names = ("at", "digest", "rows", "new", "error")
        return None if found is None else QuestionRun(**dict(zip(names, found, strict=True)))

    def forget(self, question: str) -> None:
        """Forget a question with all its news."""
        with self._whole():
            for table in ("seen", "news", "runs"):
                self._con.execute(f"DELETE FROM {table} WHERE question = ?", (question,))

    def news(self, *, question: str = "", limit: int = 100) -> list[NewsItem]:
        """Return the latest news, newest first; of one question, or of all."""
        where, values = ("WHERE question = ?", [question]) if question else ("", [])
        return self._items(f"{where} ORDER BY n DESC LIMIT ?", [*values, limit])

    def news_after(self, n: int, limit: int) -> list[NewsItem]:
        """Return news in their order, from a number on."""
        return self._items("WHERE n > ? ORDER BY n LIMIT ?", [n, limit])

    def count_after(self, n: int) -> int:
        """Return how many news there are behind a number."""
        return int(self._con.execute("SELECT count(*) FROM news WHERE n > ?", (n,)).fetchone()[0])

    def last(self) -> int:
        """Return the number of the last item, also if it was deleted since."""
        row = self._con.execute("SELECT seq FROM sqlite_sequence WHERE name = 'news'").fetchone()
        return int(row[0]) if row else 0

    def know_channels(self, channels: Sequence[str]) -> None:
        """Let new channels begin with the next item, and forget channels that are gone."""
        last = self.last()
        with self._whole():
            self._con.executemany(
                "INSERT OR IGNORE INTO channels VALUES (?, ?, 0, 0, '')", [(c, last) for c in channels]
            )
            gone = [(c,) for (c,) in self._con.execute("SELECT channel FROM channels").fetchall() if c not in channels]
            self._con.executemany("DELETE FROM channels WHERE channel = ?", gone)

    def channel(self, channel: str) -> ChannelState:
        row = self._con.execute("SELECT sent, tries, due, said FROM channels WHERE channel = ?", (channel,)).fetchone()
        names = ("sent", "tries", "due", "said")
        return ChannelState(**dict(zip(names, row, strict=True))) if row else ChannelState(sent=self.last())

    def set_channel(self, channel: str, state: ChannelState) -> None:
        with self._whole():
            values = (channel, state.sent, state.tries, state.due, state.said)
            self._con.execute("INSERT OR REPLACE INTO channels VALUES (?, ?, ?, ?, ?)", values)

    def _see(self, question: str, row: AnswerRow, now: float) -> bool:
        """Remember a row; return whether it was unknown."""
        done = self._con.execute("INSERT OR IGNORE INTO seen VALUES (?, ?, ?)", (question, _digest(row.key), now))
        return done.rowcount > 0

    def _publish(self, question: str, unseen: dict[str, AnswerRow], now: float) -> list[NewsItem]:
        news = []
        for id, row in unseen.items():
            values = msgspec.json.encode(row.values).decode()
            done = self._con.execute(
                "INSERT OR IGNORE INTO news (id, question, at, url, title, summary, row) VALUES (?, ?, ?, ?, ?, ?, ?)",
                (id, question, now, row.url, row.title, row.summary, values),
            )
            if done.rowcount > 0:
                news.append(_item((done.lastrowid, id, question, now, row.url, row.title, row.summary, values)))
        if news:
            self._con.execute("DELETE FROM news WHERE n <= ?", (self.last() - KEPT,))
        return news

    def _note(self, question: str, run: QuestionRun) -> None:
        values = (question, run.at, run.digest, run.rows, run.new, run.error)
        self._con.execute("INSERT OR REPLACE INTO runs VALUES (?, ?, ?, ?, ?, ?)", values)

    def _items(self, clause: str, values: Sequence[object]) -> list[NewsItem]:
        columns = "n, id, question, at, url, title, summary, row"
        return [_item(row) for row in self._con.execute(f"SELECT {columns} FROM news {clause}", values)]

    @contextmanager
    def _whole(self) -> Iterator[None]:
        self._con.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._con.execute("COMMIT")
        except BaseException:
            self._con.execute("ROLLBACK")
            raise


@contextmanager
def open_news(path: Path) -> Iterator[NewsStore]:
    """Open the memory of a crawl's questions; it is made if it is not there. Only its owner may read it."""
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
        con = sqlite3.connect(path, isolation_level=None, timeout=_PATIENCE)
    except OSError as error:
        raise StoreError(f"{path} cannot be opened: {error.strerror}; change its permissions") from None
    try:
        _prepare(con, path)
        yield NewsStore(con)
    except sqlite3.Error as error:
        raise StoreError(f"{path}: {error}; move it away, and all questions begin again") from error
    finally:
        con.close()


def _prepare(con: sqlite3.Connection, path: Path) -> None:
    con.execute("PRAGMA trusted_schema = OFF")  # the directory may come from somebody else
    con.execute("PRAGMA synchronous = FULL")
    if not _application(con):
        con.execute("BEGIN IMMEDIATE")
        if not _application(con) and not con.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            for statement in files("scenthound.store.news").joinpath("news.sql").read_text("utf-8").split(";\n"):
                con.execute(statement)
            con.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        con.execute("COMMIT")
    if _application(con) != APPLICATION_ID:
        raise StoreError(f"{path} is a database of something else; move it away")


def _application(con: sqlite3.Connection) -> int:
    return int(con.execute("PRAGMA application_id").fetchone()[0])


def _item(row: Sequence[object]) -> NewsItem:
    names = ("n", "id", "question", "at", "url", "title", "summary")
    known = dict(zip(names, row[:-1], strict=True))
    return NewsItem(**known, values=msgspec.json.decode(str(row[-1])))  # type: ignore[arg-type]


def _digest(key: str) -> bytes:
    return blake2b(key.encode("utf-8", "surrogatepass"), digest_size=16).digest()
