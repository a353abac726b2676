"""What a crawl has learnt by itself, for `status` and the window: its phase, why, and its archetypes."""

from dataclasses import dataclass

from scenthound.counted import count
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.crawl.learning.learnt_note import learnt_of
from scenthound.errors import ScenthoundError
from scenthound.settings.schema import CrawlSettings
from scenthound.store.base import Notes
from scenthound.taxonomy import Topics


@dataclass(frozen=True, slots=True, kw_only=True)
class LearntStatus:
    """The phase of a crawl ("" without phases) and why it is in it, the archetypes, and how many rounds found them.

    `left` counts archetypes that are none any more, `refused` says why the last round was not taken.
    """

    phase: str
    why: str
    pages: int
    archetypes: int
    rounds: int
    left: int
    refused: str


def what_was_learnt(directory: CrawlDirectory, store: Notes) -> LearntStatus | None:
    """Return what was learnt; files that are being edited and cannot be read say nothing."""
    try:
        return learnt_status(store, directory.topics(), directory.settings().crawl)
    except ScenthoundError:
        return None


def learnt_status(store: Notes, topics: Topics, settings: CrawlSettings) -> LearntStatus | None:
    """Return what was learnt; None for a crawl that learns nothing by itself."""
    learnt = learnt_of(store)
    if settings.phases != "auto" or not learnt.has_begun:
        return None
    return LearntStatus(
        phase=learnt.phase,
        why=learnt.why,
        pages=learnt.pages,
        archetypes=len(learnt.in_force(topics)) if settings.archetypes else 0,
        rounds=learnt.rounds,
        left=learnt.left,
        refused=learnt.refused,
    )


def learnt_lines(learnt: LearntStatus) -> list[str]:
    """Say it in sentences.

    >>> one = LearntStatus(phase="harvesting", why="you asked for it", pages=90, archetypes=4, rounds=1, left=0, refused="")
    >>> learnt_lines(one)
    ['harvesting since page 90: you asked for it', '4 archetypes found in 1 round']
    """
    lines = []
    if learnt.phase:
        since = f" since page {learnt.pages:,}" if learnt.pages else ""
        lines.append(f"{learnt.phase}{since}: {learnt.why}")
    left = f", {learnt.left} left again" if learnt.left else ""
    lines.append(f"{count(learnt.archetypes, 'archetype')} found in {count(learnt.rounds, 'round')}{left}")
    if learnt.refused:
        lines.append(f"the last round was not used, because the critic became worse: {learnt.refused}")
    return lines
