"""All of the papers' experiments, or some of them, run by one call: crawls first, then what each study finds in them.

    classic.toml ─► crawls (kept in a folder) ─► studies, one world at a time ─► Reproduction ─► the page

The classic strategies and the papers' crawls lie in the same folder: what both need is crawled once.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from msgspec.structs import replace

from scenthound.errors import LabError
from scenthound.lab.experiment import QUICK_TOPICS, Experiment
from scenthound.lab.papers import best, classic, coverage, distance, harvest, named, relevance, robustness
from scenthound.lab.papers.apprentice import (
    extras,
    idioms,
    information,
    offline,
    online,
    paths,
    plain_text,
    reevaluation,
    window,
)
from scenthound.lab.papers.apprentice.guided import Guided, guided_by
from scenthound.lab.papers.crawls import STRATEGIES, Way, WorldCrawls, crawl_worlds
from scenthound.lab.papers.study import About, Found, Study
from scenthound.lab.progress import Listener, unheard
from scenthound.lab.runner import run_experiment
from scenthound.lab.values import Results, WorldNote
from scenthound.lab.world_cache import cache_folder
from scenthound.settings_file import nearest

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
    asked = {study.about.name: f"{study.about.figures}: {study.about.asks}" for study in STUDIES}
    return {**asked, classic.NAME: classic.ASKS}


def declared(*, quick: bool = False) -> Experiment:
    """Return the experiment that everything is drawn from; where the webs are absent, or for a quick look, the demo web stands in."""
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


def reproduce(
    names: Sequence[str] = (),
    *,
    experiment: Experiment,
    folder: Path,
    guided: Guided | None = None,
    processes: int = 0,
    listener: Listener = unheard,
    cache: Path | None = None,
) -> Reproduction:
    """Run the papers' experiments of these names, all if there are none, and return what they find.

    `guided` are the strategies that take the part of apprentices, if not those of the lab.
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
    return Reproduction(experiment=experiment, worlds=notes, chapters=chapters, classic=results)


def _chosen(names: Sequence[str]) -> list[str]:
    known = list(catalogue())
    for name in names:
        if name not in known:
            guess = nearest(name, known)
            hint = f"did you mean {guess}?" if guess else f"there are {', '.join(known)}"
            raise LabError(f"{name} is none of the papers' experiments; {hint}")
    return list(names) or known
