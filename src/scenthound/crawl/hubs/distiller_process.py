"""The distiller as a process beside the crawl: started for the first distillation, checked between turns, ended with
the crawl.

It reads the database through a connection of its own and gives way to the crawl where the processor is short. If it
fails, the crawl loses nothing but the hubs.
"""

import os
import subprocess
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import IO, Final, Self

import msgspec

from scenthound.distill.scores import LENGTH, Found, Order, Rules
from scenthound.distill.site import Site
from scenthound.errors import ScenthoundError
from scenthound.own_code import python
from scenthound.settings.schema import DistillSettings
from scenthound.store.store_place import Place, words_for

LONGEST: Final = 3_600.0  # seconds after which it is ended; 10 million links take half a minute


class DistillerProcess:
    """The `Worker` of a crawl; use it in a `with`. Messages of a process that fails go to `log`."""

    def __init__(self, store: Place, settings: DistillSettings, *, log: Path, longest: float = LONGEST) -> None:
        rules = Rules(site=Site(settings.site), share=settings.share, rounds=settings.rounds)
        self._order = msgspec.json.encode(Order(database=words_for(store), rules=rules)) + b"\n"
        self._log = log
        self._longest = longest
        self._process: subprocess.Popen[bytes] | None = None
        self._answer: IO[bytes] | None = None
        self._since: float | None = None  # when it was asked, while it owes an answer

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._end()

    @property
    def at_work(self) -> bool:
        return self._since is not None

    @property
    def pid(self) -> int | None:
        """The number of the process, while there is one."""
        return self._process.pid if self._process is not None else None

    def begin(self) -> None:
        if self._process is None or self._process.poll() is not None:
            self._end()
            self._start()
        assert self._process is not None
        assert self._process.stdin is not None
        assert self._answer is not None
        self._answer.truncate(0)
        self._since = time.monotonic()
        with suppress(OSError):  # it has ended already; `result` says so
            self._process.stdin.write(self._order)
            self._process.stdin.flush()

    def result(self) -> Found | None:
        if self._process is None or self._since is None:
            return None
        code = self._process.poll()  # before the look at the answer, which may be its last deed
        answer = self._read()
        if answer is not None:
            self._since = None
            return answer
        if code is not None:
            self._end()
            how = f"signal {-code}" if code < 0 else f"exit code {code}"
            raise ScenthoundError(f"the distiller ended with {how} ({self._log} may say why)")
        if time.monotonic() - self._since > self._longest:
            self._end()
            raise ScenthoundError(f"the distiller was not done after {self._longest / 60:.0f} minutes")
        return None

    def _start(self) -> None:
        self._answer = tempfile.TemporaryFile()  # noqa: SIM115  # closed in _end
        with self._log.open("ab") as errors:
            try:
                self._process = subprocess.Popen(
                    python("scenthound.distill.distil_process"),
                    stdin=subprocess.PIPE,
                    stdout=self._answer,
                    stderr=errors,
                    # Ctrl-C in the terminal is for the crawl, which ends it itself. Not a session of its own: its
                    # niceness counts inside one only (autogroups, sched(7)).
                    process_group=0,
                )
            except OSError as error:
                self._end()
                raise ScenthoundError(f"the distiller did not start ({error.strerror})") from error

    def _read(self) -> Found | None:
        """Return the answer if it is there as a whole."""
        assert self._answer is not None
        length = os.pread(self._answer.fileno(), LENGTH.size, 0)
        if len(length) < LENGTH.size or not any(length):
            return None
        self._answer.seek(LENGTH.size)
        return msgspec.msgpack.decode(self._answer.read(LENGTH.unpack(length)[0]), type=Found)

    def _end(self) -> None:
        process, self._process, self._since = self._process, None, None
        if process is not None:
            process.kill()
            if process.stdin is not None:
                with suppress(OSError):  # an order that it did not take
                    process.stdin.close()
            process.wait()
        if self._answer is not None:
            self._answer.close()
            self._answer = None
