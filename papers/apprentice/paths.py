"""Whether an apprentice who learnt from a crawl goes other ways than that crawl (APPRENTICE fig. 11)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from papers.apprentice.guided import Guidance
from papers.crawls import TaskCrawls, Way, WorldCrawls
from papers.means import POINTS, Means, along, by_topic
from papers.sketch import Line, Panel, Sketch
from papers.study import About, Found, Point, Study
from papers.words import per_cent, small_web
from scenthound.lab.experiment.values import Interval, WorldNote
from scenthound.lab.metrics.overlap import page_overlap

LITTLE: Final = 0.5  # "small overlap": less than half

ABOUT = About(
    name="apprentice-paths",
    title="Overlap of baseline and apprentice",
    figures="APPRENTICE fig. 11",
    asks="Does an apprentice that was trained on a crawl fetch what that crawl has fetched?",
    how="The crawls of apprentice-offline. Overlap is what both have fetched after as many fetches, as a share of "
    "what one has. The "
    "paper shows the end of its crawls, of which the web had no end to run into.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Paths:
    """Overlap along the run, at half of it and at its end, and there by topic."""

    note: WorldNote
    line: Line
    half: Interval
    end: Interval
    ends: Mapping[str, float]


def measure(crawls: WorldCrawls) -> Paths | None:
    tasks = [one for one in crawls.tasks if Guidance.OFFLINE in one.guided]
    if not tasks:
        return None
    means = Means(seed=crawls.seed)
    found = [(one.task.topic, _overlap(one)) for one in tasks]
    return Paths(
        note=crawls.note,
        line=means.line("baseline and apprentice", found),
        half=means.interval((topic, way[POINTS // 2 - 1]) for topic, way in found),
        end=means.interval((topic, way[-1]) for topic, way in found),
        ends=by_topic((topic, way[-1]) for topic, way in found),
    )


def tell(found: Paths) -> Found:
    """Put the numbers into words."""
    ranked = sorted(found.ends, key=lambda topic: (found.ends[topic], topic))
    low, high = (f"{100 * found.ends[topic]:.0f} % on {topic}" for topic in (ranked[0], ranked[-1]))
    said = (
        f"Baseline and apprentice have {per_cent(found.half)} of their pages in common after half of the run and "
        f"{per_cent(found.end)} at "
        f"its end, from {low} to {high}."
    )
    point = Point(
        paper="There is little overlap: the apprentice goes ways that the baseline never went, so that it has not just "
        "learnt its lessons by heart.",
        ours=f"At the end {per_cent(found.end)} of the pages are the same.",
        agrees=found.end.mean < LITTLE,
        guess=f"{small_web(found.note)} Two crawls that both find the pages of a topic have these in common.",
    )
    return Found(said=said, points=(point,), sketches=(_sketch(found),))


def _overlap(crawls: TaskCrawls) -> list[float]:
    found = page_overlap(crawls.whole[Way.SOFT], crawls.guided[Guidance.OFFLINE], points=POINTS)
    both = [(one + other) / 2 for one, other in zip(found.of_one, found.of_other, strict=True)]
    return along(found.at, both, fetches=crawls.fetches)


def _sketch(found: Paths) -> Sketch:
    world = found.note.name
    panel = Panel(
        title=f"{world}: pages in common", across="share of the run", up="share", lines=(found.line,), top=1.0
    )
    return Sketch(
        name=f"apprentice-paths-{world}",
        caption=f"{world}: pages that baseline and apprentice have in common along the run, mean over topics; shaded: "
        "95 % intervals.",
        alt=f"Overlap of baseline and apprentice on {world}; {100 * found.end.mean:.0f} % at the end.",
        panels=(panel,),
    )


STUDY = Study(about=ABOUT, measure=measure, tell=tell, guided=True)
