"""The processes of an experiment: groups of crawls in, reports out, in the order of completion.

A process that dies costs its current crawl; a fresh process takes the rest of its group. Processes start as separate
programs, neither forked nor spawned, so a script that runs an experiment needs no `__main__` guard.
"""

import os
import socket
import subprocess
import sys
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from multiprocessing.connection import Connection, wait
from pathlib import Path
from types import TracebackType
from typing import Protocol, Self, cast

from scenthound.errors import ScenthoundError
from scenthound.lab.experiment.jobs import Group
from scenthound.lab.runs.worker import IDLE, READY, Broken, Report, Setup, Worker

# By import, not with -m: nothing can receive objects of a module named `__main__` elsewhere.
PROGRAM = "from scenthound.lab.runs.worker import main; main()"
# One thread per process: they already share the cores, and sums do not depend on the number of processes.
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}


class Crew(Protocol):
    """Runs crawls. Use it in a `with`."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    def work(self, groups: Sequence[Group]) -> Iterator[Report]:
        """Run all crawls of some groups; the large ones first, so that none is left for the end."""
        ...


def crew_of(setup: Setup, processes: int, *, log: Path) -> Crew:
    """Return a crew of so many processes; 0 means one per core."""
    wanted = processes or os.cpu_count() or 1
    return Alone(setup) if wanted == 1 else Processes(setup, wanted, log=log)


class Alone:
    """This process itself."""

    def __init__(self, setup: Setup) -> None:
        self._worker = Worker(setup)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        pass

    def work(self, groups: Sequence[Group]) -> Iterator[Report]:
        for group in largest_first(groups):
            yield from self._worker.run(group)


class Processes:
    """Several processes, started on demand and ended with the `with`; their output goes to `log`."""

    def __init__(self, setup: Setup, count: int, *, log: Path) -> None:
        self._setup = setup
        self._count = count
        self._log = log
        self._hands: list[_Hand] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for hand in self._hands:
            hand.end()

    def work(self, groups: Sequence[Group]) -> Iterator[Report]:
        waiting = deque(largest_first(groups))
        while len(self._hands) < min(self._count, len(waiting)):
            self._hands.append(_Hand(self._setup, self._log))
        for hand in self._hands:
            hand.give(waiting)
        while busy := {hand.wire: hand for hand in self._hands if hand.group is not None}:
            for wire in wait(list(busy)):
                yield from self._heard(busy[cast(Connection, wire)], waiting)

    def _heard(self, hand: "_Hand", waiting: deque[Group]) -> Iterator[Report]:
        try:
            said = hand.wire.recv()
        except (EOFError, ConnectionResetError):
            yield self._buried(hand, waiting)
            return
        if said == READY:
            hand.ready = True
        elif said is IDLE:
            hand.give(waiting)
        else:
            hand.reported += 1
            yield said

    def _buried(self, hand: "_Hand", waiting: deque[Group]) -> Report:
        """Replace a dead process; only its current crawl is lost."""
        how = hand.obituary()
        if not hand.ready or hand.group is None:
            raise ScenthoundError(f"a process of the experiment did not start ({how}); {self._log} may say why")
        lost, *rest = hand.group.jobs[hand.reported :]
        if rest:
            waiting.appendleft(replace(hand.group, jobs=tuple(rest)))
        self._hands.remove(hand)
        self._hands.append(_Hand(self._setup, self._log))
        self._hands[-1].give(waiting)
        return Broken(place=lost.place, error=f"its process ended with {how}; {self._log} may say why")


class _Hand:
    """Our end of one process: its group, and the number of crawls that it has reported."""

    def __init__(self, setup: Setup, log: Path) -> None:
        ours, theirs = socket.socketpair()
        with theirs, log.open("ab") as said:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-c", PROGRAM],  # -P: see own_code.python
                stdin=theirs.fileno(),
                stdout=said,
                stderr=said,
                env={**os.environ, **ONE_THREAD},
                start_new_session=True,  # Ctrl-C in the terminal is for us, and we end the processes
            )
        self.wire = Connection(ours.detach())
        self.group: Group | None = None
        self.reported = 0
        self.ready = False
        self._send(setup)

    def give(self, waiting: deque[Group]) -> None:
        """Take the next group, if there is one."""
        self.group, self.reported = (waiting.popleft() if waiting else None), 0
        if self.group is not None:
            self._send(self.group)

    def _send(self, value: Setup | Group) -> None:
        with suppress(BrokenPipeError, ConnectionResetError):  # it has died; reading from it will show that
            self.wire.send(value)

    def end(self) -> None:
        """End the process, at whatever it is."""
        self.wire.close()
        self._process.kill()
        self._process.wait()

    def obituary(self) -> str:
        """Describe how a process ended that does not answer any more."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout=5.0)
        self.end()
        code = self._process.returncode
        return f"signal {-code}" if code < 0 else f"exit code {code}"


def largest_first(groups: Sequence[Group]) -> list[Group]:
    return sorted(groups, key=lambda group: (-group.fetches, group.task.name))
