"""News as an Atom feed (RFC 4287), in a file of the crawl directory and over HTTP.

The id of an entry is that of its item and never changes, so that no reader shows an entry twice. The same news make the
same bytes: a file that is lost or out of date is simply written again.
"""

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final
from uuid import UUID, uuid5
from xml.etree import ElementTree as ET

from scenthound.types.news import NewsItem
from scenthound.whole_file import write_whole

FILE: Final = "news.atom"
MIME: Final = "application/atom+xml"
ENTRIES: Final = 200  # the newest
_ATOM: Final = "http://www.w3.org/2005/Atom"
# What XML 1.0 cannot hold, even escaped (its production 2, Char).
_NO_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def feed_of(crawl: str, feed: UUID, news: Sequence[NewsItem], *, question: str = "") -> bytes:
    """Return the feed of a crawl, or of one of its questions. `news` has the newest first."""
    root = ET.Element("feed", xmlns=_ATOM)
    about = f"{crawl}: {question}" if question else crawl
    newest = news[0].at if news else 0.0
    _add(root, "title", f"News of {about}")
    _add(root, "id", f"urn:uuid:{uuid5(feed, question) if question else feed}")
    _add(root, "updated", _moment(newest))
    _add(root, "generator", "scenthound")
    _add(ET.SubElement(root, "author"), "name", "scenthound")
    for item in news[:ENTRIES]:
        _entry(root, item)
    ET.indent(root, " ")
    text: str = ET.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="utf-8"?>\n{text}\n'.encode()


def write_feed(path: Path, text: bytes) -> bool:
    """Write the feed if it has changed; return whether it has."""
    if path.exists() and path.read_bytes() == text:
        return False
    write_whole(path, text)
    return True


def _entry(root: ET.Element, item: NewsItem) -> None:
    entry = ET.SubElement(root, "entry")
    _add(entry, "title", item.title or item.question)
    _add(entry, "id", f"urn:uuid:{item.id}")
    _add(entry, "updated", _moment(item.at))
    _add(entry, "published", _moment(item.at))
    ET.SubElement(entry, "category", term=_clean(item.question))
    if item.url:
        ET.SubElement(entry, "link", rel="alternate", href=_clean(item.url))
    # An entry without a link must have content (RFC 4287, 4.1.2).
    _add(entry, "content", item.summary or item.title or item.question, type="text")


def _add(parent: ET.Element, name: str, text: str, **attributes: str) -> None:
    ET.SubElement(parent, name, attributes).text = _clean(text)


def _clean(text: str) -> str:
    return _NO_XML.sub("\ufffd", text)


def _moment(at: float) -> str:
    """Write a time as RFC 3339 has it.

    >>> _moment(0.0)
    '1970-01-01T00:00:00Z'
    """
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
