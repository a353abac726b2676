"""`python -m bench [NAME]…`: run all benches or those named, print a closing table, and keep what was found.

With `--quick` everything is run on a small scale, to see that it works; such figures are printed and not kept.
"""

import argparse
import sys
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from time import perf_counter

from bench.figures import Figure, Report, Row, at_most, plain_table
from bench.results import Result, result_of, save
from bench.running import ProgramFailedError

# Shortest first among those that find faults, so that a broken build is noticed within minutes.
BENCHES = (
    "politeness",
    "kills",
    "killed_commands",
    "faults",
    "stages",
    "throughput",
    "scale",
    "server_store",
    "engines_kills",
    "several_engines",
    "many_engines_model",
    "columns",
    "demo_time",
    "start_up",
    "window",
    "fuzz",
    "documents",
    "text",
    "main_text",
    "negatives",
    "one_topic",
    "query_start",
    "self_taught",
    "critics",
    "spaces",
    "focus",
    "distill",
    "distill_growth",
    "hubs",
    "freshness",
    "search",
    "clusters",
    "company",
    "portal",
    "probe",
    "diagnosis",
    "apprentice",
    "learnt_before",
    "live_counting",
    "spam",
    "slow_host",
    "prior",
    "waiting",
    "lab",
    "house",
    "floors",
    "memory",
    "soak",
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run benches; the exit code is 1 if a figure falls short of its goal."""
    parser = argparse.ArgumentParser(prog="python -m bench", description="Measure what is promised.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"one or more of {', '.join(BENCHES)}; all if none")
    parser.add_argument("--quick", action="store_true", help="on a small scale, in a few minutes; results are not kept")
    parser.add_argument("--minutes", type=float, metavar="M", help="how long soak goes on, an hour if not said")
    chosen = parser.parse_args(arguments)
    if unknown := [name for name in chosen.names if name not in BENCHES]:
        parser.error(f"{unknown[0]} is not a bench; there are {', '.join(BENCHES)}")
    results = []
    for name in chosen.names or BENCHES:
        result = measure(name, quick=chosen.quick, minutes=chosen.minutes)
        results.append(result)
        if not chosen.quick and not result.report.skipped:
            save({name: result})  # at once: all benches together take hours, and may be interrupted
    return close(results)


def measure(name: str, *, quick: bool, minutes: float | None = None) -> Result:
    """Run one bench. Its module is imported now, so that a bench can run where another's needs are missing."""
    module = import_module(f"bench.{name}")
    about = str(module.__doc__).strip()
    print(f"{name}: {about.splitlines()[0]}", flush=True)
    began = perf_counter()
    timed = minutes and hasattr(module, "soak")
    report = _attempted(partial(module.soak, minutes) if timed else partial(module.run, quick=quick))
    seconds = perf_counter() - began
    print(f"  {'skipped: ' + report.skipped if report.skipped else f'done in {seconds:.0f} s'}\n", flush=True)
    return result_of(name, about, report, seconds)


def _attempted(run: Callable[[], Report]) -> Report:
    """Run a bench; a program that fails is a figure that falls short, and no reason to leave out the other benches."""
    try:
        return run()
    except ProgramFailedError as error:
        print(f"  {error}", flush=True)
        failed = Figure(name="programs that failed", value=1, goal=at_most(0))
        # What it said stays on the screen: it may name folders of this machine, and the page of figures is published.
        return Report(figures=(failed,), text=("A program that this bench needs failed; run it to see why.",))


def close(results: Sequence[Result]) -> int:
    """Print the closing table, and say what was skipped or falls short."""
    rows: list[Row] = [row for result in results for row in result.rows]
    print(plain_table(rows))
    for result in results:
        if result.report.skipped:
            print(f"skipped: {result.bench}: {result.report.skipped}")
    short = [row for row in rows if row.figure.verdict == "short"]
    judged = sum(bool(row.figure.verdict) for row in rows)
    print(f"{judged - len(short)} of {judged} goals met")
    return 1 if short else 0


if __name__ == "__main__":
    sys.exit(main())
