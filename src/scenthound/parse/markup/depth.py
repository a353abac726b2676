"""How deep elements nest, from their tags alone: never less than in an HTML parser.

Follows the HTML standard §13.2.6.4.7 in deciding which end tag closes what. An ambiguous end tag closes nothing here.
Counting too much costs a few tags of a sloppy page; counting too little costs minutes: 160,000 of `<i></b>` took Lexbor
310 s, as many `<optgroup>` 268. `python -m bench.repeated_tags` prints the present times.
"""

from typing import Final

# Reopened in the next block if not closed, and closed through blocks: only a count of them is possible.
FORMATTING: Final = frozenset(b"b big code em font i s small strike strong tt u".split())
# Nothing inside one of these closes anything outside.
_WALLS: Final = frozenset(b"applet marquee object table template svg math select button".split())
# An unknown element, or one such as <span>, is not closed through one of these.
_SPECIAL: Final = _WALLS | frozenset(
    b"address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption figure"
    b" footer form h1 h2 h3 h4"
    b" h5 h6 header hgroup iframe li listing main menu nav noembed noframes noscript ol plaintext pre"
    b" script search section"
    b" style summary textarea title ul xmp".split()
)
# A start tag that closes an element of the same kind, if nothing special lies between.
_SIBLINGS: Final = {b"li": (b"li",), b"dd": (b"dd", b"dt"), b"dt": (b"dd", b"dt")}
FOREIGN: Final = frozenset(b"svg math".split())
# Elements of SVG and MathML that contain HTML.
_DOORS: Final = frozenset(b"foreignobject desc title annotation-xml mi mo mn ms mtext".split())
_REACH: Final = 32  # elements to search for the one that an end tag names: more would take quadratic time


class Nesting:
    """The open elements.

    >>> nesting = Nesting()
    >>> for name in (b"ul", b"li", b"span", b"li"): nesting.open(name)
    >>> nesting.depth
    2
    >>> nesting.close(b"span"); nesting.close(b"ul"); nesting.depth
    0
    """

    def __init__(self) -> None:
        self.depth = 0
        self._open: list[bytes] = []
        self._foreign: list[int] = []  # positions of <svg> and <math>
        self._formatting: dict[bytes, int] = {}  # those that an end tag can still close: none outside the last wall

    @property
    def is_foreign(self) -> bool:
        """Whether this may be in SVG or MathML, where no element is void or closes another implicitly."""
        return bool(self._foreign)

    def break_out(self) -> None:
        """Leave SVG and MathML, as some HTML elements do, but not where HTML continues inside them."""
        if self._foreign and _DOORS.isdisjoint(self._open[self._foreign[-1] :][:_REACH]):
            self._cut(self._foreign[-1])

    def open(self, name: bytes) -> None:
        if name in FORMATTING:
            self._formatting[name] = self._formatting.get(name, 0) + 1
            self.depth += 1
            return
        if name in _SIBLINGS:
            self._cut(self._place(_SIBLINGS[name], through_special=False))
        elif name in _WALLS:
            self.wall()
            if name in FOREIGN:
                self._foreign.append(len(self._open))
        self._open.append(name)
        self.depth += 1

    def wall(self) -> None:
        """Begin a wall or a table cell: no end tag closes a formatting element that is open now."""
        self._formatting.clear()

    def close(self, name: bytes) -> None:
        if name in FORMATTING:
            if self._formatting.get(name):
                self._formatting[name] -= 1
                self.depth -= 1
            return
        place = self._place((name,), through_special=name in _SPECIAL)
        if place is None:
            return
        if name == b"form":  # the only element that leaves its content open
            del self._open[place]
            self.depth -= 1
            self._foreign = [at - (at > place) for at in self._foreign] if self._foreign else []
        else:
            self._cut(place)

    def _place(self, names: tuple[bytes, ...], *, through_special: bool) -> int | None:
        """Return the position of the innermost of some elements, if it may be closed from here."""
        last = len(self._open) - 1
        for place in range(last, max(last - _REACH, -1), -1):
            one = self._open[place]
            if one in names:
                return place
            if one in _WALLS or (one in _SPECIAL and not through_special):
                return None
        return None

    def _cut(self, place: int | None) -> None:
        if place is not None:
            self.depth -= len(self._open) - place
            del self._open[place:]
            while self._foreign and self._foreign[-1] >= place:
                self._foreign.pop()
