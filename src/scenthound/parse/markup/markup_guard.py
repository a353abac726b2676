"""Make markup harmless before parsing: flatten or drop what would take the parser quadratic time.

Measured on Lexbor: 40,000 nested <div> take 3 s, 40,000 <font> with different attributes 10 s, 30,000 attributes on one
tag 2.4 s, 20,000 <body> tags with new attributes 1 s. Browsers flatten too (Blink at 512 levels). The counts here err
only upwards: they include tags in scripts, comments and attribute values, because skipping those would need the very
tokenizer that this protects.
"""

import re
from dataclasses import dataclass
from typing import Final

import numpy as np

from scenthound.parse.markup.depth import FOREIGN, Nesting

# No page within this limit that we have met takes longer than a second, so ordinary pages pay nothing.
_HARMLESS: Final = 64_000
# Of the 6,944 pages of the schools and messy webs two count more, because of markup in scripts, but have too few tags.
_DEEPEST: Final = 512
_FEWEST_OPEN_TAGS: Final = 4_500
_LONGEST_TAG: Final = 8_192
_MOST_ATTRIBUTES: Final = 512
_MOST_ROOTS: Final = 50
_OPEN, _SLASH = b"</"

_TAG: Final = re.compile(rb"<(/?)([a-zA-Z][^\s/>]*)[^<>]*>?")
_TAG_NAME: Final = re.compile(rb"[a-zA-Z][\w:-]*[\s/]")
_ROOT_NAME: Final = re.compile(rb"<[hHbB][tToO][mMdD][lLyY]")
_ROOT: Final = re.compile(_ROOT_NAME.pattern + rb"[\s/][^<>]*>?")
_ATTRIBUTE: Final = re.compile(rb"[^\s/>=]++(?:\s*+=\s*+(?:\"[^\"]*+\"?|'[^']*+'?|[^\s>]*+))?+")
# Void elements never contain anything; others close themselves, or are dropped in the wrong place.
_FLAT: Final = frozenset(
    b"area base br col embed hr img input link meta param source track wbr basefont bgsound frame image keygen"
    b" p option tr td th tbody thead tfoot colgroup caption a nobr html head body".split()
)
_QUOTED: Final = re.compile(rb"=\s*+(?:\"[^\"]*+\"|'[^']*+')")
_CELLS: Final = frozenset(b"td th caption".split())


@dataclass(frozen=True, slots=True, kw_only=True)
class Tamed:
    """Markup that is safe to parse, and a description of the changes ("" if none)."""

    markup: bytes
    detail: str = ""


def tame(markup: bytes) -> Tamed:
    """Return markup that Lexbor parses in linear time, the same bytes wherever possible."""
    if len(markup) <= _HARMLESS:
        return Tamed(markup=markup)
    done: list[str] = []
    markup = _shorten_tags(markup, done)
    markup = _drop_roots(markup, done)
    markup = _flatten(markup, done)
    return Tamed(markup=markup, detail="; ".join(done))


def _shorten_tags(markup: bytes, done: list[str]) -> bytes:
    """Cut tags with very many attributes down to the first ones.

    A tag ends before the next `<` and has a plain name, so that comparisons in scripts do not pass for tags. The time
    limit of the reader handles a tag that evades this with a `<` in every other attribute.
    """
    if not _has_long_piece(markup):
        return markup
    pieces = markup.split(b"<")
    for number, piece in enumerate(pieces):
        if number and len(piece) > _LONGEST_TAG and _TAG_NAME.match(piece):
            pieces[number] = _shortened(piece, done)
    return b"<".join(pieces)


def _has_long_piece(markup: bytes) -> bool:
    """Tell whether any distance between one `<` and the next exceeds the longest tag.

    Jumping to the last `<` in reach takes 2 µs for a page of 100 KB, and makes no pieces.
    """
    at, end = -1, len(markup) - _LONGEST_TAG - 1
    while at < end:
        found = markup.rfind(b"<", at + 1, at + _LONGEST_TAG + 2)
        if found < 0:
            return True
        at = found
    return False


