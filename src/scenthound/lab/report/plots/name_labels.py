"""Names on plots: cut to the room that there is without becoming alike, and moved apart where they would overlap."""

from collections import Counter
from collections.abc import Sequence

ADVANCE = 0.56  # width of a letter of DejaVu Sans, in sizes: of 42 names .52 on average, .62 in the widest


def label_width(names: Sequence[str], *, most: int, size: float) -> float:
    """Return the room that names need, those longer than `most` letters being shortened."""
    return max((min(len(name), most) for name in names), default=0) * size * ADVANCE


def shortened(text: str, most: int) -> str:
    """Return a text of at most so many letters, its middle left out if it is longer.

    >>> shortened("Science/Astronomy/Solar system", 20)
    'Science/…olar system'
    """
    if len(text) <= most:
        return text
    head = (most - 1) * 9 // 20
    return f"{text[:head]}…{text[len(text) - (most - 1 - head) :]}"


def short_names(names: Sequence[str], most: int) -> dict[str, str]:
    """Return names of at most so many letters that are as different as the names are.

    Those that would look alike when shortened are given without the words at which they all begin.

    >>> short_names(["shark with decay .1, anchors", "shark with decay .5, anchors", "ache"], 14)
    {'shark with decay .1, anchors': '….1, anchors', 'shark with decay .5, anchors': '….5, anchors', 'ache': 'ache'}
    """
    short = {name: shortened(name, most) for name in names}
    for text, times in Counter(short.values()).items():
        alike = [name for name in names if short[name] == text]
        if times > 1:
            start = _shared(alike)
            start = max(alike[0].rfind(" ", 0, start) + 1, start - most // 2)
            short |= {name: _cut(f"…{name[start:]}", most) for name in alike}
    return short


def spread(places: Sequence[float], *, gap: float, low: float, high: float) -> list[float]:
    """Return places moved apart so that each two have a gap between them, as near as may be to where they were.

    They keep their order and stay between `low` and `high` if there is room.

    >>> spread([5, 5.5, 9], gap=2, low=0, high=10)
    [4.25, 6.25, 9.0]
    """
    order = sorted(range(len(places)), key=lambda index: places[index])
    gap = min(gap, (high - low) / max(1, len(places) - 1))
    groups: list[tuple[float, int]] = []  # centre and size of places that have come to touch each other
    for index in order:
        groups.append((_within(places[index], 1, gap, low, high), 1))
        while len(groups) > 1 and groups[-1][0] - groups[-2][0] < gap * (groups[-1][1] + groups[-2][1]) / 2:
            (one, few), (other, many) = groups.pop(), groups.pop()
            size = few + many
            groups.append((_within((one * few + other * many) / size, size, gap, low, high), size))
    moved = [centre + gap * (place - (size - 1) / 2) for centre, size in groups for place in range(size)]
    return [moved[order.index(index)] for index in range(len(places))]


def _shared(names: Sequence[str]) -> int:
    """Return with how many letters all names begin alike."""
    columns = zip(*names, strict=False)
    return next((place for place, letters in enumerate(columns) if len(set(letters)) > 1), min(map(len, names)))


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def _within(centre: float, size: int, gap: float, low: float, high: float) -> float:
    reach = gap * (size - 1) / 2
    return min(max(centre, low + reach), high - reach)
