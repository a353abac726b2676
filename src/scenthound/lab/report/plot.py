"""A plot as the page takes it: what it shows in words, its files, and itself as part of the page."""

from dataclasses import dataclass
from enum import StrEnum

from scenthound.lab.report.markup import Markup, join, tag


class Shows(StrEnum):
    """What a plot shows, which says where in the report it stands."""

    HARVEST = "harvest"
    RECALL = "recall"
    BASELINE = "baseline"
    TOPICS = "topics"
    LINKS = "links"


@dataclass(frozen=True, slots=True, kw_only=True)
class Plot:
    """`alt` tells those who cannot see it what there is to see; `inline` is for the page, whose colours it takes."""

    shows: Shows
    name: str
    caption: str
    alt: str
    svg: bytes
    png: bytes
    inline: Markup


def figure_of(plot: Plot) -> Markup:
    """Return a plot with its caption and links to its files."""
    files = [[" ", tag("a", kind.upper(), href=f"plots/{plot.name}.{kind}")] for kind in ("svg", "png")]
    caption = tag("figcaption", plot.caption, tag("span", files, class_="files"))
    return tag("figure", plot.inline, caption, id=f"plot-{plot.name}")


def figures_of(plots: list[Plot]) -> Markup | None:
    """Return plots side by side where there is room."""
    return tag("div", join([figure_of(plot) for plot in plots]), class_="plots") if plots else None
