"""Engines as processes that a bench can kill, stop, and cut off from the server."""

import os
import random
import signal
import socket
import subprocess
import threading
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from time import sleep, time

from bench.engine_deeds import Deed
from bench.running import ROOT
from scenthound.errors import StoreError
from scenthound.settings.server_url import ServerUrl
from scenthound.store.postgres.store import PostgresStore
from tests.store.postgres_server import Server

KINDS = ("killed", "stopped", "cut off")


class Link:
    """A way to the database server that can be cut: what is sent meanwhile arrives when it is whole again."""

    def __init__(self, server: Server) -> None:
        self._target = str(next(server.folder.glob(".s.PGSQL.*[0-9]")))
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._whole = threading.Event()
        self._whole.set()
        self.port: int = self._listener.getsockname()[1]
        self._sockets: list[socket.socket] = [self._listener]
        self._threads = [threading.Thread(target=self._accept, daemon=True)]
        self._threads[0].start()

    def cut(self) -> None:
        self._whole.clear()

    def mend(self) -> None:
        self._whole.set()

    def close(self) -> None:
        self.mend()
        for end in self._sockets:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join()
        for end in self._sockets:
            end.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                there = socket.socket(socket.AF_UNIX)
                self._sockets += [client, there]
                there.connect(self._target)
                for one, other in ((client, there), (there, client)):
                    self._threads.append(threading.Thread(target=self._pump, args=(one, other), daemon=True))
                    self._threads[-1].start()

    def _pump(self, one: socket.socket, other: socket.socket) -> None:
        with suppress(OSError):
            while data := one.recv(65536):
                self._whole.wait()
                other.sendall(data)
        with suppress(OSError):
            self._whole.wait()
            other.shutdown(socket.SHUT_WR)


@dataclass(slots=True)
class Engine:
    """One engine: its name, its command, its link, its process, how often it was started, and what was done to it."""

    name: str
    command: list[str]
    link: Link
    log: Path
    process: "subprocess.Popen[bytes] | None" = None
    started: int = 0
    deeds: list[Deed] = field(default_factory=list)

    def start(self) -> None:
        self.started += 1
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                self.command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
            )

    @property
    def is_at_work(self) -> bool:
        return self.process is not None and self.process.poll() is None

    @property
    def has_failed(self) -> bool:
        """Whether it ended with an error, or said that something inside went wrong."""
        ended = self.process.poll() if self.process is not None else None
        return ended not in (None, 0) or "Traceback" in self.log.read_text()

    def send(self, sign: signal.Signals) -> None:
        """Send a signal to the engine and its readers."""
        if self.process is not None:
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, sign)

    def kill(self) -> None:
        self.send(signal.SIGKILL)
        if self.process is not None:
            self.process.wait()


class Tormentor(threading.Thread):
    """Disturbs one engine now and then until it has ended by itself, or there were enough disturbances.

    Each engine has one of these, so that several are away at once, at times all of them.
    """

    def __init__(
        self, engine: Engine, chance: random.Random, *, lease: float, between: tuple[float, float], may: "Allowance"
    ) -> None:
        super().__init__(daemon=True)
        self._engine = engine
        self._chance = chance
        self._lease = lease
        self._between = between
        self._may = may

    def run(self) -> None:
        while True:
            sleep(self._chance.uniform(*self._between))
            kind = self._chance.choice(KINDS)
            if not self._engine.is_at_work or not self._may.take(kind):
                return
            self._disturb(kind)

    def _disturb(self, kind: str) -> None:
        """Kill the engine and start it again; stop it or cut it off for longer than its lease."""
        engine, away, began = self._engine, self._chance.uniform(1.1, 2.0) * self._lease, time()
        match kind:
            case "killed":
                engine.kill()
                if self._chance.random() < 0.5:
                    sleep(self._chance.uniform(0.0, 1.5 * self._lease))
                engine.start()
            case "stopped":
                engine.send(signal.SIGSTOP)
                sleep(away)
                engine.send(signal.SIGCONT)
            case _:
                engine.link.cut()
                sleep(away)
                engine.link.mend()
        engine.deeds.append(Deed(engine=engine.name, kind=kind, began=began, ended=time()))


class Allowance:
    """How many disturbances are left for all engines of a crawl. For any thread."""

    def __init__(self, most: int, counted: "Counter[str]") -> None:
        self._most = most
        self._counted = counted
        self._lock = threading.Lock()

    def take(self, kind: str) -> bool:
        with self._lock:
            if self._counted.total() >= self._most:
                return False
            self._counted[kind] += 1
            return True


class TakeoverWatch(threading.Thread):
    """Measures how long the row of an engine outlives its lease while another engine is there to take over."""

    def __init__(self, url: ServerUrl, *, every: float = 0.2) -> None:
        super().__init__(daemon=True)
        self._url = url
        self._every = every
        self._over = threading.Event()
        self.seconds: list[float] = []

    def run(self) -> None:
        late: dict[int, float] = {}
        with suppress(StoreError), PostgresStore(self._url, read_only=True) as store:
            while not self._over.wait(self._every):
                rows = store.session.con.execute(_OVERDUE).fetchall()
                anybody = any(overdue <= 0 for _, overdue in rows)
                for gone in late.keys() - {number for number, overdue in rows if overdue > 0}:
                    self.seconds.append(late.pop(gone))
                for number, overdue in rows:
                    if overdue > 0:
                        late[number] = late.get(number, 0.0) + (self._every if anybody else 0.0)

    def end(self) -> list[float]:
        self._over.set()
        self.join()
        return self.seconds


_OVERDUE = "SELECT id, extract(epoch FROM clock_timestamp())::float8 - until FROM engines"
