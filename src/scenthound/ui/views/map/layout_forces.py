"""Where the pages of a map stand, and where their titles do: by forces (Fruchterman and Reingold 1991), the same each
time.

Worked out here and not by the chart: a picture is not another one at each look, it fits its frame, and titles lie
beside dots.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

WIDTH, HEIGHT = 620.0, 540.0  # of the picture, in points; a chart scales it to its frame and leaves titles their size
ROUNDS: Final = 150  # for few pages; for many, fewer: 200 take 0.2 s of processor time
_STEPS: Final = 10_000  # rounds times pages
_ROOM = 140.0, 24.0  # beside and above the picture, for titles
_PULL: Final = 0.06  # to the middle, for what has few links or none
_APART: Final = 30.0  # points between two dots
_LETTER, _LINE, _GAP = 5.8, 13.0, 5.0  # a letter's width, a line's height, and what lies between a dot and its title


@dataclass(frozen=True, slots=True, kw_only=True)
class Dot:
    """A page in the picture. `side` is where its title goes; "" if it is too long or has no room."""

    x: float
    y: float
    side: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: "Box") -> bool:
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )


def layout(pages: int, links: Sequence[tuple[int, int]]) -> list[Dot]:
    """Return a place for each page, given the links as pairs of numbers from 0.

    >>> [near, hub, far] = layout(3, [(0, 1)])
    >>> abs(near.x - hub.x) + abs(near.y - hub.y) < abs(far.x - hub.x) + abs(far.y - hub.y)
    True
    """
    if not pages:
        return []
    turns = np.arange(pages) * 2.399963  # the golden angle: evenly over a disc
    places = np.sqrt((np.arange(pages) + 0.5) / pages)[:, None] * np.stack([np.cos(turns), np.sin(turns)], axis=1)
    springs = np.zeros((pages, pages))
    for source, target in links:
        springs[source, target] = springs[target, source] = 1.0
    ideal = 1.2 / np.sqrt(pages)
    rounds = min(ROUNDS, _STEPS // pages)
    for step in range(rounds):
        places = places + _moved(places, springs, ideal, heat=0.25 * (1 - step / rounds))
    return [Dot(x=float(x), y=float(y)) for x, y in _parted(_fitted(places))]


def _moved(places: Floats, springs: Floats, ideal: float, *, heat: float) -> Floats:
    """Return how far each page moves: away from all, towards linked pages, and a little to the middle."""
    apart = places[:, None, :] - places[None, :, :]
    far = np.sqrt((apart**2).sum(axis=2)) + 1e-6
    push = ideal**2 / far**2 - springs * far / ideal * 0.5
    np.fill_diagonal(push, 0.0)
    force = (apart * push[:, :, None]).sum(axis=1) - _PULL * places
    strength = np.sqrt((force**2).sum(axis=1, keepdims=True)) + 1e-9
    moved: Floats = force / strength * np.minimum(strength, heat)
    return moved


def _fitted(places: Floats) -> Floats:
    """Scale positions to fill the picture."""
    low, high = places.min(axis=0), places.max(axis=0)
    size = np.maximum(high - low, 1e-6)
    fitted: Floats = (places - low) / size * np.array([WIDTH, HEIGHT])
    if len(places) == 1:
        fitted[:] = WIDTH / 2, HEIGHT / 2
    return fitted


def _parted(places: Floats) -> Floats:
    """Move overlapping dots apart."""
    for _ in range(30):
        apart = places[:, None, :] - places[None, :, :]
        far = np.sqrt((apart**2).sum(axis=2)) + 1e-6
        lacking = np.clip(_APART - far, 0.0, None)
        np.fill_diagonal(lacking, 0.0)
        if not lacking.any():
            break
        places = places + 0.5 * (apart / far[:, :, None] * lacking[:, :, None]).sum(axis=1)
    return places


def titled(dots: Sequence[Dot], sizes: Sequence[float], titles: Sequence[str]) -> list[Dot]:
    """Find a free side for each title, in order, without touching a dot or another title.

    >>> [dot.side for dot in titled([Dot(x=90, y=0), Dot(x=130, y=0)], [20, 20], ["A title", "Another"])]
    ['left', 'right']
    """
    taken = [_round(dot, size) for dot, size in zip(dots, sizes, strict=True)]
    placed = []
    for dot, size, title in zip(dots, sizes, titles, strict=True):
        side = ""
        for name, box in _sides(dot, size, title) if title else ():
            if _is_inside(box) and not any(box.meets(other) for other in taken):
                taken.append(box)
                side = name
                break
        placed.append(Dot(x=dot.x, y=dot.y, side=side))
    return placed


def _is_inside(box: Box) -> bool:
    beside, above = _ROOM
    return -beside < box.left and box.right < WIDTH + beside and -above < box.top and box.bottom < HEIGHT + above


def _round(dot: Dot, size: float) -> Box:
    half = size / 2
    return Box(left=dot.x - half, top=dot.y - half, right=dot.x + half, bottom=dot.y + half)


def _sides(dot: Dot, size: float, title: str) -> Iterator[tuple[str, Box]]:
    """Yield the possible boxes of a title, best first."""
    width, off = _LETTER * len(title), size / 2 + _GAP
    half = width / 2
    line = {"top": dot.y - _LINE / 2, "bottom": dot.y + _LINE / 2}
    yield "right", Box(left=dot.x + off, right=dot.x + off + width, **line)
    yield "left", Box(left=dot.x - off - width, right=dot.x - off, **line)
    yield "bottom", Box(left=dot.x - half, right=dot.x + half, top=dot.y + off, bottom=dot.y + off + _LINE)
    yield "top", Box(left=dot.x - half, right=dot.x + half, top=dot.y - off - _LINE, bottom=dot.y - off)
