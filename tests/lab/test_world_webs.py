"""The archived webs of real pages as worlds: all of each is there, and opens in a moment."""

import os
from itertools import islice
from pathlib import Path
from time import process_time

import pytest

from scenthound.archive.warc import read_warc
from scenthound.lab.world.world_sources import WorldSource
from tests.lab.small_worlds import opened
from tests.often import THOROUGH

WEBS = Path(os.environ.get("SCENTHOUND_WEBS") or Path(__file__).parents[3] / "shared" / "webs")
RECORDS = 700  # at the beginning of an archive


def source_of(name: str) -> WorldSource:
    warc, labels = WEBS / f"{name}.warc.gz", WEBS / f"{name}.labels.tsv"
    if not warc.exists():
        pytest.skip(f"{name}.warc.gz is not in {WEBS}; set SCENTHOUND_WEBS to the folder that holds it")
    return WorldSource(name=name, warc=(warc,), labels=labels)


def beginning_of(whole: WorldSource, folder: Path) -> WorldSource:
    """Copy the first records of an archive, and the labels of the pages there."""
    [archive], labels = whole.warc, whole.labels
    assert labels is not None
    records = list(islice(read_warc(archive), RECORDS))
    urls = {record.fields.get("warc-target-uri") for record in records}
    with archive.open("rb") as file:
        (folder / archive.name).write_bytes(file.read(records[-1].offset + records[-1].length))
    head, *rows = labels.read_text(encoding="utf-8").splitlines(keepends=True)
    kept = [row for row in rows if row.partition("\t")[0].strip() in urls]
    (folder / labels.name).write_text("".join([head, *kept]), encoding="utf-8")
    return WorldSource(name=whole.name, warc=(folder / archive.name,), labels=folder / labels.name)


WHOLE = [("schools", 5_462, 1, 145_711, 4_354), ("webkb", 8_213, 589, 13_650, 8_229)]
BEGINNING = [("schools", 700, 1, 2_728, 573), ("webkb", 700, 112, 107, 701)]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "pages", "hosts", "links", "labels"), WHOLE if THOROUGH else BEGINNING)
def test_a_real_web_is_a_world(tmp_path: Path, name: str, pages: int, hosts: int, links: int, labels: int) -> None:
    source = source_of(name) if THOROUGH else beginning_of(source_of(name), tmp_path)
    opened(source, tmp_path).close()  # reads it
    began = process_time()
    with opened(source, tmp_path) as world:
        assert (len(world.urls), len(set(world.hosts)), world.link_count) == (pages, hosts, links)
        assert f"{labels:,} labels" in world.said
        assert "no page here" not in world.said
        assert len(world.digest) == 32
        assert process_time() - began < 2.0
        for url in world.urls[::50]:
            found = world.exchange(url)
            assert found is not None
            assert found.reading.terms or not any(world.leaves(url))
