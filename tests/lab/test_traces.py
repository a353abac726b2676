"""Traces are kept whole, and under a name that changes with all that they depend on and with nothing else."""

import subprocess
import sys
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from scenthound.lab.experiment.jobs import Job
from scenthound.lab.experiment.values import OtherTopic, Outside, Role, StrategyChoice, Task, Trace
from scenthound.lab.runs.run import Conditions
from scenthound.lab.runs.trace_file import KeptTrace, read_trace, write_trace
from scenthound.lab.runs.trace_key import crawling_files, strategy_files, trace_key
from scenthound.lab.strategies.kinds import catalogue, kind_of
from scenthound.lab.strategies.shark import Shark

ARRAYS = {"numbers": np.int32, "relevance": np.float64, "priority": np.float64, "depth": np.int32, "repeats": np.bool_}
TASK = Task(
    world="w",
    topic="A",
    draw=1,
    role=Role.TEST,
    examples=("http://a.test/1",),
    others=("http://a.test/2",),
    start=("http://a.test/1",),
    wanted=frozenset({3, 4}),
)
CHOICE = StrategyChoice(name="shark", kind="shark", parameters={}, settings={}, tune={})
JOB = Job(place=0, task=TASK, choice=CHOICE, conditions=Conditions(fetches=10))


@given(data=st.data(), length=st.integers(0, 50))
def test_a_trace_comes_back_as_it_was(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject, length: int
) -> None:
    columns = {name: data.draw(arrays.arrays(kind, length)) for name, kind in ARRAYS.items()}
    trace = Trace(**columns, stopped="budget", digest="ab12")
    path = tmp_path_factory.getbasetemp() / "traces" / "one.msgpack"
    write_trace(path, KeptTrace(trace=trace, seconds=1.5))
    kept = read_trace(path)
    assert kept is not None
    assert (kept.trace.stopped, kept.trace.digest, kept.seconds) == ("budget", "ab12", 1.5)
    for name, kind in ARRAYS.items():
        found = getattr(kept.trace, name)
        assert found.dtype == kind
        assert found.tobytes() == columns[name].tobytes()


@given(cut=st.integers(0, 400), put=st.binary(max_size=5))
def test_what_is_damaged_is_no_trace_or_still_one(
    tmp_path_factory: pytest.TempPathFactory, cut: int, put: bytes
) -> None:
    path = tmp_path_factory.getbasetemp() / "damaged" / "one.msgpack"
    columns: dict[str, Any] = {name: np.zeros(10, dtype=kind) for name, kind in ARRAYS.items()}
    write_trace(path, KeptTrace(trace=Trace(**columns, stopped="budget", digest="ab12"), seconds=1.5))
    whole = path.read_bytes()
    path.write_bytes(whole[:cut] + put)
    kept = read_trace(path)
    assert kept is None or len({len(getattr(kept.trace, name)) for name in ARRAYS}) == 1


def test_no_trace_is_none(tmp_path: Path) -> None:
    assert read_trace(tmp_path / "nowhere.msgpack") is None


def key(job: Job = JOB, world: str = "w1") -> str:
    return trace_key(job, kind_of(job.choice), world)


def test_the_name_hangs_on_what_the_crawl_hangs_on() -> None:
    others = [
        key(world="w2"),
        key(replace(JOB, conditions=Conditions(fetches=11))),
        key(replace(JOB, conditions=Conditions(fetches=10, seed=8))),
        key(replace(JOB, conditions=Conditions(fetches=10, host_cap=5))),
        key(replace(JOB, conditions=Conditions(fetches=10, settings=(("critic.kind", "bayes"),)))),
        key(replace(JOB, task=replace(TASK, examples=("http://a.test/3",)))),
        key(replace(JOB, conditions=Conditions(fetches=10, outside=Outside.INVISIBLE))),
        key(replace(JOB, task=replace(TASK, wanted=frozenset({3})))),
        key(replace(JOB, task=replace(TASK, other_topics=(OtherTopic(path="Fish", examples=("http://a.test/9",)),)))),
        key(replace(JOB, choice=replace(CHOICE, parameters={"gamma": 0.25}))),
        key(replace(JOB, choice=replace(CHOICE, settings={"crawl.traps": False}))),
        key(replace(JOB, choice=replace(CHOICE, kind="breadth"))),
    ]
    assert len({key(), *others}) == 13


def test_the_name_does_not_hang_on_what_tables_call_things() -> None:
    renamed = replace(
        JOB, place=5, choice=replace(CHOICE, name="fish"), task=replace(TASK, role=Role.DEVELOPMENT, draw=2)
    )
    assert key(renamed) == key()


def test_a_value_that_is_the_default_may_be_written_down() -> None:
    default = next(one.default for one in kind_of(CHOICE).parameters if one.name == "gamma")
    assert key(replace(JOB, choice=replace(CHOICE, parameters={"gamma": default}))) == key()


def test_a_strategy_is_its_file_and_the_files_beside_it_that_it_imports() -> None:
    names = {file.name for file in strategy_files(Shark)}
    assert {"shark.py", "surroundings.py"} <= names
    assert "ache.py" not in names
    for kind in catalogue():
        assert bool(strategy_files(kind.made_by)) == (kind.make is not None)


@pytest.mark.slow
def test_all_code_below_the_lab_that_a_crawl_imports_is_in_the_name() -> None:
    apart = (
        "scenthound.lab",
        "scenthound.apprentice",
        "scenthound.demo",
        "scenthound.search",
    )  # by strategy or by world, or not of the crawl
    files = set(crawling_files())
    listed = subprocess.run(
        [sys.executable, "-c", "import sys, scenthound.lab.runs.run; print(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    ours = [name for name in listed.split() if name.startswith("scenthound") and not name.startswith(apart)]
    assert len(ours) > 50
    assert [name for name in ours if Path(str(getattr(find_spec(name), "origin", ""))) not in files] == []
