"""What a portal takes from the archived copy of a page: how far it opts out, the beginning of its text, its words."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from msgspec import Struct

from scenthound.archive.files import ArchiveReader
from scenthound.archive.http_head import HttpHead
from scenthound.archive.place import ArchiveFolder
from scenthound.crawl.readers.stored_pages import text_of_archive
from scenthound.errors import StoreError
from scenthound.parse.charset import charset_of, decode
from scenthound.parse.content_encoding import unpack
from scenthound.parse.markup.boilerplate import main_leaves
from scenthound.parse.markup.html import parse
from scenthound.parse.opt_out import OptOut, opt_out
from scenthound.parse.page import HTML
from scenthound.parse.sniff import effective_type
from scenthound.services.portal.word_weights import weigh_words
from scenthound.settings.schema import FetchSettings
from scenthound.types import ArchiveSpot, Link, Reason

_MAX_UNPACKED: Final = FetchSettings().max_unpacked
_LOOKED_AT: Final = 30_000  # characters of a text: of twenty schools pages one has more
_SNIPPET: Final = 260  # characters
_SPLIT: Final = re.compile(r" (?:[,.;:!?)\]]|['’]s\b)|[(\[] ")
_PARAGRAPH: Final = 80  # characters: a shorter block at the beginning is a date, a name or a way through the site


class Order(Struct, frozen=True, kw_only=True):
    """A page to be looked at, with the places in the archive that may have its content.

    `number` is its own in the portal.
    """

    number: int
    id: int
    n: int
    url: str
    host: str
    title: str
    language: str
    spots: tuple[ArchiveSpot, ...]


class Extract(Struct, frozen=True, kw_only=True):
    """What was found. `words` are separated by blanks; `weights` has a digit for each.

    A page that opts out has the words of its title here, and nothing of its text.
    """

    opt_out: OptOut = OptOut.NOTHING
    snippet: str = ""
    words: str = ""
    weights: str = ""


class _Copy(Struct, frozen=True, kw_only=True):
    wish: OptOut
    leaves: tuple[str, ...]
    links: tuple[Link, ...]


def extract_pages(folder: ArchiveFolder, orders: Iterable[Order], product: str) -> list[Extract]:
    """Read pages from the archive. A page that cannot be read keeps its title and address, without text."""
    with ArchiveReader(folder) as archive:
        return [_extract(archive, folder, order, product) for order in orders]


def _extract(archive: ArchiveReader, folder: ArchiveFolder, order: Order, product: str) -> Extract:
    copy = next(filter(None, (_copy(archive, folder, spot, order.url, product) for spot in order.spots)), None)
    wish = copy.wish if copy is not None else OptOut.NOTHING
    text = snippet = ""
    if copy is not None and wish is OptOut.NOTHING:
        text, snippet = _texts(copy, order.title)
    found = weigh_words(order.title, order.host, text, order.language)
    return Extract(opt_out=wish, snippet=snippet, words=" ".join(found), weights="".join(map(str, found.values())))


def _copy(archive: ArchiveReader, folder: ArchiveFolder, spot: ArchiveSpot, url: str, product: str) -> _Copy | None:
    try:
        packed_head, packed = archive.exchange(spot)
        if not packed:
            return None
        head = HttpHead(packed_head)
        wishes = head.all("x-robots-tag")
        body = unpack(packed, head.coding, _MAX_UNPACKED)
        if isinstance(body, Reason):
            return None
        if effective_type(head.type, body) not in HTML:
            return _document(folder, spot, url, opt_out((), wishes, product))
        # `text_of_archive` would take twice the time: it also joins every link and makes a fingerprint.
        text = decode(body, charset_of(body, head.charset))
        tree = parse(text.encode("utf-8", "replace"))
        anchors = (mark for mark in tree.marks if mark.tag == "a" and mark.get("href"))
        links = tuple(Link(url="", first_leaf=mark.first_leaf, last_leaf=mark.last_leaf) for mark in anchors)
        return _Copy(wish=opt_out(tree.marks, wishes, product), leaves=tuple(tree.leaves), links=links)
    except (StoreError, OSError):  # damaged, or moved away
        return None


def _document(archive: ArchiveFolder, spot: ArchiveSpot, url: str, wish: OptOut) -> _Copy | None:
    reading = text_of_archive(archive, spot, url=url)
    return None if reading is None else _Copy(wish=wish, leaves=reading.leaves, links=())


def _texts(copy: _Copy, title: str) -> tuple[str, str]:
    """Return the main text of a page, and the beginning of it."""
    if not copy.leaves:
        return "", ""
    is_main = main_leaves(copy.leaves, copy.links)
    paragraphs = list(_paragraphs(copy.leaves, is_main.tolist(), title))
    return " ".join(paragraphs)[:_LOOKED_AT], shortened(_beginning(paragraphs))


def _paragraphs(leaves: Sequence[str], is_main: Sequence[bool], title: str) -> Iterator[str]:
    """Yield runs of leaves without an empty one between them, which is what markup has between blocks."""
    run: list[str] = []
    for leaf, wanted in zip((*leaves, ""), (*is_main, False), strict=True):
        if leaf and wanted:
            run.append(leaf)
        elif run:
            text = " ".join(run)
            if text != title:
                yield text
            run = []


def _beginning(paragraphs: Sequence[str]) -> str:
    start = next((place for place, text in enumerate(paragraphs) if len(text) >= _PARAGRAPH), 0)
    text = " ".join(" ".join(paragraphs[start : start + 8])[: 2 * _SNIPPET].split())
    return _SPLIT.sub(lambda found: found[0].strip(), text)  # links and emphasis leave blanks before and after signs


def shortened(text: str, most: int = _SNIPPET) -> str:
    """Return a text that ends with a whole word.

    >>> shortened("Wheels and chains and saddles", 20)
    'Wheels and chains …'
    """
    return text if len(text) <= most else text[: most - 1].rpartition(" ")[0].rstrip(" ,;:–-") + " …"
