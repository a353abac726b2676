"""The colours of a portal: from an accent and a ground to all that the style sheet needs, legible in light and dark.

Contrast is that of WCAG 2.2 §1.4.3: at least 4.5 to 1 for text.
"""

from collections.abc import Mapping
from colorsys import hls_to_rgb, rgb_to_hls
from typing import Final

_GLOWING: Final = 7.0  # on a dark ground, where thin light letters need more
_LEGIBLE: Final = 4.6  # a little more than asked for: colours are rounded
_DARK_GROUND, _DARK_SURFACE = "#14181a", "#1c2124"
_BLACK, _WHITE = "#000000", "#ffffff"


def style_variables(accent: str, ground: str) -> str:
    """Return the beginning of the style sheet: the colours of both themes."""
    light = _theme(accent, ground, _surface(ground))
    dark = _theme(accent, _DARK_GROUND, _DARK_SURFACE)
    return f":root {{ {_css(light)} }}\n@media (prefers-color-scheme: dark) {{ :root {{ {_css(dark)} }} }}\n"


def _surface(ground: str) -> str:
    """Return a colour for panels on a ground, on which text is as legible: lighter, or darker where text is white."""
    return mixed(ground, _WHITE, 0.75) if _pole(ground) == _BLACK else mixed(ground, _BLACK, 0.15)


def _pole(ground: str) -> str:
    """Return black or white, whichever is more legible on a ground; its contrast is at least 4.58."""
    return _BLACK if contrast(_BLACK, ground) > contrast(_WHITE, ground) else _WHITE


def _theme(accent: str, ground: str, surface: str) -> Mapping[str, str]:
    pole = _pole(ground)
    worse = ground if contrast(pole, ground) < contrast(pole, surface) else surface
    soft_pole = "#1c241f" if pole == _BLACK else "#e6e9e7"
    ink = soft_pole if contrast(soft_pole, worse) > 2 * _LEGIBLE else pole  # a ground may be of middling lightness
    soft = mixed(surface, accent, 0.12 if pole == _BLACK else 0.3)
    return {
        "ground": ground,
        "surface": surface,
        "ink": ink,
        "muted": legible(mixed(ink, worse, 0.36), worse),
        "line": mixed(surface, ink, 0.14),
        "accent": legible(accent, worse, _LEGIBLE if pole == _BLACK else _GLOWING),
        "soft": soft,
        "on-soft": legible(accent, soft),
        "button": legible(accent, _WHITE),
        "on-button": _WHITE,
    }


def _css(colours: Mapping[str, str]) -> str:
    return " ".join(f"--{name}: {value};" for name, value in colours.items())


def legible(colour: str, ground: str, least: float = _LEGIBLE) -> str:
    """Return a colour of the same hue, as dark or as light as text in it needs on a ground.

    >>> legible("#2f6f4f", "#ffffff"), legible("#ffe000", "#ffffff"), legible("#2f6f4f", "#14181a", 7)
    ('#2f6f4f', '#857400', '#4fb582')
    """
    hue, light, colourful = rgb_to_hls(*(part / 255 for part in _parts(colour)))
    end = 0.0 if _pole(ground) == _BLACK else 1.0
    for step in range(101):
        parts = hls_to_rgb(hue, light + (end - light) * step / 100, colourful)
        found = "#" + "".join(f"{round(255 * part):02x}" for part in parts)
        if contrast(found, ground) >= least:
            return found
    return _pole(ground)


def mixed(one: str, other: str, share: float) -> str:
    """Return a colour with a share of another in it.

    >>> mixed("#000000", "#ffffff", 0.5)
    '#808080'
    """
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in zip(_parts(one), _parts(other), strict=True))


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours, from 1 to 21.

    >>> round(contrast("#000000", "#ffffff"), 1)
    21.0
    """
    low, high = sorted((_light(one), _light(other)))
    return (high + 0.05) / (low + 0.05)


def _light(colour: str) -> float:
    linear = [part / 255 / 12.92 if part <= 10 else ((part / 255 + 0.055) / 1.055) ** 2.4 for part in _parts(colour)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _parts(colour: str) -> list[int]:
    return [int(colour[place : place + 2], 16) for place in (1, 3, 5)]
