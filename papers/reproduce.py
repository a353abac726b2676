"""All of the papers' experiments, or some of them, run by one call: crawls first, then what each study finds in them.

    classic.toml ─► crawls (kept in a folder) ─► studies, one world at a time ─► Reproduction ─► the page

The classic strategies and the papers' crawls lie in the same folder: what both need is crawled once.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Any, Final

from msgspec.structs import replace

from papers import best, classic, coverage, distance, harvest, relevance, robustness
from papers.apprentice import extras, idioms, information, offline, online, paths, plain_text, reevaluation, window
from papers.apprentice.guided import Guided, guided_by
from papers.bingo import portal
from papers.crawls import STRATEGIES, Way, WorldCrawls, crawl_worlds
from papers.relational import distil, memory, output, probe
from papers.study import About, Found, Study
from papers.timed import Timed
from scenthound.errors import LabError
from scenthound.lab.experiment.experiment import QUICK_TOPICS, Experiment
from scenthound.lab.experiment.values import Results, WorldNote
from scenthound.lab.experiments import named
from scenthound.lab.runs.progress import Listener, Stride, unheard
from scenthound.lab.runs.runner import run_experiment
from scenthound.lab.world.cache import cache_folder
from scenthound.settings.file import nearest

STUDIES: Final[tuple[Study[Any], ...]] = (
    harvest.STUDY,
    relevance.STUDY,
    robustness.STUDY,
    best.STUDY,
    distance.STUDY,
    coverage.STUDY,
    window.STUDY,
    plain_text.STUDY,
    information.STUDY,
    idioms.STUDY,
    extras.STUDY,
    offline.STUDY,
    paths.STUDY,
    reevaluation.STUDY,
    online.STUDY,
)

# These run only when they are named: see `timed`.
TIMED: Final[tuple[Timed[Any], ...]] = (probe.STUDY, memory.STUDY, output.STUDY, distil.STUDY, portal.STUDY)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chapter:
    """What a study found, world by world; None where a world does not have what it measures."""

    about: About
    found: tuple[tuple[str, Found | None], ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Reproduction:
    """Everything that the page tells."""

    experiment: Experiment
    worlds: tuple[WorldNote, ...]
    chapters: tuple[Chapter, ...]
    classic: Results | None


def catalogue() -> dict[str, str]:
    """Return the papers' experiments by name, with what each asks."""
    abouts = [*(study.about for study in STUDIES), *(study.about for study in TIMED)]
    asked = {about.name: f"{about.figures}: {about.asks}" for about in abouts}
    return {**asked, classic.NAME: classic.ASKS}


def declared(*, quick: bool = False) -> Experiment:
    """Return the experiment that everything is drawn from.

    Where the webs are absent, or for a quick look, the demo web stands in.
    """
    experiment = named()[classic.NAME].load()
    there = [
        world
        for world in experiment.worlds
        if all(map(Path.exists, map(experiment.place, (*world.warc, world.labels))))
    ]
    if there and not quick:
        return replace(experiment, worlds=tuple(there))
    demo = named()["demo"].load()
    small = replace(experiment, worlds=demo.worlds, negatives=demo.negatives)
    return replace(small, draws=1, most_topics=QUICK_TOPICS) if quick else small


@contextmanager
def importable_in_processes() -> Iterator[None]:
    """Let the lab's processes import this package: it is not installed, and they receive its values."""
    root, before = str(Path(__file__).resolve().parent.parent), os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = root if not before else f"{root}{os.pathsep}{before}"
    try:
        yield
    finally:
        if before is None:
            del os.environ["PYTHONPATH"]
        else:
            os.environ["PYTHONPATH"] = before


@importable_in_processes()
def reproduce(
    names: Sequence[str] = (),
    *,
    experiment: Experiment,
    folder: Path,
    guided: Guided | None = None,
    quick: bool = False,
    processes: int = 0,
    listener: Listener = unheard,
    cache: Path | None = None,
) -> Reproduction:
    """Run the papers' experiments of these names, and return what they find.

    Without names, all but those that measure time.

    `guided` are the strategies that take the part of apprentices, if not those of the lab. `quick` lets those that
    measure time measure on little.
    """
    chosen = _chosen(names)
    where = cache_folder() if cache is None else cache
    results = None
    if classic.NAME in chosen:
        results = run_experiment(experiment, folder=folder, processes=processes, listener=listener, cache=where)
    studies = [study for study in STUDIES if study.about.name in chosen]
    crawls: tuple[WorldCrawls, ...] = ()
    if studies:
        led = guided_by(STRATEGIES[Way.SOFT]) if guided is None else guided
        crawls = crawl_worlds(
            experiment,
            folder=folder,
            guided=led if any(study.guided for study in studies) else {},
            processes=processes,
            listener=listener,
            cache=where,
        )
    notes = tuple(one.note for one in crawls) or (results.worlds if results else ())
    chapters = tuple(
        Chapter(about=study.about, found=tuple((one.note.name, study.found(one)) for one in crawls))
        for study in studies
    )
    timed = _timed([study for study in TIMED if study.about.name in chosen], quick=quick, listener=listener)
    return Reproduction(experiment=experiment, worlds=notes, chapters=(*chapters, *timed), classic=results)


def _timed(studies: Sequence[Timed[Any]], *, quick: bool, listener: Listener) -> tuple[Chapter, ...]:
    begun, chapters = monotonic(), list[Chapter]()
    for study in studies:
        listener(_stride(len(chapters), len(studies), begun, last=study.about.name))
        chapters.append(Chapter(about=study.about, found=((study.where, study.found(quick=quick)),)))
    if studies:
        listener(_stride(len(studies), len(studies), begun))
    return tuple(chapters)


def _stride(done: int, total: int, begun: float, *, last: str = "") -> Stride:
    return Stride(stage="measuring", done=done, total=total, elapsed=monotonic() - begun, last=last)


def _chosen(names: Sequence[str]) -> list[str]:
    known = list(catalogue())
    for name in names:
        if name not in known:
            guess = nearest(name, known)
            hint = f"did you mean {guess}?" if guess else f"there are {', '.join(known)}"
            raise LabError(f"{name} is none of the papers' experiments; {hint}")
    return list(names) or unnamed()


def unnamed() -> list[str]:
    """Return the experiments that are run where none is named: all that measure no time."""
    timed = {study.about.name for study in TIMED}
    return [name for name in catalogue() if name not in timed]
