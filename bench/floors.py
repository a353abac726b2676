"""Quality that must not be lost: short crawls of the demo web and of the real webs, held to the figures in floors.json.

The figures are the lab's, with the strategies that ship. `python -m bench floors` measures and shows them; with `python
-m bench.floors --raise` floors that are exceeded go up to what was measured, less a slack for other processors and
libraries of numbers. They never go down: a web that has changed, which its digest shows, gets floors of its own.
"""

import argparse
import json
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from bench.figures import Figure, Report, at_least
from bench.serving import webs_file
from scenthound.lab import Experiment, Results, StrategyChoice, WorldChoice, run_experiment
from scenthound.lab.experiment.values import Outside, Standing

FILE = Path(__file__).with_name("floors.json")
SLACK = 0.01
METRICS = ("harvest", "judged", "recall", "link_auc")
BUDGET = "n"

Figures = Mapping[str, float]


def run(*, quick: bool = False) -> Report:
    """Measure every web that is here."""
    figures = [
        Figure(name=f"{world}, {name}", value=value, goal=at_least(floor))
        for world, web in webs()
        for name, value, floor in _held(measured(web), world)
    ]
    return Report(figures=tuple(figures))


def webs() -> Iterator[tuple[str, WorldChoice]]:
    """Yield the webs that are here: the demo web always, the real ones where they lie."""
    yield "demo", WorldChoice(name="demo", demo=7, topics=("Recreation/Cycling", "Science/Geology", "Arts/Music"))
    schools, webkb = webs_file("schools.warc.gz"), webs_file("webkb.warc.gz")
    if schools is not None:
        yield (
            "schools",
            WorldChoice(
                name="schools",
                warc=(str(schools),),
                labels=str(schools.with_name("schools.labels.tsv")),
                locked=("*/wp/index/*", "*/images/*"),
                topics=("IT", "Science/Physics/General_Physics", "Business_Studies", "Geography/African_Geography"),
            ),
        )
    if webkb is not None:
        yield (
            "webkb",
            WorldChoice(
                name="webkb",
                warc=(str(webkb),),
                labels=str(webkb.with_name("webkb.labels.tsv")),
                topics=("course", "project"),
                examples_from="{topic}/cornell",
            ),
        )


def measured(web: WorldChoice, *, processes: int = 0, cache: Path | None = None) -> tuple[str, Figures]:
    """Crawl a web by best-first and breadth-first, with so many processes and its world in this cache.

    Return its digest and the figures of best-first, its lead among them.
    """
    experiment = Experiment(
        title="floors",
        draws=1,
        budgets=(BUDGET,),
        outside=Outside.INVISIBLE,  # as when the floors were set: they never go down
        worlds=(web,),
        strategies=tuple(
            StrategyChoice(name=name, kind=name, parameters={}, settings={}, tune={})
            for name in ("best-first", "breadth")
        ),
    )
    with tempfile.TemporaryDirectory() as folder:
        results = run_experiment(experiment, folder=Path(folder), processes=processes, cache=cache)
    ours, base = (_standing(results, name) for name in ("best-first", "breadth"))
    found = {metric: ours.metrics[metric].mean for metric in METRICS if metric in ours.metrics}
    lead = ours.metrics["harvest"].mean - base.metrics["harvest"].mean
    return results.worlds[0].digest, found | {"lead over breadth": lead}


def floors(file: Path = FILE) -> dict[str, dict[str, dict[str, float]]]:
    """Return the floors by web, digest and figure."""
    found: dict[str, dict[str, dict[str, float]]] = (
        json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    )
    return found


def raised(old: Figures, found: Figures) -> dict[str, float]:
    """Return floors that are no lower than before.

    >>> raised({"harvest": 0.3, "gone": 0.1}, {"harvest": 0.2, "recall": 0.5})
    {'harvest': 0.3, 'gone': 0.1, 'recall': 0.49}
    """
    new = {name: round(value - SLACK, 3) for name, value in found.items()}
    return {
        name: max(old.get(name, -1.0), new.get(name, -1.0))
        for name in (*old, *(name for name in new if name not in old))
    }


def _held(found: tuple[str, Figures], world: str) -> Iterator[tuple[str, float, float]]:
    digest, figures = found
    own = floors().get(world, {}).get(digest, {})
    for name, value in figures.items():
        yield name, value, own.get(name, 0.0)


def _standing(results: Results, strategy: str) -> Standing:
    return next(standing for standing in results.standings if standing.strategy == strategy)


def main() -> None:
    """Raise the floors to what is measured now."""
    parser = argparse.ArgumentParser(prog="python -m bench.floors", description=str(__doc__).splitlines()[0])
    parser.add_argument(
        "--raise", action="store_true", dest="up", required=True, help="write higher floors to floors.json"
    )
    parser.parse_args()
    known = floors()
    for world, web in webs():
        digest, figures = measured(web)
        own = known.setdefault(world, {})
        own[digest] = raised(own.get(digest, {}), figures)
        print(world, own[digest])
    FILE.write_text(json.dumps(known, indent=1, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
