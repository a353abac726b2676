"""Where archived webs of real pages lie, for the tests that read them; they are no part of the repository."""

import os
from itertools import islice
from pathlib import Path

import pytest

from bench.reading import fetches
from scenthound.archive.warc import read_warc
from tests.often import THOROUGH

__all__ = ["RECORDS", "beginning", "fetches", "web"]

RECORDS = 700  # of the beginning of an archive


def web(name: str) -> Path:
    """Return the archive of a web, or skip the test and say what is missing."""
    default = Path(__file__).resolve().parents[2].parent / "shared" / "webs"
    path = Path(os.environ.get("SCENTHOUND_WEBS", default)) / f"{name}.warc.gz"
    if not path.exists():
        pytest.skip(f"{name}.warc.gz is not in {path.parent}; set SCENTHOUND_WEBS to the folder that holds it")
    return path


def beginning(name: str, folder: Path) -> Path:
    """Return the first records of an archive, with their labels beside it, or with THOROUGH=1 the whole."""
    whole = web(name)
    if THOROUGH:
        return whole
    part, labels = folder / whole.name, f"{name}.labels.tsv"
    if part.exists():
        return part
    records = list(islice(read_warc(whole), RECORDS))
    urls = {record.fields.get("warc-target-uri") for record in records}
    head, *rows = whole.with_name(labels).read_text(encoding="utf-8").splitlines(keepends=True)
    kept = [row for row in rows if row.partition("\t")[0].strip() in urls]
    (folder / labels).write_text("".join([head, *kept]), encoding="utf-8")
    with whole.open("rb") as file:
        part.write_bytes(file.read(records[-1].offset + records[-1].length))
    return part
