"""A plot as a part of the page: its SVG without what belongs to a file, in the colours of the page, light or dark."""

import re
from collections.abc import Iterator
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from scenthound.lab.report.markup import Markup
from scenthound.lab.report.palette import COLOURS

_POINTING = re.compile(r"(?<=url\(#)[^)]+|(?<=^#).+")
_FONT = re.compile(r"font-family:[^;]*;? *")
_NUMBER = re.compile(r"-?\d+\.\d+")
_WRITTEN = ("d", "x", "y", "transform", "points")  # attributes full of coordinates
_VARIABLES = {colour.light: colour.css for colour in COLOURS}


def inline_svg(file: bytes, *, name: str, alt: str) -> Markup:
    """Return the SVG that matplotlib saved as an element of an HTML page.

    All plots of a page share one namespace and one style sheet. So names get the plot's prefix, or are left out if
    nothing refers to them, and its style sheet is dropped. Colours become variables of the page, letters use its font.
    """
    root = ElementTree.fromstring(file)
    for element in root.iter():
        _bare(element)
    for parent in list(root.iter("defs")):
        for style in parent.findall("style"):
            parent.remove(style)
    used = {target for element in root.iter() for target in _targets(element)}
    for element in root.iter():
        _own_names(element, name, used)
    root.attrib = {"viewBox": root.attrib["viewBox"], "role": "img", "aria-label": alt}
    return Markup(ElementTree.tostring(root, encoding="unicode", short_empty_elements=False))


def _bare(element: Element) -> None:
    """Take away namespaces, fonts and decimals beyond the second, and name the colours."""
    element.tag = _local(element.tag)
    element.tail = None
    if element.tag != "text":
        element.text = None
    element.attrib = {_local(key): value for key, value in element.attrib.items()}
    for key in _WRITTEN:
        if key in element.attrib:
            element.attrib[key] = _NUMBER.sub(_round_coordinates, " ".join(element.attrib[key].split()))
    if "style" in element.attrib:
        element.attrib["style"] = _page_style(element.attrib["style"])


def _page_style(style: str) -> str:
    style = _FONT.sub("", style)
    for colour, variable in _VARIABLES.items():
        style = style.replace(colour, variable)
    return style


def _own_names(element: Element, name: str, used: set[str]) -> None:
    mine = element.attrib.pop("id", None)
    for key, value in element.attrib.items():
        if "#" in value:
            element.attrib[key] = _POINTING.sub(lambda found: f"{name}-{found[0]}", value)
    if mine in used:
        element.attrib["id"] = f"{name}-{mine}"


def _targets(element: Element) -> Iterator[str]:
    for value in element.attrib.values():
        yield from _POINTING.findall(value)


def _local(name: str) -> str:
    return name.rpartition("}")[2]


def _round_coordinates(found: re.Match[str]) -> str:
    return f"{float(found[0]):.2f}".rstrip("0").rstrip(".")
