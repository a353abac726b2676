"""From a fetched body to a `Reading`: decode, find type and charset, parse, collect links, fingerprint.

This is the entry of the layer for pages. It does no I/O and raises nothing because of a body's content. The calling
process limits time and memory.
"""

import re
from collections.abc import Generator, Sequence
from typing import Final, TypeVar, cast

import numpy as np

from scenthound.parse.charset import charset_of, decode
from scenthound.parse.content_encoding import unpack
from scenthound.parse.digest import digest_of
from scenthound.parse.markup.html import parse
from scenthound.parse.markup.page_links import parted, sayings
from scenthound.parse.sniff import effective_type
from scenthound.parse.words.fingerprint import fingerprint, fingerprint_of_little, fingerprint_of_utf8
from scenthound.parse.words.language import guess
from scenthound.types import Fetch, Link, LinkKind, Reading, Reason

HTML: Final = frozenset({"text/html", "application/xhtml+xml"})
_BLANK: Final = 0x20
_ADDRESS: Final = re.compile(r"(?:https?:/)?/\S*$")


T = TypeVar("T")
# A reading in steps: it stops after each one, so that a caller with several pages can take the same step for all.
Steps = Generator[None, None, Reading]


def read(fetch: Fetch, *, types: Sequence[str], max_unpacked: int, product: str) -> Reading:
    """Read a fetched body; `types` are the wanted MIME types, `product` the crawler's product token."""
    return finished(read_in_steps(fetch, types=types, max_unpacked=max_unpacked, product=product))


def finished(steps: Generator[None, None, T]) -> T:
    """Take all steps and return the result."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return cast(T, end.value)


def read_in_steps(fetch: Fetch, *, types: Sequence[str], max_unpacked: int, product: str) -> Steps:
    """Do the same in steps; each is the work of another library."""
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
        headings=said.headings,
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
    """Return a fingerprint of a page with hardly any text, unless it only leads on: all signposts are alike."""
    if any(link.kind in (LinkKind.REFRESH, LinkKind.FRAME) for link in links):
        return None
    return fingerprint_of_little(_text_without_urls(leaves))


def _read_document(fetch: Fetch, body: bytes, mime: str, max_unpacked: int) -> Reading:
    """Read a document other than HTML; all its text counts for its fingerprint, because it has no navigation."""
    # These are a tenth of all that a reader imports, and many crawls meet nothing but web pages.
    from scenthound.parse.documents import Limits, Refused, read_document

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


def _text_without_urls(leaves: Sequence[str]) -> str:
    """Return all text except URLs, which as the words of a link only repeat its target."""
    return " ".join(leaf for leaf in leaves if leaf and not _ADDRESS.match(leaf))


def _as_utf8(body: bytes, charset: str) -> bytes:
    """Return the body in UTF-8; most bodies are already, and are only checked."""
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
