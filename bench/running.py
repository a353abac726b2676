"""Running programs for a measurement: what they printed, how long they took and how much processor they used.

The processor time is the kernel's account of the process and of all its descendants that it waited for (wait4),
so that a crawler's worker processes are counted with it. On a shared machine it says more than the clock does.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import IO

ROOT = Path(__file__).resolve().parent.parent


class ProgramFailedError(Exception):
    """A measured program ended badly; the text has the last of what it said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A program that ran to its end."""

    output: str
    seconds: float
    cpu: float

    def json(self) -> dict[str, float]:
        """Return the closing line, by which the programs in this folder give their figures."""
        return dict(json.loads(self.output.strip().splitlines()[-1]))


def scenthound(*arguments: str) -> list[str]:
    """Return the command line of the crawler that is installed beside this Python."""
    return [str(Path(sys.executable).with_name("scenthound")), *arguments]


def python_module(name: str, *arguments: str) -> list[str]:
    return [sys.executable, "-m", name, *arguments]


def measured(
    command: Sequence[str],
    *,
    limit: float,
    cwd: Path = ROOT,
    env: Mapping[str, str] | None = None,
    accept: Sequence[int] = (0,),
) -> Run:
    """Run a program to its end, but no longer than `limit` seconds, in a process group of its own."""
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        began = perf_counter()
        process = subprocess.Popen(
            command, cwd=cwd, env=env, stdin=subprocess.DEVNULL, stdout=output, stderr=errors, start_new_session=True
        )
        code, cpu = _wait(process, limit)
        seconds = perf_counter() - began
        if code not in accept:
            said = "\n".join((_text(output) + _text(errors)).splitlines()[-12:])
            raise ProgramFailedError(f"{' '.join(command)}\nended with {code} after {seconds:.0f} s:\n{said}")
        return Run(output=_text(output), seconds=seconds, cpu=cpu)


def cpu_of(pid: int) -> float:
    """Return the processor seconds that a running process has used, from Linux's /proc (10 ms fine).

    >>> cpu_of(os.getpid()) > 0
    True
    """
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _wait(process: subprocess.Popen[bytes], limit: float) -> tuple[int, float]:
    timer = threading.Timer(limit, lambda: os.killpg(process.pid, signal.SIGKILL))
    timer.start()
    try:
        _, status, usage = os.wait4(process.pid, 0)
    finally:
        timer.cancel()
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, usage.ru_utime + usage.ru_stime


def _text(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode("utf-8", errors="replace")
