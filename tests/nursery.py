"""The program in processes that start at once, for tests that kill or interrupt a crawl.

The start of the program takes longer than the crawl of a small web, nearly all of it for imports. A process imports
them once and forks for each run, so that a test may start many:

    with started("crawl", str(path)) as process:
        ...
        process.kill()

A run has all that it has as a process of its own: files, signals, memory, readers. What a user has to wait for, and
what he sees on his terminal, is tested with `python -m scenthound` itself.
"""

import gc
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from tests.patience import until

ROOT = Path(__file__).resolve().parent.parent
IMPORTED = (
    "pydantic.type_adapter",
    "scenthound.apprentice.scent",
    "scenthound.cli.crawl",
    "scenthound.cli.work.crawl_run",
    "scenthound.cli.main",
    "scenthound.cli.shared.serve_beside",
    "scenthound.crawl.engine.assemble",
    "scenthound.judge.adaptation.adapted",
    "scenthound.judge.canonical.canon",
    "scenthound.judge.models.bayes",
    "scenthound.judge.models.logistic",
    "uvloop",
)


class Run:
    """A run of the program, with what `subprocess.Popen` would say of it."""

    def __init__(self, nursery: "Nursery", pid: int) -> None:
        self.pid = pid
        self.returncode: int | None = None
        self._nursery = nursery

    def poll(self) -> int | None:
        """Return with what it ended, or None as long as it runs."""
        if self.returncode is None:
            self.returncode = self._nursery.ask(ended=self.pid)
        return self.returncode

    def wait(self) -> int:
        """Wait for its end, and return with what it ended."""
        assert until(lambda: self.poll() is not None), "waited in vain"
        assert self.returncode is not None
        return self.returncode

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def send_signal(self, number: int) -> None:
        if self.poll() is None:  # until it was asked about, its number is nobody else's
            os.kill(self.pid, number)


class Nursery:
    """A process that forks into runs of the program."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "tests.nursery"]
        self._process = subprocess.Popen(
            command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
        )

    def start(self, arguments: Sequence[str], folder: Path) -> Run:
        return Run(self, self.ask(arguments=list(arguments), folder=str(folder), environment=dict(os.environ)))

    def ask(self, **question: Any) -> Any:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(json.dumps(question), file=self._process.stdin, flush=True)
        return json.loads(self._process.stdout.readline())

    def close(self) -> None:
        self._process.communicate()


@cache
def _nursery() -> Nursery:
    return Nursery()


@contextmanager
def started(*arguments: str, folder: Path | None = None) -> Iterator[Run]:
    """Run the program; it is waited for at the end of the `with`, and killed if the test has failed."""
    run = _nursery().start(arguments, folder or Path.cwd())
    try:
        yield run
    except BaseException:
        run.kill()
        raise
    finally:
        run.wait()


def close() -> None:
    """End the process that forks, if there is one."""
    if _nursery.cache_info().currsize:
        _nursery().close()
        _nursery.cache_clear()


def serve() -> None:
    """Fork for each question that names arguments; say of others whether the run has ended."""
    for module in IMPORTED:
        import_module(module)
    gc.freeze()
    for line in sys.stdin:
        question = json.loads(line)
        if "ended" in question:
            pid, status = os.waitpid(question["ended"], os.WNOHANG)
            answer = os.waitstatus_to_exitcode(status) if pid else None
        else:
            answer = os.fork()
            if not answer:
                _be_the_program(question["arguments"], question["folder"], question["environment"])
        print(json.dumps(answer), flush=True)


def _be_the_program(arguments: list[str], folder: str, environment: dict[str, str]) -> None:
    from scenthound.cli.main import main

    code = 1
    with suppress(BaseException):  # nothing may get back to the loop that forks
        nowhere = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1):
            os.dup2(nowhere, stream)
        os.chdir(folder)
        os.environ.clear()
        os.environ.update(environment)
        code = main(arguments)
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(code)


if __name__ == "__main__":
    serve()
