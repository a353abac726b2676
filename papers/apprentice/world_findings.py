"""The findings from the links of all crawls of a world, one crawl for each topic, computed on demand."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

from papers.apprentice.chart import Chart, chart
from papers.apprentice.findings import LinkFindings, findings
from papers.apprentice.page_links import Pages
from scenthound.lab.experiment.tasks import locked_pages
from scenthound.lab.experiment.values import Task, Trace
from scenthound.lab.runs.progress import Listener, Pace, unheard
from scenthound.lab.world.world import World, open_world
from scenthound.lab.world.world_sources import WorldSource


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Followed:
    """A crawl whose links are looked at, up to so many fetches."""

    task: Task
    trace: Trace
    fetches: int


def world_findings(
    crawls: Sequence[Followed],
    *,
    source: WorldSource,
    cache: Path,
    locked: tuple[str, ...],
    seed: int,
    listener: Listener = unheard,
) -> tuple[LinkFindings, ...]:
    """Return the findings of each crawl that has links enough."""
    with open_world(source, cache=cache) as world:
        found = _found(crawls, world, chart(world, seed=seed), locked_pages(world, locked), listener)
    return tuple(one for one in found if one is not None)


def _found(
    crawls: Sequence[Followed], world: World, topics: Chart, shut: AbstractSet[int], listener: Listener
) -> list[LinkFindings | None]:
    pages, found = Pages(world), []
    pace = Pace(f"the links of {world.name}", len(crawls), sum(one.fetches for one in crawls), now=monotonic())
    for one in crawls:
        found.append(
            findings(one.task, one.trace, fetches=one.fetches, pages=pages, world=world, chart=topics, shut=shut)
        )
        listener(pace.step(one.fetches, one.task.name, fresh=True, now=monotonic()))
    return found
