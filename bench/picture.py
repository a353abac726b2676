"""Small charts as SVG text, drawn by hand: bars side by side, or one bar of parts.

No library, no script, no font to load.

Colours come from a palette that stays apart for colour-blind readers (Okabe and Ito, 2008); text and ground follow the
reader's light or dark scheme. Every number is also written beside its bar, so that colour is never needed.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from itertools import accumulate

from bench.figures import number

WIDTH = 720
MARGIN = 16
LINE = 26
BAR = 18
NAMES = 190  # for the labels on the left of bars
NUMBERS = 80  # for the numbers on their right
PALETTE = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#b8a900", "#8c8c8c")

_STYLE = """<style>
  text { font: 14px system-ui, sans-serif; fill: #1f2328; }
  .title { font-weight: 600; }
  .ground { fill: #ffffff; }
  @media (prefers-color-scheme: dark) { text { fill: #e6edf3; } .ground { fill: #0d1117; } }
</style>"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A named amount."""

    label: str
    value: float


def bars(title: str, parts: Sequence[Part]) -> str:
    """Draw one bar for each part, all on one scale from zero."""
    scale = (WIDTH - 2 * MARGIN - NAMES - NUMBERS) / max((part.value for part in parts), default=1.0)
    shapes = []
    for row, part in enumerate(parts):
        top = _top(row + 1)
        shapes += [
            _text(MARGIN, top, part.label),
            _rectangle(MARGIN + NAMES, top, part.value * scale, PALETTE[row % len(PALETTE)], part.label),
            _text(MARGIN + NAMES + part.value * scale + 8, top, number(part.value)),
        ]
    return _picture(title, shapes, rows=len(parts) + 1)


def stacked_bar(title: str, parts: Sequence[Part], *, unit: str) -> str:
    """Draw one bar of all parts in their order, and below it what each colour stands for."""
    total = sum(part.value for part in parts)
    scale = (WIDTH - 2 * MARGIN) / total
    starts = [0.0, *accumulate(part.value * scale for part in parts)]
    shapes = []
    for row, (part, start) in enumerate(zip(parts, starts, strict=False)):
        colour, top = PALETTE[row % len(PALETTE)], _top(row + 2)
        shapes += [
            _rectangle(MARGIN + start, _top(1), part.value * scale, colour, part.label),
            _rectangle(MARGIN, top, BAR, colour, part.label),
            _text(MARGIN + BAR + 10, top, f"{part.label}: {part.value:.2f} {unit} ({100 * part.value / total:.0f} %)"),
        ]
    return _picture(f"{title}: {total:.2f} {unit}", shapes, rows=len(parts) + 2)


def _top(row: int) -> float:
    return MARGIN + row * LINE


def _text(x: float, top: float, words: str, *, kind: str = "") -> str:
    named = f' class="{kind}"' if kind else ""
    return f'<text x="{x:.1f}" y="{top + 14:.1f}"{named}>{escape(words)}</text>'


def _rectangle(x: float, top: float, width: float, colour: str, label: str) -> str:
    place = f'x="{x:.1f}" y="{top:.1f}" width="{width:.1f}" height="{BAR}"'
    return f'<rect {place} fill="{colour}"><title>{escape(label)}</title></rect>'


def _picture(title: str, shapes: Sequence[str], *, rows: int) -> str:
    height = _top(rows) + MARGIN - (LINE - BAR)
    opening = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:g}" width="{WIDTH}" role="img">'
    ground = f'<rect class="ground" width="{WIDTH}" height="{height:g}" rx="6"/>'
    named = f"<title>{escape(title)}</title>"
    heading = _text(MARGIN, MARGIN, title, kind="title")
    return "\n".join([opening, named, _STYLE, ground, heading, *shapes, "</svg>", ""])
