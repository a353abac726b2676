"""A figure is a number that a command prints again, with the goal it is held to; a report is what one bench found.

Goals are bounds on numbers, also where they could be yes or no: "0 torn records" says more than "archive ok".
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class Goal:
    """A bound that a figure should keep."""

    bound: float
    side: Literal["at least", "at most"]

    def met_by(self, value: float) -> bool:
        return value >= self.bound if self.side == "at least" else value <= self.bound

    def __str__(self) -> str:
        return f"{self.side} {number(self.bound)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One measured number."""

    name: str
    value: float
    unit: str = ""
    goal: Goal | None = None

    @property
    def verdict(self) -> str:
        """Tell whether the goal is met: "met", "short", or nothing where there is none."""
        if self.goal is None:
            return ""
        return "met" if self.goal.met_by(self.value) else "short"


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What one bench found: its figures, paragraphs of Markdown on how they came about, and pictures by file name.

    `skipped` says why nothing was measured, and what to do about it.
    """

    figures: tuple[Figure, ...] = ()
    text: tuple[str, ...] = ()
    pictures: Mapping[str, str] = field(default_factory=dict)
    skipped: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A line of the closing table."""

    bench: str
    figure: Figure

    @property
    def cells(self) -> tuple[str, ...]:
        figure = self.figure
        value = f"{number(figure.value)} {figure.unit}".strip()
        return self.bench, figure.name, value, str(figure.goal or ""), figure.verdict


HEADINGS = ("bench", "figure", "value", "goal", "")


def at_least(bound: float) -> Goal:
    return Goal(bound=bound, side="at least")


def at_most(bound: float) -> Goal:
    return Goal(bound=bound, side="at most")


def number(value: float) -> str:
    """Write a number with three digits that mean something, and all digits of a whole one.

    >>> [number(value) for value in (0, 3, 5462, 12345.6, 41.27, 3.14159, 0.01234)]
    ['0', '3', '5,462', '12,346', '41.3', '3.14', '0.0123']
    """
    if value == int(value):
        return f"{int(value):,}"
    for least, digits in ((100, 0), (10, 1), (1, 2)):
        if abs(value) >= least:
            return f"{value:,.{digits}f}"
    return f"{value:.3g}"


def plain_table(rows: Sequence[Row]) -> str:
    """Lay figures out for a terminal."""
    lines = [HEADINGS, *(row.cells for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(HEADINGS))]
    texts = ["  ".join(_padded(line, widths)).rstrip() for line in lines]
    return "\n".join([texts[0], "─" * (sum(widths) + 2 * len(widths)), *texts[1:]])


def markdown_table(headings: Sequence[str], rows: Sequence[Sequence[str]], *, right: Sequence[int] = ()) -> str:
    """Write a Markdown table; `right` names the columns of numbers.

    >>> print(markdown_table(["stage", "ms"], [["read", "1.20"]], right=[1]))
    | stage | ms |
    |---|--:|
    | read | 1.20 |
    """
    rule = "|".join("--:" if column in right else "---" for column in range(len(headings)))
    lines = [f"| {' | '.join(headings)} |", f"|{rule}|"]
    return "\n".join([*lines, *(f"| {' | '.join(row)} |" for row in rows)])


def _padded(cells: Sequence[str], widths: Sequence[int]) -> list[str]:
    """Put values to the right, where digits stand under digits, and words to the left."""
    return [
        cell.rjust(width) if column == HEADINGS.index("value") else cell.ljust(width)
        for column, (cell, width) in enumerate(zip(cells, widths, strict=True))
    ]
