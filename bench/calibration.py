"""Whether the priorities of an experiment's crawls meant what they said: all links of all its crawls together.

A crawl of a hundred fetches has ten links in each of ten bins, and would be found in error by about a tenth if its
priorities were the truth itself; over all crawls that chance evens out, and what is left is error. Relevance is the
critic's.

    scenthound lab run apprentice && python -m bench.calibration lab-apprentice
"""

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bench.figures import markdown_table
from scenthound.lab.metrics.link_scores import RELEVANT, auc, calibration_error
from scenthound.lab.runs.results_file import read_results
from scenthound.lab.runs.runner import RUNS
from scenthound.lab.runs.trace_file import read_trace

Floats = NDArray[np.float64]
Said = tuple[Floats, Floats]  # what was said of links, and what came


def said(folder: Path) -> dict[tuple[str, str, str], list[Said]]:
    """Return by world, role and strategy the expectation and the result of the first n links of a crawl."""
    runs = {run.digest: run for run in read_results(folder).runs}
    found: dict[tuple[str, str, str], list[Said]] = {}
    for path in sorted((folder / RUNS).iterdir()):
        kept = read_trace(path)
        run = runs.get(kept.trace.digest) if kept is not None else None
        if kept is not None and run is not None:
            own = found.setdefault((run.world, run.role, run.strategy), [])
            own.append((kept.trace.priority[: run.wanted], kept.trace.relevance[: run.wanted]))
    return found


def rows(folder: Path) -> Iterator[list[str]]:
    """Yield a line for each strategy whose priorities are chances."""
    for (world, role, strategy), parts in sorted(said(folder).items()):
        chances, came = (np.concatenate([part[place] for part in parts]) for place in (0, 1))
        if ((chances >= 0) & (chances <= 1)).all():
            ranked = auc(chances, came >= RELEVANT)
            yield [
                world,
                role,
                strategy,
                f"{len(chances):,}",
                f"{chances.mean():.3f}",
                f"{came.mean():.3f}",
                f"{calibration_error(chances, came):.3f}",
                "" if ranked is None else f"{ranked:.3f}",
            ]


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(prog="python -m bench.calibration", description=str(__doc__).splitlines()[0])
    parser.add_argument("folder", type=Path, help="where `scenthound lab run` put the results of an experiment")
    headings = ["web", "topics", "strategy", "links", "said", "came", "calibration error", "AUC"]
    print(markdown_table(headings, list(rows(parser.parse_args().folder)), right=range(3, 8)))


if __name__ == "__main__":
    main()
