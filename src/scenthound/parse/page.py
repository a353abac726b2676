"""From a fetched body to a `Reading`: unpack, find type and charset, parse, gather links, fingerprint.

The one door of this layer for pages. It does no I/O and raises nothing on account of what is in a body; guarding time
and memory against what is left is the business of the process that calls it.
"""

import re
from collections.abc import Generator, Sequence
from typing import Final, TypeVar, cast

import numpy as np

from scenthound.parse.charset import charset_of, decode
from scenthound.parse.coding import unpack
from scenthound.parse.digest import digest_of
from scenthound.parse.documents import Limits, Refused, read_document
from scenthound.parse.fingerprint import fingerprint, fingerprint_of_little, fingerprint_of_utf8
from scenthound.parse.html import parse
from scenthound.parse.language import guess
from scenthound.parse.links import parted, sayings
from scenthound.parse.sniff import effective_type
from scenthound.types import Fetch, Link, LinkKind, Reading, Reason

HTML: Final = frozenset({"text/html", "application/xhtml+xml"})
_BLANK: Final = 0x20
_ADDRESS: Final = re.compile(r"(?:https?:/)?/\S*$")


T = TypeVar("T")
# A reading that is made step by step: it stops after each, so that whoever has several can take the same step of all of them.
Steps = Generator[None, None, Reading]


def read(fetch: Fetch, *, types: Sequence[str], max_unpacked: int, product: str) -> Reading:
    """Understand a fetched body; `types` are the MIME types wanted, `product` the crawler's product token."""
    return finished(read_in_steps(fetch, types=types, max_unpacked=max_unpacked, product=product))


def finished(steps: Generator[None, None, T]) -> T:
    """Take all steps and return what they lead to."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return cast(T, end.value)


def read_in_steps(fetch: Fetch, *, types: Sequence[str], max_unpacked: int, product: str) -> Steps:
    """Do the same in steps, each of which is the work of another library."""
    body = unpack(fetch.body, fetch.coding, max_unpacked)
    if isinstance(body, Reason):
        detail = f"coding {fetch.coding}" if body is Reason.BAD_CODING else f"more than {max_unpacked} bytes"
        return Reading(reason=body, detail=detail, mime=fetch.mime)
    mime = effective_type(fetch.mime, body)
    if mime not in types:
        return Reading(reason=Reason.UNSUPPORTED_TYPE, detail=mime, mime=mime, digest=digest_of(body))
    if mime in HTML:
        return (yield from _read_html(fetch, body, mime, product))
    return _read_document(fetch, body, mime, max_unpacked)


def _read_html(fetch: Fetch, body: bytes, mime: str, product: str) -> Steps:
    charset = charset_of(body, fetch.charset)
    markup = _as_utf8(body, charset)
    yield
    tree = parse(markup)
    yield
    said = sayings(tree, fetch.url, product)
    own, linked = (text.encode("utf-8", "replace") for text in parted(tree.leaves, said.links))
    yield
    return Reading(
        mime=mime,
        charset=charset,
        title=said.title,
        language=said.language,
        leaves=tuple(tree.leaves),
        words=_word_count(own) + _word_count(linked),
        links=said.links,
        canonical=said.canonical,
        nofollow=said.nofollow,
        noindex=said.noindex,
        detail=said.detail,
        digest=digest_of(body),
        fingerprint=fingerprint_of_utf8(own) or _fingerprint_of_little(tree.leaves, said.links),
    )


def _fingerprint_of_little(leaves: Sequence[str], links: Sequence[Link]) -> int | None:
    """Compare a page with hardly any text, unless it only leads on: all signposts say the same few words."""
    if any(link.kind in (LinkKind.REFRESH, LinkKind.FRAME) for link in links):
        return None
    return fingerprint_of_little(_worded(leaves))


def _read_document(fetch: Fetch, body: bytes, mime: str, max_unpacked: int) -> Reading:
    """Read what is not HTML; all its text counts for its fingerprint, for a document has no navigation to be left out."""
    found = read_document(body, url=fetch.url, mime=mime, charset=fetch.charset, limits=Limits(unpacked=max_unpacked))
    if isinstance(found, Refused):
        return Reading(reason=found.reason, detail=found.detail, mime=found.mime, digest=digest_of(body))
    text = " ".join(filter(None, found.leaves))
    return Reading(
        mime=found.mime,
        charset=found.charset,
        title=found.title,
        language=found.language or guess(" ".join(found.leaves[:30])),
        leaves=found.leaves,
        words=_word_count(text.encode("utf-8", "replace")),
        links=found.links,
        detail=found.detail,
        digest=digest_of(body),
        fingerprint=fingerprint(text) or fingerprint_of_little(text),
    )


def _worded(leaves: Sequence[str]) -> str:
    """Return all text but addresses, which as the words of a link only repeat where it leads."""
    return " ".join(leaf for leaf in leaves if leaf and not _ADDRESS.match(leaf))


def _as_utf8(body: bytes, charset: str) -> bytes:
    """Return the body in UTF-8; most are already, and then are only checked."""
    if charset == "utf-8":
        try:
            body.decode()
        except UnicodeDecodeError:
            pass
        else:
            return body.removeprefix(b"\xef\xbb\xbf")
    return decode(body, charset).encode("utf-8", "replace")


def _word_count(text: bytes) -> int:
    """Count words by the blanks between them: leaves have exactly one. On a str, `count` takes three times as long."""
    return int(np.count_nonzero(np.frombuffer(text, dtype=np.uint8) == _BLANK)) + 1 if text else 0
