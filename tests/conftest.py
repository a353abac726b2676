"""What all tests have in common."""

import gc
import os
import re
import signal
import sys
from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Final

import pytest
from hypothesis import settings

from tests import nursery
from tests.made_once import critics_folder
from tests.often import FAST, WHOLE

# Sums are added up by one thread, here and in every process that a test starts: the tests share the cores already, and
# threads that wait for each other take twenty times as long. It is read when numpy is imported.
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

# A shell lets its background jobs ignore Ctrl-C, and what is ignored stays so in every process that a test starts and
# interrupts.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Modules and collected tests stay until the end. The collector of garbage need not look through them, neither while
# they are made nor with each test.
gc.disable()


def pytest_collection_finish() -> None:
    """Collect garbage from here on, and only what the tests leave behind."""
    gc.freeze()
    gc.enable()


# How long one example takes says more about what else the machine does than about the code.
settings.register_profile("whole", max_examples=WHOLE, deadline=None)
settings.register_profile("fast", max_examples=FAST, deadline=None)


def pytest_configure(config: pytest.Config) -> None:
    """Try fewer examples in the fast suite."""
    settings.load_profile("fast" if _is_fast(config) else "whole")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave a module that is slow as a whole out of the fast suite before it is imported: imports are half of the cost
    of a start.
    """
    if _is_fast(config) and collection_path.suffix == ".py":
        return bool(_SLOW_MODULE.search(collection_path.read_text(encoding="utf-8"))) or None
    return None


_SLOW_MODULE = re.compile(r"^pytestmark = .*pytest\.mark\.slow", re.MULTILINE)


def _is_fast(config: pytest.Config) -> bool:
    return bool(config.getoption("markexpr") == "not slow")


@pytest.fixture(scope="session", autouse=True)
def _own_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep what tests trust out of the folder of whoever runs them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        yield


@pytest.fixture(scope="session", autouse=True)
def _known_critics() -> Iterator[None]:
    """Train no critic twice."""
    from tests import known_critics  # which imports numpy, so not before the variables above are set

    with known_critics.once():
        yield


_RUN: Final = ExitStack()


def pytest_sessionstart(session: pytest.Session) -> None:
    """Fork the workers, and share the processes that fork and the trained critics among all of them. Where the cost of
    tests is counted each worker has processes of its own, because counted is what is below a worker.
    """
    config = session.config
    if hasattr(config, "workerinput"):
        if config.pluginmanager.has_plugin("tests.costs"):
            os.environ.pop(nursery.FOLDER, None)
        return
    _RUN.enter_context(critics_folder())
    if config.getoption("numprocesses", None):
        _RUN.enter_context(nursery.forking())


def pytest_sessionfinish() -> None:
    _RUN.close()


@pytest.fixture(scope="session", autouse=True)
def _nursery(_own_folder: None) -> Iterator[None]:
    """Fork the program into its processes."""
    with nursery.forking():
        yield


@pytest.fixture
def started_at_length() -> Iterator[None]:
    """Start processes as a user does, for tests of just that."""
    with nursery.at_length():
        yield


@pytest.fixture(scope="session", autouse=True)
def _postgres_server() -> Iterator[None]:
    """End the server of databases, if a test has started it."""
    yield
    if used := sys.modules.get("tests.store.postgres_server"):
        used.close()


# What a test may need that is no part of the repository, by a word of the reason with which it skips.
NEEDED = {"Chromium": "a browser", "nginx": "nginx", "PostgreSQL": "PostgreSQL", ".warc.gz": "the archived webs"}


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """List what was skipped, and why; loudly what only needs something to be installed."""
    skipped = terminalreporter.stats.get("skipped", [])
    by_reason: dict[str, list[str]] = defaultdict(list)
    for report in skipped:
        by_reason[_reason(report)].append(report.nodeid)
    if not by_reason:
        return
    terminalreporter.section(f"{len(skipped)} skipped")
    for reason, tests in sorted(by_reason.items()):
        terminalreporter.write_line(f"[{len(tests)}] {reason}", yellow=True)
        for name in tests:
            terminalreporter.write_line(f"    {name}")
    for word, what in NEEDED.items():
        if many := sum(len(tests) for reason, tests in by_reason.items() if word in reason):
            terminalreporter.write_line(
                f"*** {many} TESTS DID NOT RUN, FOR WANT OF {what.upper()} ***", red=True, bold=True
            )


def _reason(report: pytest.TestReport) -> str:
    told = report.longrepr
    return told[2].removeprefix("Skipped: ") if isinstance(told, tuple) else str(told)
