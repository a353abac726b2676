"""The sites of an experiment: each of its worlds with its source, its truth, and its tasks."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.lab.experiment.experiment import Experiment, WorldChoice
from scenthound.lab.experiment.tasks import Labels, Truth, draw_tasks
from scenthound.lab.experiment.values import Outside, Task, WorldNote
from scenthound.lab.runs.progress import Listener, reading_watched
from scenthound.lab.world.second_opinion import second_opinion
from scenthound.lab.world.world import World, open_world
from scenthound.lab.world.world_sources import WorldSource
from scenthound.settings.schema import CriticSettings

CRITIC = "critic.kind"


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """A world of an experiment, closed again; processes open it for themselves."""

    choice: WorldChoice
    source: WorldSource
    note: WorldNote
    tasks: tuple[Task, ...]


def open_sites(experiment: Experiment, *, cache: Path, listener: Listener) -> tuple[Site, ...]:
    """Open every world of an experiment once, reading those outside the cache, and draw its tasks."""
    return tuple(_site(choice, experiment, cache, listener) for choice in experiment.worlds)


def _site(choice: WorldChoice, experiment: Experiment, cache: Path, listener: Listener) -> Site:
    source = source_of(choice, experiment)
    with open_world(source, cache=cache, watch=reading_watched(listener)) as world:
        truth = truth_of(world, source, choice, experiment)
        tasks = draw_tasks(world, truth, choice, experiment)
        note = note_of(world, truth, choice, outside=experiment.outside)
    return Site(choice=choice, source=source, note=note, tasks=tasks)


def source_of(choice: WorldChoice, experiment: Experiment) -> WorldSource:
    """Return the source of a world, with paths relative to the folder of the experiment."""
    return WorldSource(
        name=choice.name,
        warc=tuple(experiment.place(path) for path in choice.warc),
        crawl=experiment.place(choice.crawl) if choice.crawl else None,
        demo=choice.demo,
        labels=experiment.place(choice.labels) if choice.labels else None,
    )


def truth_of(world: World, source: WorldSource, choice: WorldChoice, experiment: Experiment) -> Truth:
    """Return the truth: the labels or, in a crawl without any, a second critic."""
    if world.fully_labelled or source.crawl is None:
        return Labels(world=world, examples_from=choice.examples_from)
    topics = CrawlDirectory.open(source.crawl).topics()
    return second_opinion(world, topics, leading=_leading(experiment), seed=experiment.seed)


def note_of(world: World, truth: Truth, choice: WorldChoice, *, outside: Outside) -> WorldNote:
    """Return a world as a report names it."""
    return WorldNote(
        name=world.name,
        digest=world.digest,
        pages=len(world.urls),
        hosts=len(set(world.hosts)),
        links=world.link_count,
        said=world.said,
        outside=outside,
        locked=choice.locked,
        truth=truth.said,
        most_fetches=choice.most_fetches,
    )


def _leading(experiment: Experiment) -> set[str]:
    """Return the kinds of critics that lead crawls of an experiment."""
    common = str(experiment.settings.get(CRITIC, CriticSettings().kind))
    own: list[Mapping[str, Any]] = [choice.settings for choice in experiment.strategies]
    return {common, *(str(settings[CRITIC]) for settings in own if CRITIC in settings)}
