"""The distiller as a process beside the crawl: started for one distillation, checked between turns, ended with the
crawl.

It reads the database through a connection of its own and gives way to the crawl where the processor is short. If it
fails, the crawl loses nothing but the hubs.
"""

import subprocess
import tempfile
import time
from pathlib import Path
from types import TracebackType
from typing import IO, Final, Self

import msgspec

from scenthound.distill.distil_process import Order
from scenthound.distill.scores import Found, Rules
from scenthound.distill.site import Site
from scenthound.errors import ScenthoundError
from scenthound.own_code import python
from scenthound.settings.schema import DistillSettings

LONGEST: Final = 3_600.0  # seconds after which it is ended; 10 million links take half a minute


class DistillerProcess:
    """The `Worker` of a crawl; use it in a `with`. Messages of a process that fails go to `log`."""

    def __init__(self, database: Path, settings: DistillSettings, *, log: Path, longest: float = LONGEST) -> None:
        rules = Rules(site=Site(settings.site), share=settings.share, rounds=settings.rounds)
        self._order = msgspec.json.encode(Order(database=str(database), rules=rules)) + b"\n"
        self._log = log
        self._longest = longest
        self._process: subprocess.Popen[bytes] | None = None
        self._answer: IO[bytes] | None = None
        self._since = 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._end()

    @property
    def at_work(self) -> bool:
        return self._process is not None

    @property
    def pid(self) -> int | None:
        """The number of the process, while there is one."""
        return self._process.pid if self._process is not None else None

    def begin(self) -> None:
        self._answer, self._since = tempfile.TemporaryFile(), time.monotonic()  # noqa: SIM115  # closed in _end
        with self._log.open("ab") as errors:
            try:
                self._process = subprocess.Popen(
                    python("scenthound.distill.distil_process"),
                    stdin=subprocess.PIPE,
                    stdout=self._answer,
                    stderr=errors,
                    start_new_session=True,  # Ctrl-C in the terminal is for the crawl, which ends it itself
                )
            except OSError as error:
                self._end()
                raise ScenthoundError(f"the distiller did not start ({error.strerror})") from error
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(self._order)
            self._process.stdin.flush()
        except OSError:  # it has ended already; `result` says so
            pass

    def result(self) -> Found | None:
        if self._process is None:
            return None
        code = self._process.poll()
        if code is None:
            if time.monotonic() - self._since > self._longest:
                self._end()
                raise ScenthoundError(f"the distiller was not done after {self._longest / 60:.0f} minutes")
            return None
        try:
            if code:
                how = f"signal {-code}" if code < 0 else f"exit code {code}"
                raise ScenthoundError(f"the distiller ended with {how} ({self._log} may say why)")
            return self._read()
        finally:
            self._end()

    def _read(self) -> Found:
        assert self._answer is not None
        self._answer.seek(0)
        try:
            return msgspec.msgpack.decode(self._answer.read(), type=Found)
        except msgspec.DecodeError as error:
            raise ScenthoundError("the distiller did not answer (is the disk for temporary files full?)") from error

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            if process.stdin is not None:
                process.stdin.close()
            process.wait()
        if self._answer is not None:
            self._answer.close()
            self._answer = None
