"""Paper and ink: figures of one style, saved as the same bytes from run to run.

Sizes are in points. Every figure has the width of a phone, so that its letters stay readable;
pages set two side by side.
"""

import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from io import BytesIO
from typing import Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from scenthound.lab.report.palette import INK, MUTED, PAPER, RULE, SOLID, Look
from scenthound.lab.report.plot import Plot, Shows
from scenthound.lab.report.plots.inline import inline_svg
from scenthound.lab.report.plots.name_labels import shortened

WIDTH = 350.0
LETTER = 9.0  # size of the letters
RESOLUTION = 180  # dots an inch, of PNG files

_POINTS_AN_INCH = 72.0
_STYLE: Mapping[Any, Any] = {
    "font.family": ["DejaVu Sans"],  # comes with matplotlib
    "font.size": LETTER,
    "text.parse_math": False,  # names may hold dollar signs
    "text.color": INK.light,
    "axes.edgecolor": RULE.light,
    "axes.labelcolor": MUTED.light,
    "axes.facecolor": "none",
    "figure.facecolor": PAPER.light,
    "savefig.facecolor": PAPER.light,
    "xtick.color": MUTED.light,
    "ytick.color": MUTED.light,
    "svg.hashsalt": "scenthound",
    "svg.fonttype": "path",
}
_NOTHING_OF_THE_MOMENT = {
    "svg": {"Date": None, "Creator": None, "Format": None, "Type": None},
    "png": {"Software": None},
}


@contextmanager
def style() -> Iterator[None]:
    """Draw in the style of the report, whatever the user's own settings of matplotlib are."""
    with matplotlib.rc_context(), warnings.catch_warnings():
        # A name in letters that the font lacks: the page shows it in the reader's font, files show boxes.
        warnings.filterwarnings("ignore", message="Glyph .* missing from font", category=UserWarning)
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(_STYLE)
        yield


def sheet(height: float, *, left: float, right: float, top: float = 30.0, bottom: float = 36.0) -> tuple[Figure, Axes]:
    """Return a figure of that height with one pair of axes and these margins."""
    figure = Figure(figsize=(WIDTH / _POINTS_AN_INCH, height / _POINTS_AN_INCH))
    box = (left / WIDTH, bottom / height, (WIDTH - left - right) / WIDTH, (height - top - bottom) / height)
    axes = figure.add_axes(box)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.tick_params(length=0, pad=5)
    axes.grid(axis="both", color=RULE.light, linewidth=0.6)
    axes.set_axisbelow(True)
    return figure, axes


def heading(figure: Figure, text: str) -> None:
    """Write what the plot is about above it; in files nothing else says so."""
    size = figure.get_figheight() * _POINTS_AN_INCH
    figure.text(6 / WIDTH, 1 - 9 / size, shortened(text, 54), va="top", fontsize=LETTER + 0.5, fontweight="bold")


def finish(figure: Figure, *, shows: Shows, name: str, caption: str, alt: str) -> Plot:
    """Save a figure in all the forms that the report needs."""
    matplotlib.rcParams["svg.fonttype"] = "none"  # the page writes its own letters, which can be searched and copied
    inline = inline_svg(_saved(figure, "svg"), name=name, alt=alt)
    matplotlib.rcParams["svg.fonttype"] = "path"
    svg, png = _saved(figure, "svg"), _saved(figure, "png")
    return Plot(shows=shows, name=name, caption=caption, alt=alt, svg=svg, png=png, inline=inline)


def line_style(look: Look, *, width: float = 1.8) -> dict[str, Any]:
    """Return how matplotlib draws the line of a look."""
    dashes = None if look.dash == SOLID else tuple(float(length) for length in look.dash.split())
    return {
        "color": look.colour.light,
        "linewidth": width,
        "linestyle": "-" if dashes is None else (0, dashes),
        "solid_capstyle": "round",
    }


def dot_style(look: Look, *, size: float = 6.0, filled: bool | None = None) -> dict[str, Any]:
    """Return how matplotlib draws the dot of a look; `filled` overrules what the look says of it."""
    return {
        "marker": "o",
        "markersize": size,
        "markeredgewidth": 1.3,
        "color": look.colour.light,
        "markerfacecolor": look.colour.light if (look.filled if filled is None else filled) else PAPER.light,
        "linestyle": "none",
    }


def _saved(figure: Figure, form: str) -> bytes:
    file = BytesIO()
    figure.savefig(file, format=form, dpi=RESOLUTION, metadata=_NOTHING_OF_THE_MOMENT[form])
    return file.getvalue()
