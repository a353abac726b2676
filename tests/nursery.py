"""Processes of the program that start at once: they fork from a process that has imported their modules.

The start of the program takes longer than the crawl of a small web, nearly all of it for imports. With `forking`, what
is started as `scenthound …` or `python -m scenthound…`, by a test, a bench or the program itself, is forked from a
process that has done the imports once. A run has all that it has as a process of its own: files, signals, limits, memory, an end.

    with started("crawl", str(path)) as process:
        ...
        process.kill()

What is started inside `at_length`, or with other variables for Python, starts as it does for a user.

There is a parent process for each module (`_be_parent`), which the first one that needs it has made by the oldest of
them (`main`). Whoever wants a child connects to the parent's socket, sends its own files and what it would have passed on,
and is sent the number of the new process, and in the end its exit code.
"""

import gc
import importlib
import json
import os
import random
import re
import resource
import runpy
import select
import selectors
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Any, Final, NoReturn
from weakref import WeakValueDictionary

from tests import libraries
from tests.patience import PATIENCE

ROOT: Final = Path(__file__).resolve().parent.parent
FOLDER: Final = "SCENTHOUND_TEST_NURSERY"  # variable with the folder of the sockets, for processes of processes
_OLDEST: Final = "oldest"
_WORKER: Final = "tests.libraries"  # the parent of the workers of a run
_LIMITS: Final = tuple(getattr(resource, name) for name in ("RLIMIT_AS", "RLIMIT_FSIZE", "RLIMIT_NOFILE"))
_MESSAGE: Final = 1 << 20
_INSTALLED: Final = str(Path(sys.executable).with_name("scenthound"))
# What a module needs in the end, if it imports more as it runs.
_LATER: Final = {
    "scenthound": (
        "pydantic.type_adapter",
        "scenthound.apprentice.scent",
        "scenthound.cli.crawl",
        "scenthound.cli.main",
        "scenthound.cli.shared.serve_beside",
        "scenthound.cli.work.crawl_run",
        "scenthound.crawl.engine.assemble",
        "scenthound.judge.adaptation.adapted",
        "scenthound.judge.canonical.canon",
        "scenthound.judge.models.bayes",
        "scenthound.judge.models.logistic",
        "uvloop",
    ),
    "scenthound serve": ("scenthound.cli.main", "scenthound.cli.serve", "scenthound.ui.server", "nicegui"),
    "scenthound.lab.runs.worker": (
        "scenthound.apprentice.scent",
        "scenthound.judge.adaptation.adapted",
        "scenthound.judge.models.bayes",
        "scenthound.judge.models.logistic",
    ),
    "scenthound.cli.shared.serve_beside": ("scenthound.ui.server", "nicegui"),
}
_at_length = threading.Event()


class Forked(subprocess.Popen[Any]):
    """A process that is forked by a parent if it can be, and started as usual if not."""

    _wire: socket.socket | None = None
    _times = (0.0, 0.0)  # of the processor, for us and for the kernel, in a process that has ended

    def _execute_child(self, args: Any, executable: Any, preexec_fn: Any, *rest: Any) -> None:
        close_fds, pass_fds, cwd, env, _, _, shell, *files, _, gid, gids, uid, umask, session, group = rest
        special = executable or preexec_fn or pass_fds or shell or gid or gids or uid or umask >= 0 or not close_fds
        words = _by_module(args)
        if special or words is None or (wire := _connected(words, env)) is None:
            super()._execute_child(args, executable, preexec_fn, *rest)  # type: ignore[misc]
            return
        self._wire = wire
        ours, theirs = [files[1], files[2], files[4]], [files[0], files[3], files[5]]
        wanted = {
            "arguments": words,
            "folder": os.path.abspath(cwd or "."),  # noqa: PTH100
            "environment": dict(os.environ if env is None else env),
            "limits": [resource.getrlimit(limit) for limit in _LIMITS],
            "nice": os.getpriority(os.PRIO_PROCESS, 0),
            "session": session,
            "group": group,
        }
        given = [theirs[number] if theirs[number] >= 0 else number for number in range(3)]
        socket.send_fds(wire, [json.dumps(wanted).encode()], given)
        self._told = wire.makefile(encoding="utf-8")
        self.pid = int(self._told.readline())
        self._child_created = True
        _LIVING[self.pid] = self
        given_away = {theirs[number] for number in range(3) if theirs[number] >= 0 <= ours[number]}
        for file in given_away | {file for file in (getattr(self, "_devnull", None),) if file is not None}:
            os.close(file)
        self._closed_child_pipe_fds = True

    def _internal_poll(self, *arguments: Any, **more: Any) -> int | None:
        if self._wire is None:
            return super()._internal_poll(*arguments, **more)  # type: ignore[misc,no-any-return]
        with suppress(subprocess.TimeoutExpired):
            self._wait(0)
        return self.returncode

    def _wait(self, timeout: float | None) -> int:
        if self._wire is None:
            return super()._wait(timeout)  # type: ignore[misc,no-any-return]
        end = None if timeout is None else time.monotonic() + timeout
        while self.returncode is None:
            left = 1.0 if end is None else max(0.0, min(1.0, end - time.monotonic()))
            if select.select([self._wire], [], [], left)[0]:
                self._hear_end()
            elif end is not None and time.monotonic() >= end:
                raise subprocess.TimeoutExpired(self.args, timeout or 0.0)
        return self.returncode

    def _hear_end(self) -> None:
        with self._waitpid_lock:  # type: ignore[attr-defined]  # several threads may wait
            if self.returncode is None:
                code, user, system = self._told.readline().split() or (-signal.SIGKILL, 0.0, 0.0)
                self._times = float(user), float(system)
                self.returncode = int(code)

    def __del__(self, *arguments: Any, **more: Any) -> None:
        super().__del__(*arguments, **more)
        if self._wire is not None:
            self._told.close()
            self._wire.close()


