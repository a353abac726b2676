"""Pooled over crawls, priorities that mean what they say have no error, however short each crawl was."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace as changed

from bench.calibration import rows
from scenthound.lab.runs.results_file import write_results
from scenthound.lab.runs.runner import RUNS
from scenthound.lab.runs.trace_file import KeptTrace, write_trace
from tests.lab.made_up_results import Plan, made_up
from tests.lab.small_traces import trace_of

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(("too_much", "error"), [(0.0, 0.0), (0.2, 0.2)])
def test_the_error_is_what_was_said_too_much(tmp_path: Path, too_much: float, error: float) -> None:
    results = made_up(Plan(topics=6, draws=2, budgets=("n",), skills={"best-first": 0.5}))
    chance = np.random.default_rng(1)
    runs = []
    for number, run in enumerate(results.runs):
        chances = chance.uniform(0.0, 0.8, run.wanted)
        came = (chance.uniform(size=run.wanted) < chances).astype(float)
        trace = trace_of(range(run.wanted), relevance=came.tolist(), priority=(chances + too_much).tolist())
        write_trace(
            tmp_path / RUNS / f"{number}.msgpack", KeptTrace(trace=replace(trace, digest=str(number)), seconds=0)
        )
        runs.append(changed(run, digest=str(number)))
    write_results(changed(results, runs=runs), tmp_path)
    (row,) = rows(tmp_path)
    assert row[2] == "best-first"
    assert float(row[6]) == pytest.approx(error, abs=0.06)
    assert float(row[7]) > 0.7
