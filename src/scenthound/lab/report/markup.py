"""HTML as a tree of calls: text is escaped, elements are closed.

A template engine is not needed: the page has one form, and its parts are functions of values.
"""

from collections.abc import Iterable
from html import escape
from typing import TypeAlias

Inside: TypeAlias = "str | Iterable[Inside] | None"
Attribute: TypeAlias = str | int | float | bool | None


class Markup(str):
    """Text that is already HTML."""

    __slots__ = ()


def tag(name: str, /, *inside: Inside, **attributes: Attribute) -> Markup:
    """Return an element with its content; an attribute that is a Python keyword gets a trailing underscore.

    >>> print(tag("td", "a < b", tag("small", "why"), class_="wide", data_value=3, hidden=None))
    <td class="wide" data-value="3">a &lt; b<small>why</small></td>
    """
    start = "".join(_attribute(key, value) for key, value in attributes.items())
    if name in _VOID:
        return Markup(f"<{name}{start}>")
    return Markup(f"<{name}{start}>{join(*inside)}</{name}>")


def join(*inside: Inside) -> Markup:
    """Return all parts in order, with plain text escaped."""
    return Markup("".join(_pieces(inside)))


def breakable(name: str) -> Markup:
    """Return a name that may break after slashes, dots, hyphens and underscores, as topic paths and file names do.

    >>> print(breakable("Science/Space"))
    Science/<wbr>Space
    """
    text = escape(name)
    for mark in "/._-":
        text = text.replace(mark, mark + "<wbr>")
    return Markup(text)


_VOID = frozenset({"meta", "br", "wbr", "hr"})


def _attribute(key: str, value: Attribute) -> str:
    if value is None or value is False:
        return ""
    name = key.rstrip("_").replace("_", "-")
    return f" {name}" if value is True else f' {name}="{escape(str(value))}"'


def _pieces(inside: Inside) -> Iterable[str]:
    if inside is None:
        return
    if isinstance(inside, Markup):
        yield inside
    elif isinstance(inside, str):
        yield escape(inside, quote=False)
    else:
        for part in inside:
            yield from _pieces(part)
