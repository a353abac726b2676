"""A corpus as a folder of files, one for each page: Markdown with front matter, or plain text.

Names come from URLs, which are anybody's: they keep letters, digits and hyphens, and end in a digest of the URL, so
that two pages never share one, and a page keeps its name from export to export.
"""

import hashlib
import json
import re
import unicodedata
from collections.abc import Iterable
from pathlib import Path
from typing import Final
from urllib.parse import unquote

from scenthound.parse.markup.main_text import escape_tags
from scenthound.services.corpus.corpus_page import COLUMNS, CorpusPage
from scenthound.services.results.export_format import ExportFormat
from scenthound.terminal import in_json

_SLUG: Final = 60  # characters
_HOST: Final = 80
_DEVICES: Final = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?")  # names that Windows keeps for itself
_FACTS: Final = ("title", "url", "host", "language", "topic", "relevance", "fetched_at", "mime", "digest")


def write_text_files(pages: Iterable[CorpusPage], folder: Path, form: ExportFormat) -> None:
    """Write each page with a text under pages/, and a row for every page into index.jsonl."""
    end = "md" if form is ExportFormat.MARKDOWN else "txt"
    with (folder / "index.jsonl").open("x", encoding="utf-8") as index:
        for page in pages:
            name = ""
            if page.text is not None and page.text.text:
                name = f"pages/{file_name(page.address)}.{end}"
                path = folder / name
                path.parent.mkdir(parents=True, exist_ok=True)
                content = page.text.text if form is ExportFormat.TEXT else with_front_matter(page)
                path.write_text(f"{content}\n", encoding="utf-8", errors="replace", newline="")
            row = page.as_row((*COLUMNS, "licences", "opt_outs")) | {"file": name or None}
            index.write(in_json(json.dumps(row, ensure_ascii=False)) + "\n")


def file_name(url: str) -> str:
    """Return a path without its end that is safe on all systems: the host, what the URL is about, and a digest.

    >>> file_name("http://www.example.org/Reviews/Hub%20gears.html?page=2")
    'www.example.org/reviews-hub-gears-html-page-2-d6fd777565'
    """
    host, _, rest = url.partition("://")[2].partition("/")
    host = re.sub(r"[^a-z0-9.-]+", "_", host.lower()).strip(".-_")[:_HOST].strip(".-_") or "_"
    host = f"_{host}" if _DEVICES.fullmatch(host) else host
    words = unicodedata.normalize("NFKD", unquote(rest)).encode("ascii", "ignore").decode()
    slug = re.sub(r"[^a-z0-9]+", "-", words.lower()).strip("-")[:_SLUG].strip("-") or "index"
    return f"{host}/{slug}-{hashlib.blake2b(url.encode('utf-8', 'replace'), digest_size=5).hexdigest()}"


def with_front_matter(page: CorpusPage) -> str:
    """Return a page as Markdown, its facts in YAML before it. Strings are quoted as in JSON, which is YAML too."""
    row = page.as_row((*_FACTS, "licences", "opt_outs")) | {"url": page.address}
    facts = [f"{name}: {in_json(json.dumps(value, ensure_ascii=False))}" for name, value in row.items()]
    assert page.text is not None
    text = page.text.text if page.text.by == "trafilatura" else escape_tags(page.text.text).replace("\n", "\n\n")
    return "\n".join(["---", *facts, "---", "", text])
