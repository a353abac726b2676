"""The bench of the distiller on a small scale: its made-up crawl has links to distil, and both ways agree on them."""

import sqlite3
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from bench.distill import make, report, rounds_against_products, whole_way
from scenthound.distill.scores import Method, Rules

CRAWLS = {"alone": 50.0, "beside": 45.0, "ratio": 0.9}


@pytest.mark.slow
def test_the_bench_measures_what_it_says(tmp_path: Path) -> None:
    file, rules = tmp_path / "crawl.db", Rules(rounds=10)
    make(file, 20_000)
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True, isolation_level=None)) as con:
        rounds = rounds_against_products(con, rules)
        ways = {method: whole_way(con, method, rules, tmp_path / f"{method}.npy") for method in Method}
    memory, sql = (np.load(tmp_path / f"{method}.npy") for method in Method)
    assert 10_000 < rounds["links"] <= 20_000
    assert len(memory) > 100
    difference = float(np.abs(memory - sql).max())
    assert difference < 1e-9
    figures = report(rounds, ways[Method.MEMORY], ways[Method.SQL], difference, CRAWLS).figures
    assert [figure.verdict for figure in figures if figure.goal is not None][-2:] == ["met", "met"]
