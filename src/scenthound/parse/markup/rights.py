"""What a page says about its use: licences that it declares, and signals by which its owner opts out.

Licences: rel=license (HTML standard §4.6.7.10, RFC 4946), links to Creative Commons, Dublin Core and schema.org
metadata. Signals: the robots meta tag and X-Robots-Tag as search engines read them, "noai", and the TDM Reservation
Protocol (W3C community group, 2024).
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from email.message import Message
from typing import Final

from scenthound.parse.markup.html import Mark
from scenthound.parse.markup.main_text import clean_text
from scenthound.parse.urls import Joiner

OPT_OUTS: Final = ("noindex", "noarchive", "nosnippet", "noai", "noimageai", "tdm-reservation")
_LONGEST: Final = 200  # characters of a licence in words
_MOST: Final = 5  # licences of one page
_NAMES: Final = frozenset(
    {"license", "licence", "dc.license", "dcterms.license", "dc.rights.license", "rights-standard"}
)
_WORDS: Final = frozenset({"dc.rights", "dcterms.rights", "rights", "copyright", "dcterms.accessrights"})
_COMMONS: Final = re.compile(
    r"(?:https?:)?//(?:www\.)?creativecommons\.org/(licenses|publicdomain)/([a-z+-]+)(?:/(\d\.\d))?", re.IGNORECASE
)
_JSON: Final = re.compile(r'"license"\s*:\s*"([^"\\\s]{4,200})"')
_LINK: Final = re.compile(r"<([^<>]{1,500})>\s*;[^,<>]{0,200}\brel\s*=\s*\"?[^\",;]{0,50}\blicense\b", re.IGNORECASE)
_VALUED: Final = ("unavailable_after", "max-snippet", "max-image-preview", "max-video-preview")


@dataclass(frozen=True, slots=True, kw_only=True)
class Rights:
    """Licences as their names or addresses, and opt-outs as words of `OPT_OUTS`; both without repetition."""

    licences: tuple[str, ...] = ()
    opt_outs: tuple[str, ...] = ()


def rights_of(
    marks: Sequence[Mark], headers: Message, *, url: str, markup: str = "", product: str = "scenthound"
) -> Rights:
    """Read the marks of a page, its headers, and the JSON in its markup."""
    base = Joiner(url)
    found = [
        *_declared(marks, base),
        *_in_headers(headers, base),
        *(named(address) for address in _JSON.findall(markup)),
    ]
    said = {*_robots(marks, product), *_robots_headers(headers, product), *_reservations(marks, headers)}
    said |= {"noindex"} if "none" in said else set()
    return Rights(
        licences=tuple(dict.fromkeys(filter(None, found)))[:_MOST],
        opt_outs=tuple(word for word in OPT_OUTS if word in said),
    )


def named(licence: str) -> str:
    """Return a licence by its short name if it is of Creative Commons, else as it is.

    >>> named("http://creativecommons.org/licenses/by-sa/3.0/de/"), named("https://example.org/terms")
    ('CC BY-SA 3.0', 'https://example.org/terms')
    >>> named("//creativecommons.org/publicdomain/zero/1.0/")
    'CC0 1.0'
    """
    commons = _COMMONS.search(licence)
    if commons is None:
        return " ".join(clean_text(licence).split())[:_LONGEST]
    kind = commons[2].strip("-").upper()
    name = {"ZERO": "CC0", "MARK": "Public Domain Mark", "PUBLICDOMAIN": "Public Domain"}.get(kind, f"CC {kind}")
    return f"{name} {commons[3]}" if commons[3] else name


def _declared(marks: Iterable[Mark], base: Joiner) -> Iterator[str]:
    for mark in marks:
        href = mark.get("href")
        if mark.tag in ("a", "area", "link"):
            declares = "license" in f"{mark.get('rel')} {mark.get('itemprop')}".lower().split()
            if href and (declares or _COMMONS.match(href)):
                yield named(base(href) or href)
        elif mark.tag == "meta":
            yield from _in_meta(mark)


def _in_meta(mark: Mark) -> Iterator[str]:
    name = (mark.get("name") or mark.get("property") or mark.get("itemprop")).strip().lower()
    content = mark.get("content").strip()
    if content and (name in _NAMES or name in _WORDS):
        yield named(content)


def _in_headers(headers: Message, base: Joiner) -> Iterator[str]:
    for line in headers.get_all("link", []):
        for address in _LINK.findall(str(line)):
            yield named(base(address) or address)


def _robots(marks: Iterable[Mark], product: str) -> Iterator[str]:
    for mark in marks:
        if mark.tag == "meta" and mark.get("name").strip().lower() in ("robots", product.lower()):
            yield from re.split(r"[,\s]+", mark.get("content").lower())


def _robots_headers(headers: Message, product: str) -> Iterator[str]:
    """Read X-Robots-Tag; what it says to other robots by name does not count."""
    for line in headers.get_all("x-robots-tag", []):
        agent = ""
        for part in str(line).lower().split(","):
            name, colon, rest = part.partition(":")
            if colon and name.strip() not in _VALUED:
                agent, part = name.strip(), rest
            if agent in ("", "*", product.lower()):
                yield from part.split()


def _reservations(marks: Iterable[Mark], headers: Message) -> Iterator[str]:
    said = [str(value) for value in headers.get_all("tdm-reservation", [])]
    said += [mark.get("content") for mark in marks if mark.tag == "meta" and _is_reservation(mark)]
    if any(value.strip() == "1" for value in said):
        yield "tdm-reservation"


def _is_reservation(mark: Mark) -> bool:
    return mark.get("name").strip().lower() == "tdm-reservation"
