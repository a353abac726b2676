"""Tables of the report: each in a box that scrolls by itself, with a caption, and sortable where there is a script."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from scenthound.lab.metrics.metric_table import Metric
from scenthound.lab.report.contests import Contest
from scenthound.lab.report.markup import Inside, Markup, breakable, join, tag
from scenthound.lab.report.palette import SOLID, Look


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """The head of a column; `help` is shown when it is pointed at."""

    title: Inside
    help: str = ""
    number: bool = True


def table(
    caption: Inside, headings: Sequence[Heading], rows: Iterable[Inside], *, sortable: bool = True, class_: str = ""
) -> Markup:
    """Return a table; the rows are ready, the first cell of each being its heading."""
    classes = " ".join(filter(None, [class_, "sortable" if sortable else ""]))
    head = tag("thead", tag("tr", [_heading(heading) for heading in headings]))
    inside = (tag("caption", caption), head, tag("tbody", rows))
    return tag("div", tag("table", *inside, class_=classes or None), class_="scroll", tabindex="0")


def row(name: Inside, cells: Iterable[Inside], *, class_: str = "") -> Markup:
    return tag("tr", tag("th", name, scope="row"), cells, class_=class_ or None)


def cell(inside: Inside, *, value: float | None = None, class_: str = "") -> Markup:
    """Return a cell; `value` is what it is sorted by, where that is not its text."""
    return tag("td", inside, class_=class_ or None, data_value=None if value is None else f"{value:.9g}")


def plain(*names: str) -> list[Heading]:
    """Return headings of columns of words."""
    return [Heading(title=name, number=False) for name in names]


def metric_heading(metric: Metric) -> Heading:
    return Heading(title=metric.title, help=metric.help)


def strategy_name(name: str, look: Look, *, contest: Contest | None = None) -> Markup:
    """Return the name of a strategy with a sample of its line, and what part it plays."""
    notes = []
    if contest and name == contest.baseline:
        notes.append("baseline")
    if look.reference:
        notes.append("reference")
    return join(swatch(look), breakable(name), [tag("small", note, class_="part") for note in notes])


def swatch(look: Look) -> Markup:
    """Return a sample of the line by which plots show a strategy."""
    colour, dash = look.colour.css, look.dash
    dashes = None if dash == SOLID else " ".join(f"{2 * float(length):g}" for length in dash.split())
    line = tag("line", x1=1, y1=5, x2=25, y2=5, stroke=colour, stroke_width=2, stroke_dasharray=dashes)
    dot = tag(
        "circle", cx=13, cy=5, r=3.2, fill=colour if look.filled else "var(--paper)", stroke=colour, stroke_width=1.5
    )
    return tag("svg", line, dot, class_="swatch", viewBox="0 0 26 10", aria_hidden="true")


def _heading(heading: Heading) -> Markup:
    return tag(
        "th", heading.title, scope="col", title=heading.help or None, class_="number" if heading.number else None
    )