_LIVING: Final[WeakValueDictionary[int, Forked]] = WeakValueDictionary()
_usual_wait4: Final = os.wait4


def _wait4(pid: int, options: int) -> tuple[int, int, resource.struct_rusage]:
    """Wait for a process as `os.wait4` does, also for one that was forked for us and is no child of ours."""
    if (process := _LIVING.get(pid)) is None:
        return _usual_wait4(pid, options)
    code = process.wait()
    return pid, code << 8 if code >= 0 else -code, resource.struct_rusage((*process._times, *[0] * 14))


def _by_module(command: Any) -> list[str] | None:
    """Return the arguments of Python that run the program or one of its modules, or None for any other command."""
    if isinstance(command, str | bytes | os.PathLike):
        return None
    program, *words = map(os.fspath, command)
    if program == _INSTALLED:
        return ["-P", "-m", "scenthound", *words]
    return words if program == sys.executable else None


def _connected(words: list[str], environment: Any) -> socket.socket | None:
    """Return a connection to the parent of what these words run, or None if there is none."""
    folder, module = os.environ.get(FOLDER), _module(words[1:] if words[:1] in (["-P"], ["-u"]) else words)
    if not folder or module is None or _at_length.is_set():
        return None
    if environment is not None and _for_python(environment) != _for_python(os.environ):
        return None
    wire = socket.socket(socket.AF_UNIX)
    try:
        wire.connect(f"{folder}/{module}")
    except OSError:
        with socket.socket(socket.AF_UNIX) as oldest:
            oldest.connect(f"{folder}/{_OLDEST}")
            oldest.sendall(module.encode())
            oldest.recv(1)
        wire.connect(f"{folder}/{module}")
    return wire


def _module(words: list[str]) -> str | None:
    """Return the name of the parent: the module, and where that makes a difference its first argument."""
    match words:
        case ["-c", code] if called := re.fullmatch(r"from (scenthound[.\w]+) import main; main\(\)", code):
            return called[1]
        case ["-c", "import sys;exec(eval(sys.stdin.readline()))"]:  # as execnet starts what takes its commands
            return _WORKER
        case ["-m", module, *more] if module.partition(".")[0] in ("scenthound", "tests"):
            return name if (name := " ".join([module, *more[:1]])) in _LATER else module
    return None


def _for_python(environment: Any) -> dict[str, str]:
    return {name: value for name, value in environment.items() if name.startswith("PYTHON")}


@contextmanager
def at_length() -> Iterator[None]:
    """Start processes from nothing, as a user does, while the `with` lasts."""
    _at_length.set()
    try:
        yield
    finally:
        _at_length.clear()


@contextmanager
def forking() -> Iterator[None]:
    """Fork processes of the program while the `with` lasts."""
    usual = subprocess.Popen
    with nullcontext() if FOLDER in os.environ else parents():
        subprocess.Popen, os.wait4 = Forked, _wait4  # type: ignore[misc]
        try:
            yield
        finally:
            subprocess.Popen, os.wait4 = usual, _usual_wait4  # type: ignore[misc]


@contextmanager
def parents() -> Iterator[None]:
    """Run the processes that fork, and name their folder to this process and to those that it starts."""
    # Not below pytest's own folder: the path of a socket has room for a hundred letters. The end of the `with` closes
    # the input of the oldest process, and with that ends it and all parents.
    with (
        tempfile.TemporaryDirectory(prefix="nursery") as folder,
        subprocess.Popen(
            [sys.executable, "-m", "tests.nursery", folder], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        ) as oldest,
    ):
        assert oldest.stdout is not None
        oldest.stdout.readline()
        os.environ[FOLDER] = folder
        try:
            yield
        finally:
            del os.environ[FOLDER]


@contextmanager
def started(*arguments: str, folder: Path | None = None) -> Iterator["subprocess.Popen[bytes]"]:
    """Run the program; it is waited for at the end of the `with`, and killed if the test has failed."""
    command = [sys.executable, "-m", "scenthound", *arguments]
    run = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    try:
        yield run
    except BaseException:
        run.kill()
        raise
    finally:
        run.wait(PATIENCE)


