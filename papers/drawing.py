"""Pictures of sketches, in the style of the report; the same sketch gives the same bytes.

Letters are text and not outlines: a picture then takes a tenth of the space, and can be searched.
"""

import re
from collections.abc import Sequence
from io import BytesIO

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from papers.sketch import Bars, Dot, Line, Panel, Sketch
from scenthound.lab.report.numbers import figure as written
from scenthound.lab.report.palette import GREY, PAPER, RULE, SERIES
from scenthound.lab.report.plots.canvas import LETTER, style

WIDTH, HEIGHT = 340.0, 220.0  # of a panel, in points
LEFT, RIGHT, TOP, BOTTOM = 46.0, 12.0, 40.0, 36.0
ROW = 15.0  # from one dot to the next
ADVANCE = 0.56  # mean width of a letter, in sizes
SHADE = 0.14
RESOLUTION = 130  # dots an inch, of PNG files

_POINTS_AN_INCH = 72.0
_DASHES = ("-", (0, (5, 2)), (0, (1.5, 1.5)))
_NOTHING_OF_THE_MOMENT = {
    "svg": {"Date": None, "Creator": None, "Format": None, "Type": None},
    "png": {"Software": None},
}
_NUMBER = re.compile(rb"-?\d+\.\d{3,}")


def draw(sketch: Sketch, form: str = "svg") -> bytes:
    """Return a picture of a sketch, as "svg" or "png"."""
    rows = max(len(panel.dots) for panel in sketch.panels)
    size = (WIDTH * len(sketch.panels), max(HEIGHT, TOP + BOTTOM + ROW * rows))
    with style():
        matplotlib.rcParams["svg.fonttype"] = "none"
        figure = Figure(figsize=(size[0] / _POINTS_AN_INCH, size[1] / _POINTS_AN_INCH))
        for place, panel in enumerate(sketch.panels):
            _panel(_axes(figure, WIDTH * place, panel, size), panel)
        file = BytesIO()
        figure.savefig(file, format=form, dpi=RESOLUTION, metadata=_NOTHING_OF_THE_MOMENT[form])
    return _NUMBER.sub(_rounded, file.getvalue()) if form == "svg" else file.getvalue()


def _axes(figure: Figure, begin: float, panel: Panel, size: tuple[float, float]) -> Axes:
    """Return the axes of a panel that begins so far from the left."""
    wide, high = size
    left = max(len(dot.name) for dot in panel.dots) * LETTER * ADVANCE + 10 if panel.dots else LEFT
    box = ((begin + left) / wide, BOTTOM / high, (WIDTH - left - RIGHT) / wide, (high - TOP - BOTTOM) / high)
    axes = figure.add_axes(box)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.tick_params(length=0, pad=4)
    axes.grid(axis="x" if panel.dots else "y", color=RULE.light, linewidth=0.6)
    axes.set_axisbelow(True)
    axes.set_xlabel(panel.across)
    axes.set_ylabel(panel.up)
    return axes


def _panel(axes: Axes, panel: Panel) -> None:
    title_at = 1.0
    if panel.dots:
        _dots(axes, panel.dots)
    else:
        title_at = 1.1
        _lines(axes, panel.lines) if panel.lines else _bars(axes, panel.bars, panel.places)
        axes.set_ylim(0, panel.top or None)
        axes.yaxis.set_major_formatter(_share)
        _legend(axes)
    axes.set_title(panel.title, loc="left", fontsize=LETTER + 0.5, fontweight="bold", y=title_at)


def _legend(axes: Axes) -> None:
    axes.legend(
        loc="lower left",
        bbox_to_anchor=(0, 0.985),
        ncols=3,
        frameon=False,
        fontsize=LETTER - 1,
        handlelength=1.8,
        columnspacing=1.2,
        borderaxespad=0.2,
        handletextpad=0.5,
    )


def _share(value: float, _place: float = 0) -> str:
    return "0" if value == 0 else written(value, 2)


def _dots(axes: Axes, dots: Sequence[Dot]) -> None:
    for place, dot in enumerate(dots):
        colour = GREY.light if dot.reference else SERIES[0].light
        axes.plot([dot.low, dot.high], [place, place], color=colour, linewidth=2.2, alpha=0.5)
        face = PAPER.light if dot.reference else colour
        axes.plot([dot.mean], [place], marker="o", markersize=5.5, color=colour, markerfacecolor=face)
    axes.set_yticks(range(len(dots)), [dot.name for dot in dots])
    axes.set_ylim(len(dots) - 0.5, -0.5)
    if min(dot.low for dot in dots) < 0:
        axes.axvline(0, color=GREY.light, linewidth=0.8)
    else:
        axes.set_xlim(left=0)
    axes.xaxis.set_major_formatter(_share)


def _lines(axes: Axes, lines: Sequence[Line]) -> None:
    for place, line in enumerate(lines):
        colour = SERIES[place % len(SERIES)].light
        if line.low:
            axes.fill_between(line.at, line.low, line.high, color=colour, alpha=SHADE, linewidth=0)
        axes.plot(
            line.at, line.mean, color=colour, linewidth=1.8, linestyle=_DASHES[place % len(_DASHES)], label=line.name
        )
    end = max(max(line.at) for line in lines)
    axes.set_xlim(0, end)
    if end <= 1:
        axes.xaxis.set_major_formatter(_share)


def _bars(axes: Axes, bars: Sequence[Bars], places: Sequence[str]) -> None:
    width = 0.8 / len(bars)
    for place, one in enumerate(bars):
        at = [number + (place - (len(bars) - 1) / 2) * width for number in range(len(one.heights))]
        axes.bar(at, one.heights, width=width, color=SERIES[place % len(SERIES)].light, label=one.name)
    axes.set_xticks(range(len(places)), list(places))


def _rounded(found: re.Match[bytes]) -> bytes:
    return f"{float(found[0]):.2f}".encode()
