"""Plots as values: panels side by side, each with lines, with bars or with dots. `drawing` makes pictures of them.

A study that only says what is to be seen needs no library that draws, and its sketches can be looked at in tests.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A mean along the way; `low` and `high` bound its interval, and are empty where there is none."""

    name: str
    at: tuple[float, ...]
    mean: tuple[float, ...]
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Bars:
    """Heights of one series of bars, by place."""

    name: str
    heights: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Dot:
    """A mean with its interval, in a row of its own; references are drawn grey."""

    name: str
    mean: float
    low: float
    high: float
    reference: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """One pair of axes. `places` names the places of bars.

    `top` is the greatest height shown, 0 for whatever there is.
    """

    title: str
    across: str
    up: str
    lines: tuple[Line, ...] = ()
    bars: tuple[Bars, ...] = ()
    dots: tuple[Dot, ...] = ()
    places: tuple[str, ...] = ()
    top: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Sketch:
    """A picture of some panels; `name` is that of its file, `alt` tells who cannot see it what there is to see."""

    name: str
    caption: str
    alt: str
    panels: tuple[Panel, ...]