def main(folder: str) -> None:
    """Make parents for whoever asks, until the input closes."""
    with _listening(f"{folder}/{_OLDEST}") as listener:
        print(flush=True)
        made: dict[str, int] = {}
        for wire in _asked(listener):
            module = wire.recv(_MESSAGE).decode()
            if module not in made:
                ready = _listening(f"{folder}/{module}")
                if not (parent := os.fork()):
                    listener.close()
                    wire.close()
                    _be_parent(module, ready)
                made[module] = parent
                ready.close()
            with suppress(OSError):
                wire.send(b".")
    for parent in made.values():
        os.waitpid(parent, 0)  # so that its processor time is counted


def _listening(path: str) -> socket.socket:
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    listener.listen(100)
    return listener


def _asked(listener: socket.socket) -> Iterator[socket.socket]:
    """Give each connection until the standard input closes."""
    with selectors.DefaultSelector() as sources:
        sources.register(listener, selectors.EVENT_READ)
        sources.register(0, selectors.EVENT_READ)
        while all(key.fileobj is listener for key, _ in sources.select()):
            wire, _ = listener.accept()
            with wire:
                yield wire


def _be_parent(module: str, listener: socket.socket) -> NoReturn:
    """Import what the module needs, and fork for each connection into one that sees to a child."""
    for name in (module.partition(" ")[0], *_LATER.get(module, ())):
        importlib.import_module(name)
    if program := sys.modules.get("scenthound.cli.main"):
        program.built()
    if module == _WORKER:
        libraries.import_all()
    elif "scenthound.judge.models.logistic" in sys.modules:  # it trains critics
        from tests.known_critics import train_once

        train_once()
    if module != _WORKER:  # which begins with what Python has, and has its tests decide
        subprocess.Popen = Forked  # type: ignore[misc]
    gc.collect()
    gc.freeze()
    for wire in _asked(listener):
        if not os.fork():
            listener.close()
            _see_to_child(wire)
        _let_go()
    _let_go()
    os._exit(0)


def _let_go() -> None:
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def _see_to_child(wire: socket.socket) -> NoReturn:
    """Fork into the child, and say its number and its end."""
    data, files, _, _ = socket.recv_fds(wire, _MESSAGE, 3)
    if not (child := os.fork()):
        wire.close()
        raise _Child(json.loads(data), files)
    for file in files:
        os.close(file)
    with suppress(OSError):  # nobody may wait for it any more
        wire.sendall(b"%d\n" % child)
    _, status, usage = os.wait4(child, 0)
    with suppress(OSError):
        wire.sendall(b"%d %f %f\n" % (os.waitstatus_to_exitcode(status), usage.ru_utime, usage.ru_stime))
    os._exit(0)


class _Child(BaseException):
    """Leaves everything behind that a parent does, so that the child begins and ends as a process does."""

    def __init__(self, wanted: dict[str, Any], files: list[int]) -> None:
        self.wanted = wanted
        self.files = files


def _be_child(wanted: dict[str, Any], files: list[int]) -> None:
    os.environ.clear()
    os.environ.update(wanted["environment"])
    os.chdir(wanted["folder"])
    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)
    if wanted["session"]:
        os.setsid()
    if wanted["group"] >= 0:
        os.setpgid(0, wanted["group"])
    os.nice(max(0, wanted["nice"] - os.getpriority(os.PRIO_PROCESS, 0)))
    for limit, values in zip(_LIMITS, wanted["limits"], strict=True):
        resource.setrlimit(limit, tuple(values))
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    for number, name in ((1, "stdout"), (2, "stderr")):
        errors = "backslashreplace" if number == 2 else "strict"
        by_line = os.isatty(number) or number == 2 or "PYTHONUNBUFFERED" in os.environ
        setattr(sys, name, open(number, "w", 1 if by_line else -1, "utf-8", errors, closefd=False))  # noqa: SIM115
    arguments = wanted["arguments"]
    sys.path.remove(str(ROOT))
    sys.path[:0] = [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path]
    if arguments[0] in ("-P", "-u"):
        arguments = arguments[1:]
    else:
        sys.path.insert(0, wanted["folder"])
    way, what, *_ = arguments
    random.seed()  # no two workers draw the same
    sys.argv = arguments[1:]
    if way == "-c":
        exec(what, {"__name__": "__main__"})
        return
    if "." in what:
        del sys.modules[what]  # which runs under another name
    runpy.run_module(what, run_name="__main__", alter_sys=True)


def run_with_parents(arguments: list[str]) -> None:
    """Run the program in this process, whose own processes are forked."""
    subprocess.Popen = Forked  # type: ignore[misc]
    sys.argv = arguments
    runpy.run_module(arguments[0], run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    child: _Child | None = None
    try:
        if sys.argv[1] == "run":
            run_with_parents(sys.argv[2:])
        else:
            main(sys.argv[1])
    except _Child as born:
        child = born.with_traceback(None)
    if child is not None:
        _be_child(child.wanted, child.files)
