"""Where the weights come from that an apprentice begins with: crawls for topics on which it is never shown.

These are the development topics of the schools web (`lab/experiments/classic.toml`) and three genres of WebKB. Each is
crawled for with 150 examples of what is not wanted, with 12, and with none. Now and then the best 25 URLs that wait and
60 drawn by chance are looked at: what can be smelt of each, and whether it is wanted. One logistic regression explains
all of it. That is done twice: with the weights that ship, and again with those found by then. `python -m bench.prior
--write` lets those found be the ones that ship.
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from statistics import mean
from typing import Any, Final, TypeVar

import numpy as np

from bench.figures import Figure, Report, markdown_table
from bench.prior_fit import Floats, Group, Trial, fitted, trials
from bench.running import ROOT
from bench.sampling import Onlooker, Samples, SamplingGuide
from bench.serving import missing, webs_file
from scenthound.apprentice.crawl_guide import Advisor
from scenthound.apprentice.reason_numbers import NAMES
from scenthound.apprentice.scent import prior_weights
from scenthound.lab import Experiment, StrategyChoice, World, WorldSource, load_experiment, open_world
from scenthound.lab.experiment.tasks import Drawing, Labels, locked_pages
from scenthound.lab.experiment.values import Role, Task
from scenthound.lab.runs.critics import Critics
from scenthound.lab.runs.run import Conditions, crawl
from scenthound.lab.strategies.kinds import kind_of
from scenthound.store.base import Store

Looker = TypeVar("Looker", bound=Onlooker[Any])

FILE: Final = ROOT / "src" / "scenthound" / "apprentice" / "prior.json"
WEBS: Final = "schools.warc.gz or webkb.warc.gz, with its labels,"
GENRES: Final = ("student", "staff", "department")  # course, project and faculty are for showing
# Nothing can be learnt about hosts on a web that has one, nor about hubs without a distiller beside the crawl.
BY_HAND: Final = ("host", "hub")
EXAMPLES: Final = 10
# By the number of examples of what is not wanted: after how many pages it is looked at what waits.
EVERY: Final = {150: 20, 12: 12, 0: 12}
DRAW: Final = 41  # of examples; the experiments of the papers have the first ones
FETCHES: Final = 200
ROUNDS: Final = 2
WORTH: Final = {"schools": 100.0, "webkb": 300.0}  # samples that a topic is worth in each situation; genres are few
DIGITS: Final = 3


def run(*, quick: bool = False) -> Report:
    """Find weights, and show how well they do on topics that they were not found on."""
    groups = gathered(quick=quick)
    return Report(skipped=missing(WEBS)) if groups is None else report(groups)


def gathered(*, quick: bool) -> list[Group] | None:
    """Return the samples of the last round; with `quick`, of one topic of each web. None if a web is not there."""
    weights, groups = prior_weights(), list[Group]()
    with tempfile.TemporaryDirectory() as folder, opened("schools") as schools, opened("webkb") as webkb:
        if schools is None or webkb is None:
            return None
        for number in range(ROUNDS):
            print(f"  round {number + 1}", flush=True)
            groups = [
                group
                for world in (schools, webkb)
                for group in sampled(world, Critics(world, Path(folder) / world.name), weights, most=1 if quick else 0)
            ]
            weights = fitted(groups, prior_weights(), by_hand=BY_HAND)
    return groups


@contextmanager
def opened(name: str) -> Iterator[World | None]:
    """Open one of the webs, if it is at hand."""
    warc, labels = webs_file(f"{name}.warc.gz"), webs_file(f"{name}.labels.tsv")
    if warc is None or labels is None:
        yield None
        return
    with open_world(WorldSource(name=name, warc=(warc,), labels=labels)) as world:
        yield world


def sampled(world: World, critics: Critics, weights: Floats, *, most: int) -> Iterator[Group]:
    """Yield the samples of all topics of a world, or of the first ones, in each situation."""
    for topic in topics_of(world.name)[: most or None]:
        for others, every in EVERY.items():
            task = task_of(world, topic, others=others)
            found = looked_at(world, task, critics, weights, every=every)
            told = f"{topic}, {others} others"
            print(f"    {told:<90} {len(found):>5,} samples, {int(found.wanted.sum()):>5,} wanted", flush=True)
            yield Group(topic=f"{world.name}: {topic}", others=others, worth=WORTH[world.name], samples=found)


def topics_of(world: str) -> tuple[str, ...]:
    """Return the topics of a world that nothing is shown on."""
    return GENRES if world == "webkb" else _classic().worlds[0].development


def task_of(world: World, topic: str, *, others: int) -> Task:
    """Draw a task with so many examples of what is not wanted; on WebKB, examples come from one university."""
    truth = Labels(world=world, examples_from="{topic}/cornell" if world.name == "webkb" else "")
    locked = locked_pages(world, _locked(world.name))
    drawing = Drawing(seed=_classic().seed, examples=EXAMPLES, negatives=others, locked=locked)
    return drawing.task(world, truth, topic, draw=DRAW, role=Role.DEVELOPMENT)


def looked_at(world: World, task: Task, critics: Critics, weights: Floats, *, every: int) -> Samples:
    """Crawl for a task with the apprentice that ships, and return what was seen on the way."""
    return watched(world, task, critics, SamplingGuide, weights=weights, every=every).samples


def watched(
    world: World, task: Task, critics: Critics, onlooker: type[Looker], *, weights: Floats, every: int
) -> Looker:
    """Crawl for a task with an apprentice that begins with some weights, and return who looked over its shoulder."""
    guides: list[Looker] = []

    def is_wanted(url: str) -> bool:
        return world.number.get(url, -1) in task.wanted

    def guide_by(store: Store, advisor: Advisor) -> Looker:
        guides.append(onlooker(store, advisor, prior=weights, is_wanted=is_wanted, every=every))
        return guides[-1]

    choice = StrategyChoice(name="apprentice", kind="apprentice", parameters={}, settings={}, tune={})
    # Invisible, as when the weights that ship were fitted.
    fetches, locked = min(FETCHES, len(task.wanted)), _locked(world.name)
    conditions = Conditions(fetches=fetches, locked=locked)
    crawl(world, task, choice, kind_of(choice), conditions, critics, guide_by=guide_by)
    return guides[0]


def _locked(world: str) -> tuple[str, ...]:
    return next((choice.locked for choice in _classic().worlds if choice.name == world), ())


def _classic() -> Experiment:
    return load_experiment(Path(str(files("scenthound.lab.experiments") / "classic.toml")))


def report(groups: Sequence[Group]) -> Report:
    """Show the weights beside those that ship, and every topic."""
    ships = prior_weights()
    found, tried = fitted(groups, ships, by_hand=BY_HAND), trials(groups, ships, by_hand=BY_HAND)
    schools = [trial for trial in tried if trial.group.topic.startswith("schools: ")]
    return Report(
        figures=(
            Figure(name="crawls looked at", value=len(groups)),
            Figure(name="samples", value=sum(len(group.samples) for group in groups)),
            *_figures("schools", schools),
            *_figures("WebKB", [trial for trial in tried if trial not in schools]),
            Figure(name="greatest change of a weight", value=float(np.abs(found - ships).max())),
        ),
        text=(_weights_table(ships, found), _trials_table(tried)),
    )


def _figures(web: str, tried: Sequence[Trial]) -> Iterator[Figure]:
    if tried:
        yield Figure(name=f"AUC on topics left out, {web}", value=mean(trial.auc for trial in tried))
        precision = mean(trial.precision for trial in tried)
        yield Figure(name=f"average precision on topics left out, {web}", value=precision)


def _weights_table(ships: Floats, found: Floats) -> str:
    pairs = zip(NAMES, ships.tolist(), found.tolist(), strict=True)
    rows = [[name, f"{old:.3f}", "by hand" if name in BY_HAND else f"{new:.3f}"] for name, old, new in pairs]
    return markdown_table(["scent", "ships", "found"], rows, right=(1, 2))


def _trials_table(tried: Sequence[Trial]) -> str:
    rows = [
        [
            trial.group.topic,
            str(trial.group.others),
            f"{len(trial.group.samples):,}",
            f"{int(trial.group.samples.wanted.sum()):,}",
            f"{trial.auc:.3f}",
            f"{trial.precision:.3f}",
        ]
        for trial in tried
    ]
    headings = ["topic left out", "others", "samples", "wanted", "AUC", "average precision"]
    return markdown_table(headings, rows, right=range(1, 6))


def written(weights: Floats, groups: Sequence[Group]) -> str:
    """Return what prior.json is to say."""
    topics = {group.topic for group in groups}
    schools = sum(topic.startswith("schools: ") for topic in topics)
    note = (
        f"Found by `python -m bench.prior --write` on {schools} development topics of the schools web and "
        f"{len(topics) - schools} genres of WebKB that nothing is shown on; given by hand: {', '.join(BY_HAND)}."
    )
    rounded = {name: round(weight, DIGITS) for name, weight in zip(NAMES, weights.tolist(), strict=True)}
    return json.dumps({"note": note, "weights": rounded}, indent=1) + "\n"


def main() -> None:
    """Find weights and write them down."""
    parser = argparse.ArgumentParser(prog="python -m bench.prior", description=str(__doc__).splitlines()[0])
    parser.add_argument("--write", action="store_true", required=True, help="replace the weights that ship")
    parser.parse_args()
    groups = gathered(quick=False)
    if groups is None:
        sys.exit(missing(WEBS))
    print("\n\n".join(report(groups).text))
    FILE.write_text(written(fitted(groups, prior_weights(), by_hand=BY_HAND), groups), encoding="utf-8")


if __name__ == "__main__":
    main()
