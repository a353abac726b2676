"""The plots of a report, drawn by matplotlib, which nothing else in scenthound imports."""

from collections.abc import Iterator, Mapping

from scenthound.lab.report.contests import Contest
from scenthound.lab.report.palette import Look
from scenthound.lab.report.plot import Plot
from scenthound.lab.report.plots.along import along
from scenthound.lab.report.plots.forest import against_baseline, link_quality
from scenthound.lab.report.plots.per_topic import per_topic


def draw(contest: Contest, looks: Mapping[str, Look]) -> Iterator[Plot]:
    """Draw all plots of a contest."""
    yield from along(contest, looks)
    yield from against_baseline(contest, looks)
    yield from per_topic(contest, looks)
    yield from link_quality(contest, looks)
