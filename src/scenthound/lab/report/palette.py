"""One look for each strategy, the same in every plot and table: a colour, and a dash for colour-blind readers.

Six colours, each with a twin for dark screens. The least distance between two of them (in OKLab, for normal sight and
for both kinds of red-green blindness as Machado and others simulate it, 2009) is .127, on dark screens .141; Okabe and
Ito's colours without black and yellow have .076. With more strategies than colours, colours repeat with another dash.
References are grey, so that nobody takes them for contenders.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

SOLID = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class Colour:
    """A colour on white paper, on a dark screen, and as the page's own style sheet calls it."""

    name: str
    light: str
    dark: str

    @property
    def css(self) -> str:
        return f"var(--{self.name})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """How a strategy is drawn. `dash` is as SVG has it: lengths of ink and gap in turn, in widths of the line."""

    colour: Colour
    dash: str
    filled: bool
    reference: bool


PAPER = Colour(name="paper", light="#fefefe", dark="#15181d")
INK = Colour(name="ink", light="#1f2429", dark="#e4e8ec")
MUTED = Colour(name="muted", light="#565e67", dark="#a3acb6")
RULE = Colour(name="rule", light="#d9dee4", dark="#343a42")
GREY = Colour(name="grey", light="#767d86", dark="#8f98a3")
SERIES = (
    Colour(name="blue", light="#3161cb", dark="#5b8fff"),
    Colour(name="rust", light="#a04512", dark="#da6902"),
    Colour(name="green", light="#1ba586", dark="#86c392"),
    Colour(name="plum", light="#6b2b80", dark="#ebbbff"),
    Colour(name="amber", light="#c27a02", dark="#f7db3d"),
    Colour(name="sky", light="#4499d8", dark="#0799a2"),
)
COLOURS = (PAPER, INK, MUTED, RULE, GREY, *SERIES)

_DASHES = (SOLID, "3.2 1.6", "1.2 1.2", "6 1.4 1.2 1.4")
_REFERENCE_DASHES = ("4 2", "1 1.6", "4 1.5 1 1.5")


def looks(strategies: Sequence[str], references: Collection[str]) -> dict[str, Look]:
    """Give every strategy its look, in the order of the experiment."""
    contenders = [name for name in strategies if name not in references]
    others = [name for name in strategies if name in references]
    return {name: _contender(place) for place, name in enumerate(contenders)} | {
        name: _reference(place) for place, name in enumerate(others)
    }


def style_sheet(colours: Sequence[Colour] = COLOURS) -> str:
    """Return the colours as variables of a style sheet, for light and dark screens."""
    light = "".join(f"--{colour.name}:{colour.light};" for colour in colours)
    dark = "".join(f"--{colour.name}:{colour.dark};" for colour in colours)
    return f":root{{{light}}}\n@media screen and (prefers-color-scheme: dark){{:root{{{dark}}}}}\n"


def _contender(place: int) -> Look:
    round_, colour = divmod(place, len(SERIES))
    return Look(colour=SERIES[colour], dash=_DASHES[round_ % len(_DASHES)], filled=round_ % 2 == 0, reference=False)


def _reference(place: int) -> Look:
    return Look(colour=GREY, dash=_REFERENCE_DASHES[place % len(_REFERENCE_DASHES)], filled=False, reference=True)
