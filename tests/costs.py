"""Counts the processor time of each test: `python -m pytest -p tests.costs -n 3` lists the tests that take most.

Counted is what the worker and all processes below it take, browser and database server included. That says more than
the clock, because other workers and other programs share the cores. With COSTS=FILE in the environment every phase of
every test is added to that file: processor seconds, seconds by the clock, phase, outcome and name.
"""

import os
import time
from collections import defaultdict
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any, Final

import pytest

MOST: Final = 20
_NAME: Final = "processor seconds"
_FIXTURES: Final = " (fixtures)"
_TICK: Final = 1 / os.sysconf("SC_CLK_TCK")


class Costs:
    """What has been counted: in a worker since the last report, in the main process for all tests."""

    def __init__(self) -> None:
        self.last = 0.0
        self.started = 0.0  # when all tests are collected
        self.by_test: dict[str, float] = defaultdict(float)
        self.starts: list[float] = []  # of the workers

    def next(self) -> float:
        now = processor_time()
        # A browser does not wait for some of its processes: when they end, their time is lost.
        used, self.last = max(0.0, now - self.last), now
        return used


def processor_time() -> float:
    """Return the seconds that this process and all below it have taken, those that have ended included."""
    return time.process_time() + sum(map(_times, _below(os.getpid()))) + _of_ended("/proc/self/stat")


def _below(pid: int) -> Iterator[int]:
    try:
        tasks = list(Path(f"/proc/{pid}/task").iterdir())
    except OSError:
        return
    for task in tasks:
        try:
            children = (task / "children").read_text().split()
        except OSError:
            continue
        for child in children:
            yield int(child)
            yield from _below(int(child))


def _times(pid: int) -> float:
    path = f"/proc/{pid}/stat"
    try:
        fields = Path(path).read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) * _TICK + _of_ended(path)


def _of_ended(path: str) -> float:
    try:
        fields = Path(path).read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[13]) + int(fields[14])) * _TICK


COSTS: Final = Costs()


def pytest_collection_finish() -> None:
    COSTS.started = COSTS.next()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    report.user_properties = [(_NAME, COSTS.next())]
    return report


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    used = sum(value for name, value in report.user_properties if name == _NAME and isinstance(value, float))
    COSTS.by_test[report.nodeid + (_FIXTURES if report.when != "call" else "")] += used
    if (file := os.environ.get("COSTS")) and "PYTEST_XDIST_WORKER" not in os.environ:
        with Path(file).open("a", encoding="utf-8") as lines:
            lines.write(f"{used:.3f}\t{report.duration:.3f}\t{report.when}\t{report.outcome}\t{report.nodeid}\n")


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    if (output := getattr(session.config, "workeroutput", None)) is not None:
        output[_NAME] = COSTS.started


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    COSTS.starts.append(node.workeroutput[_NAME])


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """List what takes most, and the sum."""
    starts = sum(COSTS.starts) or COSTS.started
    tests = {name.removesuffix(_FIXTURES) for name in COSTS.by_test}
    terminalreporter.section("processor time")
    for name, used in sorted(COSTS.by_test.items(), key=lambda test: -test[1])[:MOST]:
        terminalreporter.write_line(f"{used:8.2f} s  {name}")
    used = sum(COSTS.by_test.values())
    terminalreporter.write_line(f"{used:8.1f} s  all {len(tests)} tests and their fixtures")
    terminalreporter.write_line(f"{starts:8.1f} s  start of the workers, with imports and the collection of tests")