def _shortened(piece: bytes, done: list[str]) -> bytes:
    end = 0
    for count, attribute in enumerate(_ATTRIBUTE.finditer(piece)):
        if piece.find(b">", end, attribute.start()) >= 0:
            return piece
        if count > _MOST_ATTRIBUTES:
            done.append(f"a tag with more than {_MOST_ATTRIBUTES} attributes was cut")
            return piece[:end] + piece[_tag_end(piece, end) :]
        end = attribute.end()
    return piece


def _tag_end(piece: bytes, at: int) -> int:
    """Return the end of the tag whose attributes are at `at`."""
    for attribute in _ATTRIBUTE.finditer(piece, at):
        close = piece.find(b">", at, attribute.start())
        if close >= 0:
            return close
        at = attribute.end()
    close = piece.find(b">", at)
    return close if close >= 0 else len(piece)


def _drop_roots(markup: bytes, done: list[str]) -> bytes:
    """Drop all but the first <html …> and <body …>: each later one adds its attributes to the first."""
    roots = list(_ROOT.finditer(markup)) if len(_ROOT_NAME.findall(markup)) > _MOST_ROOTS else []
    if len(roots) <= _MOST_ROOTS:
        return markup
    done.append(f"{len(roots) - _MOST_ROOTS} repeated html or body tags were dropped")
    keep = roots[_MOST_ROOTS].start()
    return markup[:keep] + _ROOT.sub(b"", markup[keep:])


def _flatten(markup: bytes, done: list[str]) -> bytes:
    """Drop the tags, not the contents, of elements nested too deep."""
    if _start_tags(markup) <= _FEWEST_OPEN_TAGS:
        return markup
    kept: list[bytes] = []
    nesting = Nesting()
    deepest = copied = 0
    for tag in _TAG.finditer(markup):
        name = tag[2].lower()
        if nesting.is_foreign:
            if name in _BREAKOUT and not tag[1]:
                nesting.break_out()
            elif _closes_itself(tag[0]):
                continue
        elif name in FOREIGN and not tag[1] and _closes_itself(tag[0]):
            continue
        if name in _FLAT and not nesting.is_foreign:
            if name in _CELLS:
                nesting.wall()
            continue
        before = nesting.depth
        nesting.close(name) if tag[1] else nesting.open(name)
        deep = max(before, nesting.depth)
        if deep > _DEEPEST:
            kept.append(markup[copied : tag.start()])
            copied = tag.end()
            deepest = max(deepest, deep)
    if not deepest:
        return markup
    done.append(f"nesting {deepest} deep was flattened to {_DEEPEST}")
    return b"".join([*kept, markup[copied:]])


def _start_tags(markup: bytes) -> int:
    """Count each `<` without a `/` after it; bytes.count takes five times as long for something so frequent."""
    codes = np.frombuffer(markup, dtype=np.uint8)
    return int(np.count_nonzero((codes[:-1] == _OPEN) & (codes[1:] != _SLASH))) + markup.endswith(b"<")


def _closes_itself(tag: bytes) -> bool:
    """Tell whether a tag of SVG or MathML surely closes its element: the slash of `<svg a=b/>` belongs to a value.

    >>> [_closes_itself(tag) for tag in (b"<svg/>", b"<svg a='b'/>", b"<svg a=b />", b"<svg a=b/>", b"<svg>")]
    [True, True, True, False, False]
    """
    if not tag.endswith(b"/>"):
        return False
    return b"=" not in _QUOTED.sub(b"", tag) or tag[-3:-2].isspace()


# HTML elements that end an <svg> or <math> around them (HTML standard §13.2.6.5).
_BREAKOUT: Final = frozenset(
    b"b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li"
    b" listing menu meta nobr"
    b" ol p pre ruby s small span strong strike sub sup table tt u ul var".split()
)
