"""Where archived webs of real pages lie, for the tests that read them; they are no part of the repository."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from warcio.archiveiterator import ArchiveIterator  # type: ignore[import-untyped]

from scenthound.types import Fetch


def web(name: str) -> Path:
    """Return the archive of a web, or skip the test and say what is missing."""
    default = Path(__file__).resolve().parents[2].parent / "shared" / "webs"
    path = Path(os.environ.get("SCENTHOUND_WEBS", default)) / f"{name}.warc.gz"
    if not path.exists():
        pytest.skip(f"{name}.warc.gz is not in {path.parent}; set SCENTHOUND_WEBS to the folder that holds it")
    return path


def fetches(path: Path) -> Iterator[Fetch]:
    """Yield the responses of an archive as if they had just been fetched."""
    with path.open("rb") as stream:
        for record in ArchiveIterator(stream):
            if record.rec_type == "response":
                url = record.rec_headers.get_header("WARC-Target-URI")
                body = record.content_stream().read()
                yield Fetch(url=url, started=0.0, finished=0.0, status=200, mime="text/html", body=body)
